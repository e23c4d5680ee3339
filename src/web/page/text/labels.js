// The texts that do not depend on the game: buttons, labels, messages.

import { numberText, t } from "../language.js";

export const TAB_LABELS = { play: t("Play"), analyze: t("Analyze"), practice: t("Practice"), learn: t("Learn"), solve: t("Solve") };

export const MESSAGES = {
  connecting: t("Connecting to the engine …"),
  disconnected: t("The engine does not answer. If it has stopped, start it again with `puli board`."),
  unavailable: t("The engine cannot be loaded. The page tries again every few seconds."),
  unauthorized: t("This page has no valid key. Open the address that `puli board` printed."),
  thinking: t("The engine is thinking …"),
  /** @param {number} share from 0 to 1 */
  loading: (share) => t("The network of this game is loading: {share}.", { share: numberText(share, { style: "percent" }) }),
  paused: t("The engine is paused. Continue, or move for it."),
  chancePaused: t("Paused before the next tile."),
  resume: t("Continue"),
  takeBack: t("Take back"),
  keepMove: t("Play on"),
  decideFirst: t("First choose one of these:"),
  copied: t("Copied."),
  notCopied: t("The browser does not allow this page to copy. The text is selected: copy it by hand."),
  earlierGame: t("This is the game before. Redo shows the later one again."),
  noEarlierGame: t("There is no earlier game. Close the tab to leave."),
  localLink: t("This link works on this machine only, while `puli board` runs."),
  drawing: t("Drawing …"),
  fileTooLarge: t("This file is too large for a game."),
  noMoves: t("Click the board to begin. Moves are listed here: click one to go back to it."),
  waiting: t("Waiting for the engine."),
  gameOver: t("The game is over."),
  noTables: t("No exact values are known for this position."),
  valuesHidden: t("Hidden until you have answered."),
  solvingStopped: t("Stopped. Nothing is kept."),
  tooFewValues: t("Too few positions of this game have a value to review it."),
  badPicture: t("The browser cannot show this file as a picture."),
  stopped: t("Stopped."),
  choose: t("Choose one of these moves:"),
  /** @param {string} text */
  illegal: (text) => t("‘{text}’ is not a legal move here.", { text }),
  /** @param {string} text */
  illegalInLink: (text) => t("The address contains an illegal move: ‘{text}’. The game stops before it.", { text }),
  /** @param {string | null} name */
  unknownGame: (name) => t("There is no game called ‘{name}’. The first game is shown instead.", { name: name ?? "" }),
  /** @param {string} reason @param {boolean} isListed */
  badBoard: (reason, isListed) => (isListed
    ? t("The address contains a board that cannot be played: {reason}. The game of this name is shown instead.", { reason })
    : t("The address contains a board that cannot be played: {reason}. The first game is shown instead.", { reason })),
  boardTooLarge: t("this file is too large to play"),
  /** @param {string} name */
  nameTaken: (name) => t("expected another name, there is already a game called '{name}' here", { name }),
  boardNotInLink: t("The drawn board does not fit into a link. Send the file of the game instead: “Files”, “Download the game”."),
  /** @param {string} reason */
  badPosition: (reason) => t("The address contains an invalid position: {reason}. The start is shown instead.", { reason }),
};

/** Returns a text as a sentence, with a capital and a period. @param {string} text */
export function sentence(text) {
  return t("{Sentence}.", { sentence: text });
}

/** Returns an error of the engine, which speaks English, as a sentence. @param {string} error */
export function engineErrorText(error) {
  return t("{Error}.", { error });
}

/** Returns the error of an engine that has failed, as a sentence. @param {string} failure */
export function failureText(failure) {
  const match = failure.match(/^the engine failed(?: \((.*)\))? and was restarted$/);
  if (!match) return engineErrorText(failure);
  return match[1] ? t("The engine failed ({reason}) and was restarted.", { reason: match[1] }) : t("The engine failed and was restarted.");
}

