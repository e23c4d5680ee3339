// The left half of the page: the board, who sits at it, the line that says what happens, the buttons beneath.

import { click, spoken } from "./move_clicks.js";
import { find, h, keep, say, set, show } from "./dom.js";
import { glyph } from "./glyphs.js";
import { BoardView } from "./view/board_view.js";
import { icon } from "./view/pieces.js";
import { RiverView } from "./view/river_view.js";
import { TreeView } from "./view/tree_view.js";
import { large, stage } from "./panel/learn.js";
import { changed, hasChance, isEngine, isPuzzle, live, mover, page, start } from "./state.js";
import { advance, again, goOn, mix, redo, thinker, undo } from "./actions.js";
import { DO, LABEL, LEVEL, SAY, capital, crew, ended, instruction, side, task, turn } from "./text.js";

/** @import { State, Move } from "./types.js" */
/** @import { Look } from "./view/board_view.js" */

const board = new BoardView({ click: press, drag, swipe });
const river = new RiverView({ cross: ({ missionaries, cannibals }) => play(page.state?.moves.find((move) => move.crew?.missionaries === missionaries && move.crew?.cannibals === cannibals)) });
const tree = new TreeView({ play: (word) => play(page.state?.moves.find((move) => move.move === word)) });

/** @param {Move | undefined} move */
function play(move) {
  if (move && live()) advance(move.move);
}

/** A place was clicked. @param {string} at */
export function press(at) {
  const { state } = page;
  if (!state || !live()) return;
  page.asking = [];
  const single = state.board.slides === "one" ? state.moves.find((move) => move.from === at) : undefined;
  if (single) return play(single);
  const what = click(state.moves, page.made, at);
  if ("play" in what) return play(what.play);
  if ("ask" in what) page.asking = what.ask;
  else page.made = what.made;
  changed();
}

/** A piece was dragged from one place to another. @param {string} from @param {string} to */
function drag(from, to) {
  if (page.state?.board.kind === "tiles") return play(page.state.moves.find((move) => move.from === from && move.to === to));
  page.made = [from];
  press(to);
}

/** An arrow key or a swipe: all tiles slide that way, or the one tile that can. @param {string} direction */
export function swipe(direction) {
  const { state } = page;
  if (!state || !live()) return;
  if (state.board.slides === "all") return play(state.moves.find((move) => move.move === direction && move.slides));
  const goes = /** @type {Record<string, [number, number]>} */ ({ left: [-1, 0], right: [1, 0], up: [0, 1], down: [0, -1] })[direction];
  play(state.moves.find((move) => move.from && move.to && Math.sign(move.to.charCodeAt(0) - move.from.charCodeAt(0)) === goes[0] && Math.sign(Number(move.to.slice(1)) - Number(move.from.slice(1))) === goes[1]));
}

/** A hint: from the tables at once, else from a search. */
export function hint() {
  const { current } = page.game;
  if (!current.state || current.state.outcome !== null || page.work) return;
  const sure = current.state.solved?.moves[0];
  if (sure) page.hint = { node: current, move: sure.move };
  else page.work = { kind: "hint", node: current, at: 0 };
  changed();
}

/** Whether the board can be turned round. */
function turns() {
  return !page.state || page.state.board.kind === "graph" || page.state.board.kind === "grid";
}

export function flip() {
  if (!turns()) return;
  page.flip = !page.flip;
  changed();
}

/** @type {{ button: HTMLElement, able: () => boolean, shown?: () => boolean }[]} */
const buttons = [];

/** @param {string} name @param {string} text @param {() => void} act @param {() => boolean} able @param {() => boolean} [shown] @param {string} [kind] */
function button(name, text, act, able, shown, kind = "") {
  const element = h(`button${kind}`, { type: "button", "data-do": name, onclick: act }, glyph(name), h("span", {}, text));
  buttons.push({ button: element, able, shown });
  return element;
}

export function setUp() {
  const thinks = () => isEngine(mover(page.state)) && !page.waiting && page.state?.outcome === null;
  const alone = () => isEngine(page.sides.p1) && (isEngine(page.sides.p2) || page.sides.p2 === "chance");
  find("controls").append(
    button("undo", DO.undo, undo, () => page.game.current.parent !== null),
    button("redo", DO.redo, redo, () => page.game.current.children.length > 0, undefined, ".late"),
    button("hint", DO.hint, hint, () => page.link === "open" && page.state?.outcome === null && page.work === null && !(isEngine(mover(page.state)) && !page.waiting), () => !alone() || page.waiting),
    button("now", DO.moveNow, () => thinker.hurry(), () => thinks() && thinker.busy !== null, () => thinks() && !alone()),
    button("stop", DO.stop, () => { page.waiting = true; page.answering = null; changed(); }, thinks, () => alone() && !page.waiting && page.state?.outcome === null),
    button("flip", DO.flip, flip, () => true, turns),
    h("span.gap"),
    button("plus", DO.newGame, again, () => true, undefined, ".late"),
    button("more", DO.more, () => find("panel").scrollIntoView({ behavior: "smooth" }), () => true, undefined, ".narrow"),
  );
}

/** @param {State} state @returns {Look} */
function look(state) {
  const seen = page.preview?.state ?? state;
  const { current } = page.game;
  const last = page.preview ? page.preview.last : current.parent?.state?.moves.find((move) => move.move === current.move) ?? null;
  const known = page.colours && !page.preview && state.solved && live() && !hasChance(state) ? new Map(state.solved.moves.map((one) => [one.move, one])) : null;
  return { state: seen, made: page.preview ? [] : page.made, last, colours: known, arrows: page.preview ? [] : pointed(state), names: page.names, flip: page.flip, live: live(), preview: page.preview !== null, picture: page.picture, hasty: isEngine(page.sides.p1) && page.pace < 150 };
}

