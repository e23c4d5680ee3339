// The moves of the game, variations indented, and the buttons that walk through them.

import { Game } from "../game_tree.js";
import { find, h, set } from "../dom.js";
import { glyph } from "../glyphs.js";
import { page } from "../state.js";
import { advance, back, forth, go, tell } from "../actions.js";
import { DO, LABEL, SAY, signName, worthWords } from "../text.js";
import { given, verdict } from "../value.js";

/** @import { Node } from "../game_tree.js" */

/** Only so many of the last moves of a long game are listed. */
const MOST = 240;

const moves = h("div.moves", { role: "group", "aria-label": LABEL.moves, tabindex: 0 });
const steps = h("div.steps", { role: "toolbar", "aria-label": LABEL.moves });
const typed = /** @type {HTMLInputElement} */ (h("input", { type: "text", "aria-label": DO.type, placeholder: DO.type, autocomplete: "off", spellcheck: "false", autocapitalize: "none" }));
const form = h("form.type", { onsubmit: submit }, typed);
let shown = "";

export function setUp() {
  /** @param {string} name @param {string} label @param {() => void} act */
  const step = (name, label, act) => h("button.square", { type: "button", "aria-label": label, title: label, "data-step": name, onclick: act }, glyph(name));
  steps.append(
    step("first", DO.toStart, () => go(page.game.root)), step("back", DO.back, back),
    step("next", DO.forth, forth), step("last", DO.toEnd, () => { page.game.last(); go(page.game.current); }),
    form,
    h("button.square.tree-tool", { type: "button", "aria-label": DO.promote, title: DO.promote, "data-step": "promote", onclick: () => { page.game.promote(page.game.current); go(page.game.current); } }, glyph("up")),
    h("button.square.tree-tool", { type: "button", "aria-label": DO.remove, title: DO.remove, "data-step": "remove", onclick: () => { const { current } = page.game; page.game.remove(current); go(page.game.current); } }, glyph("close")));
  find("list").append(moves, steps);
}

/** @param {Event} event */
function submit(event) {
  event.preventDefault();
  const word = typed.value.trim();
  const known = page.state?.moves.find((move) => move.move.toLowerCase() === word.toLowerCase());
  if (!known) {
    set(typed, { "aria-invalid": "true" });
    tell(SAY.illegal(word));
    return;
  }
  typed.value = "";
  set(typed, { "aria-invalid": null });
  page.waiting = false;
  advance(known.move);
}

export function focusTyping() {
  typed.focus();
}

/** The signature of what the list shows, so that it is made anew only when it changes. @param {Game} game */
function signature(game) {
  let worths = 0;
  for (const node of game.nodes.values()) if (node.worth) worths += 1 + ("points" in node.worth ? 0 : 1000);
  return `${page.variant}|${game.fen}|${game.changes}|${game.made}|${game.current.id}|${worths}`;
}

export function render() {
  const { game } = page;
  const name = signature(game);
  if (name === shown) return;
  shown = name;
  const held = moves.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement).dataset.node : undefined;
  /** @type {Element[]} */
  const rows = [];
  const line = mainLine(game.root);
  const from = Math.max(0, line.length - MOST);
  const row = h("p.main", {});
  rows.push(row);
  write(line.slice(from), row, rows);
  if (from > 0) row.prepend(h("span.cut", {}, "…"));
  if (!game.root.children.length) row.append(h("span.none", {}, SAY.noMoves));
  moves.replaceChildren(...rows);
  const here = /** @type {HTMLElement | null} */ (moves.querySelector("[aria-current]"));
  if (here) moves.scrollTop = Math.max(0, here.offsetTop - moves.offsetTop - moves.clientHeight / 2);
  if (held !== undefined) /** @type {HTMLElement | null} */ (moves.querySelector(`[data-node="${held}"]`))?.focus({ preventScroll: true });
  for (const tool of steps.querySelectorAll(".tree-tool")) set(tool, { disabled: !game.current.parent });
}

/** The nodes of a line, its first children. @param {Node} root @returns {Node[]} */
function mainLine(root) {
  const nodes = [];
  for (let at = root.children[0]; at; at = at.children[0]) nodes.push(at);
  return nodes;
}

/** Writes a line, and each variation as a block of its own after the move it replaces. @param {Node[]} line @param {Element} row @param {Element[]} rows */
function write(line, row, rows) {
  let at = row;
  let fresh = true;
  for (const node of line) {
    at.append(word(node, fresh), " ");
    fresh = false;
    const others = node.parent?.children.slice(1) ?? [];
    if (node.parent?.children[0] !== node || others.length === 0) continue;
    for (const other of others) {
      const inner = h("p.variation", {});
      const block = h("div.block", {}, inner);
      rows.push(block);
      /** @type {Element[]} */
      const nested = [];
      inner.append(word(other, true), " ");
      write(mainLine(other), inner, nested);
      block.append(...nested);
    }
    at = h("p", { class: row.className });
    rows.push(at);
    fresh = true;
  }
}

/** @param {Node} node @param {boolean} numbered */
function word(node, numbered) {
  const before = node.parent?.state;
  const lost = before ? given(node.parent?.worth ?? null, node.worth, before.turn) : null;
  const sure = node.worth && "end" in node.worth && before ? signName(verdict(node.worth, before.turn)) : "";
  const element = h("button.move", {
    type: "button",
    "data-node": node.id,
    class: `move ${sure}${lost ? " lost" : ""}`,
    title: node.worth && node.state ? worthWords(node.state, node.worth) : null,
    "aria-current": node === page.game.current ? "true" : null,
    onclick: () => go(node),
  }, node.move + (lost ? (lost.lost === "chances" ? "?" : "??") : ""));
  const number = numbered || node.ply % 2 === 1 ? h("span.number", {}, `${node.ply}.`) : null;
  return h("span.ply", {}, number, element);
}
