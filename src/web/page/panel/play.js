// The tab Play: who sits where, how strong the engine is, what the board shows.

import { find, h, keep, say, show } from "../dom.js";
import { glyph } from "../glyphs.js";
import { LEVELS, LIMITS, OWN } from "../levels.js";
import { changed, hasChance, isEngine, isPuzzle, page } from "../state.js";
import { again, begin, go, prefer, seat, swap } from "../actions.js";
import { DO, LABEL, LEVEL, LIMIT, SAY, capital, lossWords, rates, reviewHead, side } from "../text.js";
import { review } from "../review.js";
import { autoFirst, button, choice, field, fill, slider, toggle } from "./controls.js";
import { shuffler } from "./shuffle.js";

/** @import { State } from "../types.js" */

const first = choice("", [], (who) => seat("p1", who));
const second = choice("", [], (who) => seat("p2", who));
const about = h("p.hint", {});
const swapper = button(DO.swap, swap, "", glyph("swap"));
const limit = choice(LABEL.limit, Object.entries(LIMIT).map(([name, [text]]) => [name, text]), (name) => own({ limit: name, amount: LIMITS[/** @type {"depth"} */ (name)].first }));
const amount = field(LABEL.amount, "number", { onchange: () => own({ amount: within(Number(amount.input.value)) }) });
const errs = choice(LABEL.errs, [["0", "never"], ["2", "2 moves"], ["3", "3 moves"], ["5", "5 moves"], ["10", "10 moves"], ["20", "20 moves"]], (value) => own({ errs: Number(value) }));
const algorithm = choice(LABEL.algorithm, [], (name) => own({ algorithm: name }));
const ownLevel = h("div.own", {}, limit.element, amount.element, errs.element, algorithm.element);
const pace = slider(LABEL.speed, 0, 10, (value) => { page.pace = PACES[value]; changed(); }, (value) => PACE_WORDS[value]);
const warn = toggle(LABEL.warn, (on) => prefer("warn", on));
const colours = toggle(LABEL.colours, (on) => prefer("colours", on));
const names = toggle(LABEL.names, (on) => prefer("names", on));
const sound = toggle(LABEL.sound, (on) => prefer("sound", on));
const auto = button(DO.auto, () => { seat("p1", page.sides.p1 === "person" ? "quick" : "person"); }, ".main", glyph("play"));
const run = h("p.hint.rates", {});
const sizes = sizer();
const shuffle = shuffler();
const summary = h("div.summary", {}, h("h2", {}, LABEL.summary), h("p", {}), h("ol", {}));
const seats = h("div.seats", {}, first.element, second.element);
const settings = h("div.checks", {}, warn.element, colours.element, names.element, sound.element);

/** Milliseconds between moves, from slow to as quick as can be. */
const PACES = [3000, 2000, 1500, 1000, 700, 400, 250, 150, 80, 30, 0];
const PACE_WORDS = ["3 s a move", "2 s a move", "1.5 s", "1 s", "0.7 s", "0.4 s", "¼ s", "0.15 s", "0.08 s", "0.03 s", "at once"];

/** @param {Partial<typeof page.own>} part */
function own(part) {
  prefer("own", { ...page.own, ...part });
}

/** @param {number} value */
function within(value) {
  const { least, most } = LIMITS[/** @type {"depth"} */ (page.own.limit)];
  return Math.min(most, Math.max(least, Math.round(value) || least));
}

export function setUp() {
  return h("div.sheet", {}, summary, seats, h("div.row", {}, swapper, auto, button(DO.newGame, again, "", glyph("plus"))), about, ownLevel, pace.element, run, shuffle.element, sizes.element, settings,
    h("div.row.elsewhere", {}, ...["position", "share", "keys"].map((name) => button(/** @type {Record<string, string>} */ (DO)[name], () => find(name).click()))));
}

/** The board's size, where lines are made. */
function sizer() {
  const rows = field(LABEL.rows, "number", { min: 1, max: 19 });
  const columns = field(LABEL.columns, "number", { min: 1, max: 19 });
  const length = field(LABEL.inARow, "number", { min: 1, max: 19 });
  const element = h("form.own.sizes", { onsubmit: (/** @type {Event} */ event) => {
    event.preventDefault();
    const [m, n, k] = [rows, columns, length].map((one) => Math.min(19, Math.max(1, Math.round(Number(one.input.value)) || 1)));
    begin({ fen: `${m} ${n} ${Math.min(k, Math.max(m, n))} ${Array.from({ length: m }, () => n).join("/")} x` });
  } }, rows.element, columns.element, length.element, h("button", {}, DO.newGame));
  return { element, rows: rows.input, columns: columns.input, length: length.input };
}