export const ACTIONS = {
  newGame: t("New game"),
  playAgain: t("Play again"),
  seeTurn: t("See where it turned"),
  tryMoveAgain: t("Try that move again"),
  tryYourself: t("Try it yourself"),
  undo: t("Undo"),
  redo: t("Redo"),
  hint: t("Hint"),
  flip: t("Flip"),
  more: t("More"),
  menu: t("Menu"),
  moveNow: t("Move now"),
  stop: t("Stop"),
  swap: t("Switch sides"),
  toStart: t("To the start"),
  back: t("One move back"),
  forward: t("One move forward"),
  toEnd: t("To the end"),
  rules: t("Rules"),
  share: t("Share"),
  files: t("Files"),
  downloadGame: t("Download the game"),
  copyGame: t("Copy the game"),
  animation: t("Animated picture (SVG)"),
  printSheet: t("Print sheet"),
  openText: t("Open this text"),
  openFile: t("Open a file …"),
  position: t("Position"),
  copyFen: t("Copy the position"),
  copyLink: t("Copy the link"),
  setPosition: t("Set up"),
  games: t("Games"),
  drawBoard: t("Draw a board …"),
  keys: t("Keys"),
  close: t("Close"),
  dark: t("Dark colors"),
  light: t("Light colors"),
  analyzeGame: t("Analyze the whole game"),
  trace: t("Draw the search"),
  compare: t("Compare"),
  shuffle: t("Shuffle"),
  randomPosition: t("Random position"),
  solve: t("Solve"),
  solveGame: t("Solve this game"),
  play: t("Play"),
  pause: t("Pause"),
  stepForward: t("Next step"),
  stepBack: t("Previous step"),
  firstStep: t("First step"),
  lastStep: t("Last step"),
  playAutomatically: t("Play automatically"),
  promote: t("Make this the main line"),
  remove: t("Delete from here"),
  zoomIn: t("Zoom in"),
  zoomOut: t("Zoom out"),
  ownPicture: t("Your own picture"),
  typeMove: t("Type a move"),
};

export const LABELS = {
  person: t("A person"),
  engine: t("Engine"),
  randomTiles: t("At random"),
  worstTiles: t("The worst tiles"),
  placedByPerson: t("Placed by a person"),
  warn: t("Warn me about moves that lose a lot"),
  colors: t("Color the moves by their exact values"),
  names: t("Show point names"),
  sound: t("Sounds"),
  lines: t("Best lines"),
  algorithm: t("Algorithm"),
  heuristic: t("Heuristic"),
  depth: t("Depth"),
  memory: t("With a transposition table"),
  speed: t("Speed"),
  limit: t("Limit"),
  amount: t("Amount"),
  errorInterval: t("Errors on purpose"),
  shuffleMoves: t("Moves from the goal"),
  numbers: t("Numbers"),
  picture: t("Tiles show"),
  tigerPicture: t("A tiger"),
  hillsPicture: t("Hills at night"),
  goal: t("Goal"),
  slideInOrder: t("Slide these tiles, in this order:"),
  otherSize: t("Another size"),
  rows: t("Rows"),
  columns: t("Columns"),
  inARow: t("In a row"),
  fen: t("Position"),
  saveGame: t("Save the game"),
  savePicture: t("Save a picture of the position"),
  wholeGame: t("The whole game"),
  openGame: t("Open a game"),
  pastedGame: t("Paste the text of a game here"),
  comment: t("Comment on the last move"),
  moves: t("Moves"),
  steps: t("Steps through the moves"),
  value: t("Value"),
  badges: t("▲ win ● draw ▼ loss, in moves"),
  shortBadges: t("▲ win ● draw ▼ loss"),
  graph: t("Value over the game"),
  history: t("Exact values over the game"),
  tables: t("Exact values"),
  review: t("Review"),
  score: t("Score"),
  time: t("Time"),
  timeLimit: t("Time limit (s)"),
  comparison: t("All algorithms on this position"),
  boundChart: t("The lower bound over time"),
  boundAxis: t("lower bound of the moves, over the time of the search"),
};

/** The name and the description of each level. @type {Record<string, [string, string]>} */
export const LEVEL_TEXTS = {
  beginner: [t("beginner"), t("one move ahead, with very many errors")],
  easy: [t("easy"), t("two moves ahead, with many errors")],
  medium: [t("medium"), t("four moves ahead, with a few errors")],
  quick: [t("quick"), t("thinks for a tenth of a second")],
  strong: [t("strong"), t("thinks for one second")],
  full: [t("full strength"), t("thinks for five seconds")],
  own: [t("custom"), t("as set below")],
};

/** The options of the field “Errors on purpose”: the average number of moves for one error. */
export const ERROR_INTERVALS = [0, 2, 3, 5, 10, 20].map((moves) => /** @type {[string, string]} */ ([String(moves), moves ? t("1 in {moves} moves", { moves }) : t("none")]));

/** The limits of the own level, by the word of `go`. @type {Record<string, string>} */
export const LIMIT_LABELS = { depth: t("Depth"), movetime: t("Time (ms)"), nodes: t("Nodes") };

/** @type {[string, string][]} */
export const KEY_HELP = [
  ["← →", t("one move back or forward (outside the board)")],
  ["Home End", t("to the start, to the end")],
  [t("arrows"), t("on the board: to the next point; slide tiles")],
  [t("Enter, Space"), t("select a point or move there")],
  [t("Esc"), t("cancel the move; close the window")],
  ["U R", t("undo and redo, with the engine's reply")],
  ["H", t("hint")],
  ["F", t("flip the board")],
  ["S", t("switch sides")],
  ["N", t("new game")],
  ["M", t("let the engine move now")],
  ["E", t("turn the engine on or off")],
  ["G", t("games")],
  ["T", t("type a move")],
  ["1 2 3 4", t("open a tab")],
  ["?", t("this list")],
];
