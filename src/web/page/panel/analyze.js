// The tab Analyse: how many lines, what tables know of every move, where the game was lost.

import { h, keep, say, set, show } from "../dom.js";
import { changed, hasChance, page } from "../state.js";
import { advance, go, prefer } from "../actions.js";
import { DO, LABEL, SAY, ended, moveWorth, signName, solvedWords } from "../text.js";
import { verdict } from "../value.js";
import { button, slider } from "./controls.js";
import { leads, shows } from "./line_preview.js";

const many = slider(LABEL.lines, 1, 8, (value) => prefer("multi", value));
const survey = button(DO.survey, () => {
  page.work = page.work?.kind === "survey" ? null : { kind: "survey", node: page.game.current, at: 0 };
  changed();
}, ".main");
const verdictLine = h("p.solved", {});
const table = h("ol.known", { "aria-label": LABEL.tables });
const history = h("ol.history", { "aria-label": LABEL.graph });
const known = h("div.group", {}, h("h3", {}, LABEL.tables), verdictLine, table);

export function setUp() {
  return h("div.sheet", {}, many.element, h("div.row", {}, survey), known, h("div.group", {}, history));
}

export function render() {
  const { state } = page;
  if (!state) return;
  many.put(page.multi);
  const running = page.work?.kind === "survey";
  const length = page.game.line().length;
  say(/** @type {Element} */ (survey.lastElementChild), running ? `${DO.stop} (${page.work?.at ?? 0} / ${length})` : DO.survey);
  show(survey, !hasChance(state) && state.board.kind !== "tree");
  set(survey, { disabled: length < 2 });
  say(verdictLine, state.solved ? solvedWords(state) : SAY.noTables);
  const moves = state.solved?.moves ?? [];
  keep(table, moves, (one) => one.move, (one) => h("li", {}, shows(h("button.known-move", {
    type: "button",
    onclick: () => { page.waiting = false; advance(one.move); },
  }, h("b", {}), h("span", {})))), (element, one) => {
    const inside = element.firstElementChild;
    leads(inside, [one.move]);
    const sign = signName(verdict({ end: one.verdict, plies: null }, state.turn));
    if (inside.className !== `known-move ${sign}`) inside.className = `known-move ${sign}`;
    say(inside.children[0], one.move);
    say(inside.children[1], moveWorth(one, state.turn));
  });
  exact();
}

/** The exact values over the game: who was winning, how far from the end. */
function exact() {
  const line = page.game.line().flatMap((node) => {
    const { worth, state } = node;
    return worth && "end" in worth && worth.sure && state ? [{ node, worth, state }] : [];
  });
  keep(history, line.length > 1 ? line : [], ({ node }) => node.id, () => h("li", {}, h("button.plain", { type: "button" })), (element, { node, worth, state }) => {
    const button = element.firstElementChild;
    const solved = state.solved ? solvedWords(state).replace("Solved: ", "") : ended(state);
    say(button, `${node.ply}. ${node.move || "start"} · ${solved}`);
    const sign = signName(worth.end === "draw" ? 0 : worth.end === "p1win" ? 1 : -1);
    if (button.className !== `plain ${sign}`) button.className = `plain ${sign}`;
    set(button, { "aria-current": node === page.game.current ? "true" : null });
    button.onclick = () => go(node);
  });
}