export function render() {
  const { state } = page;
  if (!state) return;
  const puzzle = isPuzzle(state);
  const chance = hasChance(state);
  const tree = state.board.kind === "tree";
  show(seats, !puzzle);
  show(swapper, !puzzle && !chance);
  show(auto, chance);
  say(/** @type {Element} */ (auto.lastElementChild), isEngine(page.sides.p1) ? DO.stop : DO.auto);
  /** @type {[string, string][]} */
  const engines = [...LEVELS.map((one) => one.name), OWN].map((name) => [name, `${LABEL.engine}: ${LEVEL[name][0]}`]);
  /** @type {[string, string][]} */
  const people = [["person", LABEL.person], ...engines];
  for (const [control, player] of /** @type {const} */ ([[first, "p1"], [second, "p2"]])) {
    say(/** @type {Element} */ (control.element.firstElementChild), capital(side(state, player)));
    fill(control.input, chance && player === "p2" ? [["chance", LABEL.chance], ["worst", LABEL.worst], ["person", LABEL.placed]] : people);
    if (control.input.value !== page.sides[player]) control.input.value = page.sides[player];
  }
  const levels = [page.sides.p1, page.sides.p2].filter((who) => isEngine(who) && who !== "worst");
  show(about, !puzzle && levels.length > 0);
  say(about, [...new Set(levels)].map((who) => `${capital(LEVEL[who]?.[0] ?? "")}: ${LEVEL[who]?.[1] ?? ""}.`).join(" "));
  show(ownLevel, levels.includes(OWN));
  if (limit.input.value !== page.own.limit) limit.input.value = page.own.limit;
  if (document.activeElement !== amount.input) amount.input.value = String(page.own.amount);
  errs.input.value = String(page.own.errs);
  fill(algorithm.input, autoFirst(state.algorithms).map((name) => [name, name]));
  algorithm.input.value = page.own.algorithm;
  const alone = isEngine(page.sides.p1) && (isEngine(page.sides.p2) || chance);
  show(pace.element, alone || chance);
  pace.put(Math.max(0, PACES.indexOf(page.pace)));
  show(run, chance);
  if (chance) {
    const score = state.score ?? 0;
    if (score > page.run.best) prefer2048(score);
    if (state.outcome === null && page.run.began) page.run.seconds = (performance.now() - page.run.began) / 1000;
    say(run, rates({ ...page.run, score }));
  }
  warn.input.checked = page.warn;
  colours.input.checked = page.colours;
  names.input.checked = page.names;
  sound.input.checked = page.sound;
  show(warn.element, !puzzle && !chance && !tree);
  show(colours.element, !puzzle && !chance && !tree);
  show(names.element, state.board.kind === "graph" || state.board.kind === "grid");
  show(shuffle.element, puzzle && state.board.kind === "tiles");
  shuffle.render();
  show(sizes.element, state.board.kind === "grid");
  if (!sizes.element.contains(document.activeElement)) {
    sizes.rows.value = String(state.board.rows ?? 3);
    sizes.columns.value = String(state.board.columns ?? 3);
    sizes.length.value = String(state.board.length ?? 3);
  }
  summarise(state);
}

/** @param {number} score */
function prefer2048(score) {
  page.run.best = score;
  try {
    localStorage.setItem("puli.best2048", String(score));
  } catch {
    // Remembered until the page is closed.
  }
}

/** What decided the game, once it is over. @param {State} state */
function summarise(state) {
  const over = state.outcome !== null && !isPuzzle(state) && !hasChance(state) && state.board.kind !== "tree";
  show(summary, over);
  if (!over) return;
  const line = page.game.line();
  const found = review(line);
  say(/** @type {Element} */ (summary.children[1]), found.judged ? reviewHead(state, found) : SAY.notJudged);
  keep(/** @type {Element} */ (summary.children[2]), found.judged ? found.losses : [], ({ node }) => node.id, () => h("li", {}, h("button.plain", { type: "button" })), (element, loss) => {
    const before = loss.node.parent;
    if (!before?.state) return;
    say(element.firstElementChild, lossWords(before.state, loss));
    element.firstElementChild.onclick = () => go(before);
  });
}
