// The left half of the page: the board, the two sides, the status line and the buttons below it.

import { analysisSession, canRedo, canUndo, goToEnd, playMove, redo, restart, resumePlay, showMessage, shufflePuzzle, slideTiles, undo } from "./actions.js";
import { lineReview, lossOfPerson, seekTurn, showLoss, tryAgain as tryMoveAgain } from "./coach.js";
import { byId, html, setAttributes, setShown, setText, syncChildren } from "./dom.js";
import { glyph } from "./glyphs.js";
import { numberText, t } from "./language.js";
import { handleClick, movesWithoutClicks, tileSlide } from "./move_clicks.js";
import { replacesBoard, traceBox } from "./panel/learn.js";
import { nextPosition, tryAgain } from "./practice_session.js";
import { clockText, progressIn } from "./puzzle_progress.js";
import { analysis, canMove, currentPlayer, display, game, hasChance, interaction, isAsked, isEngine, isEngineOnly, isPuzzle, notifyChange, openingPlies, practice, preferences, server, startState } from "./state.js";
import { ACTIONS, LABELS, LEVEL_TEXTS, MESSAGES, PRACTICE_ACTIONS, capitalize, coachText, crewText, engineErrorText, instructionText, lossText, moveInstruction, moveName, resultText, seekingText, sideTitle, sideToMove, titleText, turnPrompt, winText } from "./text.js";
import { BoardView } from "./view/board_view.js";
import { icon } from "./view/pieces.js";
import { RiverView } from "./view/river_view.js";
import { TreeView } from "./view/tree_view.js";

/** @import { State, Move } from "./types.js" */
/** @import { ViewModel } from "./view/board_view.js" */

/** The number of engine lines whose first move gets an arrow. */
const MAX_ARROWS = 3;
/** Delay between the engine's moves below which pieces jump instead of moving visibly. */
const MIN_ANIMATED_DELAY_MS = 150;
/** The time between two updates of a puzzle's clock, which shows seconds. */
const CLOCK_INTERVAL_MS = 500;

const boardView = new BoardView({ click: pressSpot, drag: dragPiece, slide });
const riverView = new RiverView({ cross: (crew) => {
  const move = game.state?.moves.find((one) => one.crew?.missionaries === crew.missionaries && one.crew?.cannibals === crew.cannibals);
  if (move) tryMove(move);
  else void explainCrossing(crew);
} });
const treeView = new TreeView({ play: (name) => tryMove(game.state?.moves.find((move) => move.move === name)) });

/** Plays a move if a person may move now. @param {Move | undefined} move */
function tryMove(move) {
  if (move && canMove()) void playMove(move.move);
}

/** Handles a click on a point or cell. @param {string} at */
export function pressSpot(at) {
  const { state } = game;
  if (interaction.warning) {
    interaction.warning.isReminded = true;
    return notifyChange();
  }
  if (!state || !canMove()) return;
  interaction.choices = [];
  const slid = state.board.slides === "one" ? tileSlide(state, at) : null;
  if (slid) return void slideTiles(slid.move, slid.count);
  const effect = handleClick(state.moves, interaction.clicks, at);
  if ("play" in effect) return tryMove(effect.play);
  if ("ask" in effect) interaction.choices = effect.ask;
  else {
    if (!effect.clicks.length && interaction.clicks.at(-1) !== at) void explainClick(state, interaction.clicks, at);
    interaction.clicks = effect.clicks;
  }
  notifyChange();
}

/** Says why a click is no move. The sentences are loaded with the first one. @param {State} state @param {string[]} clicks the clicks before @param {string} at */
async function explainClick(state, clicks, at) {
  const { illegalClickText } = await import("./text/illegal.js");
  const text = illegalClickText(state, clicks, at);
  if (text && game.state === state) showMessage(text);
}

/** Says why the people in the boat cannot cross. @param {{ missionaries: number, cannibals: number }} crew */
async function explainCrossing(crew) {
  const { state } = game;
  const { illegalCrossingText } = await import("./text/illegal.js");
  if (state && game.state === state) showMessage(illegalCrossingText(state, crew));
}