/** The moves that arrows point at: a hint, or what the engine thinks of. @param {State} state */
function pointed(state) {
  const { current } = page.game;
  /** @param {string} word */
  const named = (word) => state.moves.find((move) => move.move === word);
  /** @type {Look["arrows"]} */
  const arrows = [];
  if (page.engineOn && page.linesOf === current && state === current.state) {
    page.lines.slice(0, 3).forEach((line, at) => {
      const move = named(line?.moves[0] ?? "");
      if (move) arrows.unshift({ move, weight: 1 - at * 0.4, kind: at ? "other" : "best" });
    });
  }
  const hinted = page.hint?.node === current ? named(page.hint.move) : undefined;
  if (hinted) arrows.push({ move: hinted, weight: 1, kind: "hint" });
  return arrows;
}

export function render() {
  const { state } = page;
  const title = state?.title ?? start()?.title ?? "Puli";
  say(find("title"), title);
  if (document.title !== `${title} · Puli`) document.title = `${title} · Puli`;
  if (state) {
    const view = state.board.kind === "river" ? river : state.board.kind === "tree" ? tree : board;
    const element = large() ? stage : view.element;
    if (find("board").firstElementChild !== element) find("board").replaceChildren(element);
    view.show(look(state));
    seat(find("above"), state, page.flip ? "p1" : "p2");
    seat(find("below"), state, page.flip ? "p2" : "p1");
  }
  status(state);
  for (const { button, shown, able } of buttons) {
    show(button, shown?.() ?? true);
    set(button, { disabled: !able() });
  }
}

/** Who plays a side, what he has in hand, what was captured of the other's. @param {HTMLElement} place @param {State} state @param {"p1" | "p2"} player */
function seat(place, state, player) {
  const solo = isPuzzle(state) || (hasChance(state) && player === "p2");
  show(place, !solo);
  if (solo) return;
  const hand = state.hand.filter((one) => one.player === player);
  const taken = state.captured.filter((one) => one.player !== player);
  const who = page.sides[player];
  const kind = state.pieces.find((piece) => piece.player === player)?.kind ?? hand[0]?.kind ?? (state.board.kind === "grid" ? (player === "p1" ? "X" : "O") : "");
  const name = JSON.stringify([state.variant, player, who, hand, taken, state.score, kind]);
  place.classList.toggle("turn", state.outcome === null && (state.turn === player));
  if (place.dataset.shows === name) return;
  place.dataset.shows = name;
  const tallies = [
    ...hand.map((one) => h("span", {}, "in hand ", h("b", {}, one.count))),
    ...taken.map((one) => h("span", {}, "captured ", h("b", {}, one.count), one.wins === null ? "" : ` of ${one.wins}`)),
    ...(hasChance(state) ? [h("span", {}, `${LABEL.score} `, h("b", {}, state.score ?? 0))] : []),
  ];
  place.replaceChildren(
    ...(["hunter", "prey", "X", "O"].includes(kind) ? [icon(state, kind, player)] : []),
    h("span.name", {}, capital(side(state, player))),
    h("span.who", {}, who === "person" ? LABEL.person : `${LABEL.engine}, ${LEVEL[who]?.[0] ?? who}`),
    h("span.tally", {}, ...tallies));
}

/** @param {State | null} state */
function status(state) {
  const line = find("line");
  line.className = page.warning || page.link === "gone" || page.link === "key" ? "warns" : state?.outcome ? "over" : "";
  say(find("status"), sentence(state));
  /** @type {[string, () => void, boolean][]} */
  let answers = [];
  if (page.warning) answers = [[SAY.takeBack, undo, true], [SAY.playOn, goOn, false]];
  else if (state && page.asking.length) answers = page.asking.map((move) => [instruction(state, move), () => play(move), false]);
  else if (page.link === "open" && page.waiting && state?.outcome === null && mover(state) !== "person") answers = [[SAY.goOn, goOn, true]];
  else if (state?.outcome && !page.preview) answers = [state.board.slides === "one" ? [DO.shuffle, () => void mix(), true] : [DO.newGame, again, true]];
  keep(find("answers"), answers, ([text]) => text, ([text, , main]) => h(main ? "button.main" : "button", { type: "button" }, text), (element, [, act]) => { element.onclick = act; });
  const words = state && live() && state.board.kind !== "tree" ? spoken(state.moves) : [];
  const crews = state && live() && state.board.kind === "river" ? state.moves : [];
  keep(find("spoken"), [...words, ...crews], (move) => move.move, (move) => h("button", { type: "button", "data-move": move.move }, move.crew ? crew(move.crew) : capital(move.move)), (element, move) => { element.onclick = () => play(move); });
}

/** The one line under the board. @param {State | null} state */
function sentence(state) {
  if (page.link === "key") return SAY.noToken;
  if (page.link === "gone") return SAY.gone;
  if (!state) return page.wrong || SAY.connecting;
  if (page.warning) return page.warning.text;
  if (page.asking.length) return SAY.choose;
  if (state.outcome) return ended(state);
  if (page.wrong) return capital(page.wrong);
  if (page.hint?.node === page.game.current) {
    const move = state.moves.find((one) => one.move === page.hint?.move);
    if (move) return `${DO.hint}: ${instruction(state, move)}.`;
  }
  const next = live() ? task(state, page.made) : mover(state) === "chance" ? (page.waiting ? SAY.chanceWaits : "") : page.waiting ? SAY.paused : isEngine(mover(state)) ? `${turn(state)}. ${SAY.thinking}` : "";
  if (page.made.length) return next;
  return [page.news, next].filter(Boolean).join(" ");
}
