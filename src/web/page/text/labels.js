// The texts that do not depend on the game: buttons, labels, messages.

export const TAB_LABELS = { play: "Play", analyze: "Analyze", learn: "Learn", solve: "Solve" };

export const GROUP_LABELS = { hunts: "Hunts", lines: "Lines", numbers: "Numbers", puzzles: "Puzzles", trees: "Trees" };

export const MESSAGES = {
  connecting: "Connecting to the engine …",
  disconnected: "The engine does not answer. If it has stopped, start it again with `puli board`.",
  unavailable: "The engine cannot be loaded. The page tries again every few seconds.",
  unauthorized: "This page has no valid key. Open the address that `puli board` printed.",
  thinking: "The engine is thinking …",
  /** @param {number} share from 0 to 1 */
  loading: (share) => `The network of this game is loading: ${Math.round(share * 100)}%.`,
  paused: "The engine is paused.",
  chancePaused: "Paused before the next tile.",
  resume: "Continue",
  takeBack: "Take back",
  keepMove: "Play on",
  copied: "Copied.",
  notCopied: "The browser does not allow this page to copy. The text is selected: copy it by hand.",
  earlierGame: "This is the game before. Redo shows the later one again.",
  noEarlierGame: "There is no earlier game. Close the tab to leave.",
  noMoves: "No moves yet.",
  waiting: "Waiting for the engine.",
  gameOver: "The game is over.",
  noTables: "No exact values are known for this position.",
  solvingStopped: "Stopped. Nothing is kept.",
  noGraph: "The graph starts when two positions have a value.",
  tooFewValues: "Too few positions are analyzed to review this game. Use “Analyze the whole game”.",
  badPicture: "The browser cannot show this file as a picture.",
  stopped: "Stopped.",
  choose: "Choose one of these moves:",
  noSteps: "The search has not started.",
  /** @param {string} text */
  illegal: (text) => `‘${text}’ is not a legal move here.`,
  /** @param {string} text */
  illegalInLink: (text) => `The address contains an illegal move: ‘${text}’. The game stops before it.`,
  /** @param {string | null} name */
  unknownGame: (name) => `There is no game called ‘${name}’. The first game is shown instead.`,
  /** @param {string} reason */
  badPosition: (reason) => `The address contains an invalid position: ${reason}. The start is shown instead.`,
};

export const ACTIONS = {
  newGame: "New game",
  undo: "Undo",
  redo: "Redo",
  hint: "Hint",
  flip: "Flip",
  more: "More",
  moveNow: "Move now",
  stop: "Stop",
  swap: "Switch sides",
  toStart: "To the start",
  back: "One move back",
  forward: "One move forward",
  toEnd: "To the end",
  rules: "Rules",
  share: "Share",
  position: "Position",
  copyFen: "Copy the position",
  copyLink: "Copy the link",
  setPosition: "Set up",
  games: "Games",
  keys: "Keys",
  close: "Close",
  dark: "Dark colors",
  light: "Light colors",
  analyzeGame: "Analyze the whole game",
  trace: "Draw the search",
  compare: "Compare",
  shuffle: "Shuffle",
  randomPosition: "Random position",
  solve: "Solve",
  solveGame: "Solve this game",
  play: "Play",
  pause: "Pause",
  stepForward: "Next step",
  stepBack: "Previous step",
  firstStep: "First step",
  lastStep: "Last step",
  playAutomatically: "Play automatically",
  promote: "Make this the main line",
  remove: "Delete from here",
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
  ownPicture: "Your own picture",
  typeMove: "Type a move",
};

export const LABELS = {
  person: "A person",
  engine: "Engine",
  randomTiles: "At random",
  worstTiles: "The worst tiles",
  placedByPerson: "Placed by a person",
  warn: "Warn me about moves that lose a lot",
  colors: "Color the moves by their exact values",
  names: "Show the names of the points",
  sound: "Sounds",
  lines: "Lines",
  algorithm: "Algorithm",
  heuristic: "Heuristic",
  depth: "Depth",
  memory: "With a transposition table",
  step: "Step",
  speed: "Speed",
  limit: "Limit",
  amount: "Amount",
  errorInterval: "Errors on purpose",
  shuffleMoves: "Moves from the goal",
  numbers: "Numbers",
  picture: "Tiles show",
  tigerPicture: "A tiger",
  hillsPicture: "Hills at night",
  goal: "Goal",
  rows: "Rows",
  columns: "Columns",
  inARow: "In a row",
  fen: "Position",
  moves: "Moves",
  graph: "Value over the game",
  tables: "Exact values",
  review: "Review",
  score: "Score",
  timeLimit: "Time limit (s)",
  comparison: "All algorithms on this position",
  nodeChart: "Nodes of each algorithm, on a logarithmic scale",
  boundChart: "The lower bound over time",
  boundAxis: "lower bound of the moves, over the time of the search",
};

/** The name and the description of each level. @type {Record<string, [string, string]>} */
export const LEVEL_TEXTS = {
  beginner: ["beginner", "looks one move ahead and makes very many errors"],
  easy: ["easy", "looks two moves ahead and makes many errors"],
  medium: ["medium", "looks four moves ahead and makes a few errors"],
  quick: ["quick", "thinks for a tenth of a second"],
  strong: ["strong", "thinks for one second"],
  full: ["full strength", "thinks for five seconds"],
  own: ["custom", "as set below"],
};

/** The options of the field “Errors on purpose”: the average number of moves for one error. @type {[string, string][]} */
export const ERROR_INTERVALS = [["0", "none"], ["2", "1 in 2 moves"], ["3", "1 in 3 moves"], ["5", "1 in 5 moves"], ["10", "1 in 10 moves"], ["20", "1 in 20 moves"]];

/** The limits of the own level, by the word of `go`. @type {Record<string, string>} */
export const LIMIT_LABELS = { depth: "Depth", movetime: "Time (ms)", nodes: "Nodes" };

/** @type {[string, string][]} */
export const KEY_HELP = [
  ["← →", "one move back or forward (outside the board)"],
  ["Home End", "to the start, to the end"],
  ["arrows", "on the board: to the next point; slide tiles"],
  ["Enter, Space", "select a point or move there"],
  ["Esc", "cancel the move; close the window"],
  ["U R", "undo and redo, with the engine's reply"],
  ["H", "hint"],
  ["F", "flip the board"],
  ["S", "switch sides"],
  ["N", "new game"],
  ["M", "let the engine move now"],
  ["E", "turn the engine on or off"],
  ["G", "games"],
  ["T", "type a move"],
  ["1 2 3 4", "open a tab"],
  ["?", "this list"],
];