/** Handles a piece that was dragged to another point. @param {string} from @param {string} to */
function dragPiece(from, to) {
  if (game.state?.board.slides === "one") {
    const gap = game.state.moves[0]?.to;
    return to === gap || game.state.moves.some((move) => move.from === to) ? pressSpot(from) : undefined;
  }
  if (game.state?.board.kind === "tiles") return tryMove(game.state.moves.find((move) => move.from === from && move.to === to));
  interaction.clicks = [from];
  pressSpot(to);
}

/** Slides all tiles, or the one tile that can move in this direction. @param {string} direction */
export function slide(direction) {
  const { state } = game;
  if (!state || !canMove()) return;
  if (state.board.slides === "all") return tryMove(state.moves.find((move) => move.move === direction && move.slides));
  const [dx, dy] = /** @type {Record<string, [number, number]>} */ ({ left: [-1, 0], right: [1, 0], up: [0, 1], down: [0, -1] })[direction];
  tryMove(state.moves.find((move) => move.from && move.to && Math.sign(move.to.charCodeAt(0) - move.from.charCodeAt(0)) === dx && Math.sign(Number(move.to.slice(1)) - Number(move.from.slice(1))) === dy));
}

/** Shows a hint: from exact values at once, else from a search. */
export function requestHint() {
  const { current } = game.tree;
  if (!current.state || current.state.outcome !== null || analysis.task) return;
  const best = current.state.solved?.moves[0];
  if (best) interaction.hint = { node: current, move: best.move };
  else analysis.task = { kind: "hint", node: current, index: 0 };
  notifyChange();
}

/** Returns `true` if the board can be flipped. */
function canFlip() {
  return !game.state || game.state.board.kind === "graph" || game.state.board.kind === "grid";
}

export function flipBoard() {
  if (!canFlip()) return;
  display.flipped = !display.flipped;
  notifyChange();
}

/** Returns `true` if the engine is to move and does not wait. */
function engineIsThinking() {
  return isEngine(currentPlayer(game.state)) && !game.paused && game.state?.outcome === null;
}

/** Returns `true` if an engine plays a side. */
function hasEngine() {
  return isEngine(game.players.p1) || isEngine(game.players.p2);
}

function pause() {
  game.paused = true;
  interaction.scheduledNode = null;
  notifyChange();
}

/** @type {{ element: HTMLElement, isEnabled: () => boolean, isShown?: () => boolean }[]} */
const buttons = [];

/** Creates a button below the board. @param {string} name the icon @param {string} text @param {() => void} action @param {() => boolean} isEnabled @param {() => boolean} [isShown] @param {string} [classes] */
function boardButton(name, text, action, isEnabled, isShown, classes = "") {
  const element = html(`button${classes}`, { type: "button", "data-do": name, onclick: action }, glyph(name), html("span", {}, text));
  buttons.push({ element, isEnabled, isShown });
  return element;
}

export function setUp() {
  const always = () => true;
  const canHint = () => server.status === "open" && game.state?.outcome === null && analysis.task === null && !engineIsThinking();
  byId("controls").append(
    boardButton("undo", ACTIONS.undo, undo, canUndo),
    boardButton("redo", ACTIONS.redo, redo, canRedo),
    boardButton("hint", ACTIONS.hint, requestHint, canHint, () => !isEngineOnly() || game.paused),
    boardButton("now", ACTIONS.moveNow, () => analysisSession.stopEarly(), () => engineIsThinking() && analysisSession.currentJob !== null, () => hasEngine() && !isEngineOnly()),
    boardButton("stop", ACTIONS.stop, pause, engineIsThinking, () => isEngineOnly() && !game.paused && game.state?.outcome === null),
    boardButton("flip", ACTIONS.flip, flipBoard, always, canFlip),
    html("span.gap"),
    boardButton("plus", ACTIONS.newGame, restart, always, undefined, ".late"),
    boardButton("more", ACTIONS.more, () => byId("panel").scrollIntoView({ behavior: "smooth" }), always, undefined, ".narrow"),
  );
}

