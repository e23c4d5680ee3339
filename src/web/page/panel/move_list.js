// The list of moves with indented variations, the buttons that step through it, and the field for a typed move.

import { goToEnd, goToNode, playMove, showMessage, stepBack, stepForward } from "../actions.js";
import { byId, html, setAttributes } from "../dom.js";
import { game } from "../state.js";
import { findReliableLoss } from "../loss.js";
import { ACTIONS, LABELS, MESSAGES, captureText, outcomeName, valueText } from "../text.js";
import { outcomeSign } from "../value.js";
import { iconButton } from "./controls.js";

/** @import { GameNode, GameTree } from "../game_tree.js" */

/** Maximum number of listed moves of the main line. Of longer games those around the current move are listed. */
const MAX_LISTED_MOVES = 240;

const list = html("div.moves", { role: "group", "aria-label": LABELS.moves, tabindex: 0 });
const steps = html("div.steps", { role: "toolbar", "aria-label": LABELS.steps });
const moveInput = /** @type {HTMLInputElement} */ (html("input", { type: "text", "aria-label": ACTIONS.typeMove, placeholder: ACTIONS.typeMove, autocomplete: "off", spellcheck: "false", autocapitalize: "none" }));
const form = html("form.type", { onsubmit: submitMove }, moveInput);
const promoteButton = iconButton("step", "promote", ACTIONS.promote, promote, "up");
const removeButton = iconButton("step", "remove", ACTIONS.remove, remove, "close");
let shownKey = "";

export function setUp() {
  steps.append(
    iconButton("step", "first", ACTIONS.toStart, () => goToNode(game.tree.root)), iconButton("step", "back", ACTIONS.back, stepBack),
    iconButton("step", "next", ACTIONS.forward, stepForward), iconButton("step", "last", ACTIONS.toEnd, goToEnd),
    form, promoteButton, removeButton);
  byId("list").append(list, steps);
  new ResizeObserver(showCurrent).observe(list);
}

/** Scrolls the list to the current move, also when the size of the window changes. */
function showCurrent() {
  const current = /** @type {HTMLElement | null} */ (list.querySelector("[aria-current]"));
  if (current) list.scrollTop = current.offsetTop - list.clientHeight / 2;
}

function promote() {
  game.tree.promote(game.tree.current);
  goToNode(game.tree.current);
}

function remove() {
  game.tree.remove(game.tree.current);
  goToNode(game.tree.current);
}

/** Plays the typed move, or reports that it is illegal. @param {Event} event */
function submitMove(event) {
  event.preventDefault();
  const text = moveInput.value.trim();
  const move = game.state?.moves.find((one) => one.move.toLowerCase() === text.toLowerCase());
  setAttributes(moveInput, { "aria-invalid": move ? null : "true" });
  if (!move) return showMessage(MESSAGES.illegal(text));
  moveInput.value = "";
  game.paused = false;
  playMove(move.move);
}

export function focusMoveInput() {
  moveInput.focus();
}

/** Returns a key that changes with the content of the list. @param {GameTree} tree */
function contentKey(tree) {
  let values = 0;
  for (const { value } of tree.nodes.values()) if (value) values += 1 + ("points" in value ? 0 : 1000);
  return `${game.variant}|${tree.fen}|${tree.changeCount}|${tree.nextId}|${tree.current.id}|${values}`;
}

export function render() {
  const { state, tree } = game;
  const firstMoveText = state ? [captureText(state), MESSAGES.noMoves].filter(Boolean).join(" ") : "";
  const key = contentKey(tree) + (tree.root.children.length ? "" : firstMoveText);
  if (key === shownKey) return;
  shownKey = key;
  const focusedNode = list.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement).dataset.node : undefined;
  /** @type {Element[]} */
  const rows = [];
  const line = mainLine(tree.root);
  const path = new Set(tree.path());
  const middle = line.findLastIndex((node) => path.has(node)) - MAX_LISTED_MOVES / 2;
  const start = Math.max(0, Math.min(middle, line.length - MAX_LISTED_MOVES));
  const row = html("p.main", {});
  if (tree.root.comment) rows.push(html("p.comment", {}, tree.root.comment));
  rows.push(row);
  writeLine(line.slice(start, start + MAX_LISTED_MOVES), row, rows);
  if (start > 0) row.prepend(html("span.cut", {}, "… "));
  if (start + MAX_LISTED_MOVES < line.length) rows.push(html("p.cut", {}, "…"));
  if (!tree.root.children.length) row.append(html("span.none", {}, firstMoveText));
  list.replaceChildren(...rows);
  showCurrent();
  if (focusedNode !== undefined) /** @type {HTMLElement | null} */ (list.querySelector(`[data-node="${focusedNode}"]`))?.focus({ preventScroll: true });
  for (const tool of [promoteButton, removeButton]) setAttributes(tool, { disabled: !tree.current.parent });
}

/** Returns the main line below a node. @param {GameNode} root @returns {GameNode[]} */
function mainLine(root) {
  const nodes = [];
  for (let at = root.children[0]; at; at = at.children[0]) nodes.push(at);
  return nodes;
}

/** Writes a line into `row`. Each variation becomes a block after the move that it replaces. @param {GameNode[]} line @param {Element} row @param {Element[]} rows */
function writeLine(line, row, rows) {
  let current = row;
  let isRowStart = true;
  for (const node of line) {
    current.append(moveButton(node, isRowStart), " ");
    isRowStart = false;
    const variations = node.parent?.children.slice(1) ?? [];
    if (node.parent?.children[0] !== node || variations.length === 0) continue;
    for (const variation of variations) {
      const inner = html("p.variation", {});
      const block = html("div.block", {}, inner);
      rows.push(block);
      /** @type {Element[]} */
      const nested = [];
      inner.append(moveButton(variation, true), " ");
      writeLine(mainLine(variation), inner, nested);
      block.append(...nested);
    }
    current = html("p", { class: row.className });
    rows.push(current);
    isRowStart = true;
  }
}

/** Creates the button of a move. `??` marks a lost win or draw, `?` a loss between estimates. @param {GameNode} node @param {boolean} isRowStart */
function moveButton(node, isRowStart) {
  const before = node.parent?.state;
  const loss = findReliableLoss(node);
  const outcome = node.value && "outcome" in node.value && before ? outcomeName(outcomeSign(node.value, before.turn)) : "";
  const element = html("button.move", {
    type: "button",
    "data-node": node.id,
    class: `move ${outcome}${loss ? " lost" : ""}`,
    title: node.value && node.state ? valueText(node.state, node.value) : null,
    "aria-current": node === game.tree.current ? "true" : null,
    onclick: () => goToNode(node),
  }, node.move + (loss ? (loss.lost === "chances" ? "?" : "??") : ""));
  const number = isRowStart || node.ply % 2 === 1 ? html("span.number", {}, `${node.ply}.`) : null;
  return html("span.ply", {}, number, element, node.comment && html("span.comment", {}, node.comment));
}