/** @param {State} state @returns {ViewModel} */
function viewModel(state) {
  const { preview } = interaction;
  const { current } = game.tree;
  return {
    state: preview?.state ?? state,
    clicks: preview ? [] : interaction.clicks,
    lastMove: preview ? preview.lastMove : current.parent?.state?.moves.find((move) => move.move === current.move) ?? null,
    solvedMoves: preferences.colors && !preview && !isAsked() && state.solved && canMove() && !hasChance(state) && !isPuzzle(state) ? new Map(state.solved.moves.map((move) => [move.move, move])) : null,
    arrows: preview ? [] : arrowMoves(state),
    showNames: preferences.showNames,
    flipped: display.flipped,
    canMove: canMove(),
    isPreview: preview !== null,
    picture: preferences.picture,
    skipAnimation: isEngine(game.players.p1) && display.moveDelayMs < MIN_ANIMATED_DELAY_MS,
  };
}

/** Returns the moves with arrows: the hint, and the first moves of the engine's lines. @param {State} state */
function arrowMoves(state) {
  const { current } = game.tree;
  /** @param {string} name */
  const findMove = (name) => state.moves.find((move) => move.move === name);
  /** @type {ViewModel["arrows"]} */
  const arrows = [];
  if (preferences.engineOn && !isAsked() && analysis.node === current && state === current.state) {
    analysis.lines.slice(0, MAX_ARROWS).forEach((line, at) => {
      const move = findMove(line?.moves[0] ?? "");
      if (move) arrows.unshift({ move, weight: 1 - at * 0.4, kind: at ? "other" : "best" });
    });
  }
  const hinted = interaction.hint?.node === current ? findMove(interaction.hint.move) : undefined;
  if (hinted) arrows.push({ move: hinted, weight: 1, kind: "hint" });
  const { refutation } = practice;
  const refuting = refutation?.node === current ? findMove(refutation.move) : undefined;
  if (refuting) arrows.push({ move: refuting, weight: 1, kind: "refutation" });
  const { lesson } = interaction;
  const [played, better] = lesson ? [findMove(lesson.node.move), findMove(lesson.better)] : [];
  if (played) arrows.push({ move: played, weight: 0.6, kind: "refutation" });
  if (better) arrows.push({ move: better, weight: 1, kind: "best" });
  return arrows;
}

export function render() {
  const { state } = game;
  const shown = state ?? startState();
  const title = shown ? titleText(shown) : "Puli";
  setText(byId("title"), title);
  if (document.title !== `${title} · Puli`) document.title = `${title} · Puli`;
  if (state) {
    const view = state.board.kind === "river" ? riverView : state.board.kind === "tree" ? treeView : boardView;
    const element = replacesBoard() ? traceBox : view.element;
    if (byId("board").firstElementChild !== element) byId("board").replaceChildren(element);
    view.render(viewModel(state));
    renderSide(byId("above"), state, display.flipped ? "p1" : "p2");
    if (isPuzzle(state)) renderPuzzle(byId("below"), state);
    else renderSide(byId("below"), state, display.flipped ? "p2" : "p1");
  }
  renderStatus(state);
  for (const { element, isShown, isEnabled } of buttons) {
    setShown(element, isShown?.() ?? true);
    setAttributes(element, { disabled: !isEnabled() });
  }
}

/** Shows a side: its name, its player, its pieces in hand and its captures. @param {HTMLElement} element @param {State} state @param {"p1" | "p2"} side */
function renderSide(element, state, side) {
  const isHidden = isPuzzle(state) || (hasChance(state) && side === "p2");
  setShown(element, !isHidden);
  if (isHidden) return;
  const hand = state.hand.filter((pile) => pile.player === side);
  const captured = state.captured.filter((pile) => pile.player !== side);
  const player = game.players[side];
  const kind = state.pieces.find((piece) => piece.player === side)?.kind ?? hand[0]?.kind ?? (state.board.kind === "grid" ? (side === "p1" ? "X" : "O") : "");
  const direction = kind === "prey" ? state.direction : null;
  const content = JSON.stringify([state.variant, side, player, hand, captured, state.score, kind, direction]);
  element.classList.toggle("turn", state.outcome === null && state.turn === side);
  if (element.dataset.content === content) return;
  element.dataset.content = content;
  const counts = [
    ...hand.map((pile) => withNumber(t("in hand {count}", { count: SLOT }), pile.count)),
    ...captured.map((pile) => withNumber(pile.wins === null ? t("captured {count}", { count: SLOT }) : t("captured {count} of {enough}", { count: SLOT, enough: pile.wins }), pile.count)),
    ...(direction ? [html("span", {}, t("going {direction, select, up {up} down {down} left {left} other {right}}", { direction }))] : []),
    ...(hasChance(state) ? [withNumber(t("Score {count}", { count: SLOT }), state.score ?? 0)] : []),
  ];
  element.replaceChildren(
    ...(["hunter", "prey", "X", "O"].includes(kind) ? [icon(state, kind, side)] : []),
    html("span.name", {}, sideTitle(state, side)),
    html("span.player", {}, ...(player === "person" ? [LABELS.person] : engineName(player))),
    html("span.counts", {}, ...counts));
}

/** Stands for an element in a sentence. */
const SLOT = "|";

/** Creates a sentence with an emphasized number. @param {string} text the sentence with `SLOT` for the number @param {number} number */
function withNumber(text, number) {
  const [before, after] = text.split(SLOT);
  return html("span", {}, before, html("b", {}, numberText(number)), after);
}

/** Returns the name of an engine player, of which narrow screens show only the level. @param {string} player */
function engineName(player) {
  const [before, after] = t("Engine, {level}", { level: SLOT }).split(SLOT);
  return [html("span.wide", {}, before), LEVEL_TEXTS[player]?.[0] ?? player, html("span.wide", {}, after)];
}

const puzzleMoves = html("span.name", {});
/** The time in a puzzle. A screen reader does not announce its changes. */
const puzzleTime = html("b", { role: "timer", "aria-live": "off" });
const puzzleCounts = html("span.counts", {}, html("span", {}, LABELS.time, " ", puzzleTime));
let clockTimer = 0;

/** Shows the number of moves in a puzzle, and the time since the first one. @param {HTMLElement} element @param {State} state */
function renderPuzzle(element, state) {
  setShown(element, true);
  element.dataset.content = "";
  element.classList.remove("turn");
  if (element.firstElementChild !== puzzleMoves) element.replaceChildren(puzzleMoves, puzzleCounts);
  setText(puzzleMoves, t("{moves, plural, one {# move} other {# moves}}", { moves: state.ply }));
  showClock();
  const { startTime, seconds } = progressIn(game.tree);
  clearInterval(clockTimer);
  if (startTime !== null && seconds === null && !document.hidden) clockTimer = window.setInterval(showClock, CLOCK_INTERVAL_MS);
}

function showClock() {
  const text = isPuzzle(game.state) ? clockText(game.tree) : null;
  if (text === null) clearInterval(clockTimer);
  setText(puzzleTime, text ?? "");
  setShown(puzzleCounts, text !== null);
}

/** Returns the classes of the status line. @param {State | null} state */
function lineClass(state) {
  if (interaction.warning || !["open", "connecting"].includes(server.status)) return "warns";
  if (practice.tree === game.tree || interaction.lesson) return "verdict";
  return state?.outcome ? lineReview() ? "over verdict" : "over" : "";
}

/** Shows the status line with its buttons, and a button for each move that has no point on the board. @param {State | null} state */
function renderStatus(state) {
  byId("line").className = lineClass(state);
  setText(byId("status"), statusText(state));
  syncChildren(byId("answers"), statusButtons(state), ({ text }) => text, ({ text, isMain }) => html(isMain ? "button.main" : "button", { type: "button" }, text), (element, { action, isDisabled = false }) => {
    element.onclick = action;
    setAttributes(element, { disabled: isDisabled });
  });
  const named = state && canMove() && state.board.kind !== "tree" ? movesWithoutClicks(state.moves) : [];
  const crossings = state && canMove() && state.board.kind === "river" ? state.moves : [];
  syncChildren(byId("named"), [...named, ...crossings], (move) => move.move, (move) => html("button", { type: "button", "data-move": move.move }, move.crew ? crewText(move.crew) : capitalize(moveName(move.move))), (element, move) => { element.onclick = () => tryMove(move); });
}

/** @typedef {{ text: string, action: () => void, isMain: boolean, isDisabled?: boolean }} StatusButton */

/** @param {State | null} state @returns {StatusButton[]} */
function statusButtons(state) {
  if (interaction.warning) return [{ text: MESSAGES.takeBack, action: undo, isMain: true }, { text: MESSAGES.keepMove, action: resumePlay, isMain: false }];
  if (state && interaction.choices.length) return interaction.choices.map((move) => ({ text: moveInstruction(state, move), action: () => tryMove(move), isMain: false }));
  const { lesson } = interaction;
  if (lesson) return [{ text: ACTIONS.tryYourself, action: () => tryMoveAgain(lesson), isMain: true }, { text: ACTIONS.toEnd, action: goToEnd, isMain: false }];
  if (server.status === "open" && game.paused && state?.outcome === null && currentPlayer(state) !== "person") return [{ text: MESSAGES.resume, action: resumePlay, isMain: true }];
  if (practice.tree === game.tree && ["right", "wrong"].includes(practice.status)) {
    const next = { text: PRACTICE_ACTIONS.next, action: () => void nextPosition(), isMain: true };
    return practice.status === "right" ? [next] : [{ text: PRACTICE_ACTIONS.again, action: tryAgain, isMain: false }, next];
  }
  if (!state?.outcome || interaction.preview) return [];
  if (state.board.slides === "one") return [{ text: ACTIONS.shuffle, action: () => void shufflePuzzle(), isMain: true }];
  return [{ text: ACTIONS.playAgain, action: restart, isMain: true }, ...coachButtons()];
}

/** Returns the buttons of the coach after a game. They are there from the beginning, so that nothing moves when it has finished. @returns {StatusButton[]} */
function coachButtons() {
  const found = lineReview();
  if (!found) return [];
  const { review: { losses: [worst], hasEnoughValues }, missing, isSearching } = found;
  const own = isSearching || !hasEnoughValues ? null : lossOfPerson(found.review);
  return [
    { text: ACTIONS.seeTurn, action: () => (worst && !missing ? showLoss(worst) : seekTurn()), isMain: false, isDisabled: !worst && !missing },
    { text: ACTIONS.tryMoveAgain, action: () => own && tryMoveAgain(own), isMain: false, isDisabled: own === null },
  ];
}

/** Returns the result of a finished game, and what the coach says about it. @param {State} state */
function endText(state) {
  const found = lineReview();
  const result = resultText(state, progressIn(game.tree));
  if (!found) return result;
  const { review, missing, isSearching } = found;
  return [result, isSearching ? seekingText(missing, review.moves) : coachText(state, review)].filter(Boolean).join(" ");
}

/** @param {State | null} state */
function statusText(state) {
  if (server.status === "unauthorized") return MESSAGES.unauthorized;
  if (server.status === "unavailable") return MESSAGES.unavailable;
  if (server.status === "disconnected") return MESSAGES.disconnected;
  if (!state) return game.error ? engineErrorText(game.error) : MESSAGES.connecting;
  if (interaction.warning) return [interaction.warning.text, interaction.warning.isReminded ? MESSAGES.decideFirst : ""].join(" ").trim();
  if (interaction.choices.length) return MESSAGES.choose;
  const { hint, lesson } = interaction;
  if (lesson) return lossText(state, lesson);
  if (state.outcome && practice.tree !== game.tree) return endText(state);
  if (game.error) return engineErrorText(game.error);
  const hinted = hint?.node === game.tree.current ? state.moves.find((move) => move.move === hint.move) : undefined;
  if (hinted) return t("Hint: {Move}.", { move: instructionText(state, hinted) });
  if (practice.tree === game.tree) return practice.text;
  const next = nextText(state);
  if (interaction.clicks.length) return next;
  return [game.message, next].filter(Boolean).join(" ");
}

/** Returns the side of the person; `null` if both or none have one. */
function ownSide() {
  const { p1, p2 } = game.players;
  return p1 === "person" ? (p2 === "person" ? null : "p1") : p2 === "person" ? "p2" : null;
}

/** Returns what comes next: the prompt for a person, or what the engine or chance does. @param {State} state */
function nextText(state) {
  const player = currentPlayer(state);
  if (canMove() && (player === "person" || interaction.clicks.length)) {
    const prompt = turnPrompt(state, interaction.clicks);
    return state.ply > openingPlies(state) || game.message || interaction.clicks.length ? prompt : `${prompt}\n${winText(state, ownSide())}`.trim();
  }
  if (player === "chance") return game.paused ? MESSAGES.chancePaused : "";
  if (game.paused) return MESSAGES.paused;
  return isEngine(player) ? `${sideToMove(state)} ${server.loadedShare === null ? MESSAGES.thinking : MESSAGES.loading(server.loadedShare)}` : "";
}
