// Previews of engine lines: a button shows the position after its moves while it has the pointer or the focus.

import { fetchState, loadState, playMove } from "../actions.js";
import { setAttributes } from "../dom.js";
import { positionArgument } from "../jobs.js";
import { game, interaction, notifyChange } from "../state.js";

/** @import { GameNode } from "../game_tree.js" */

/** The moves of a button, from a position. @typedef {{ node: GameNode, moves: string[] }} PreviewTarget */

/** @type {WeakMap<Element, PreviewTarget>} */
const targets = new WeakMap();
/** The button whose preview is shown. @type {Element | null} */
let activeButton = null;
/** The number of the last preview. A reply to an earlier one is dropped. */
let lastRequest = 0;

/**
 * Makes a button show its preview while it has the pointer or the focus. A button that appears under a pointer at rest shows
 * nothing until the pointer moves.
 * @template {Element} T
 * @param {T} button
 * @returns {T}
 */
export function previewOnHover(button) {
  setAttributes(button, { onpointermove: () => button === activeButton || startPreview(button), onpointerleave: endPreview, onfocus: () => startPreview(button), onblur: endPreview });
  return button;
}

/** Sets the moves of a button. A preview that is shown follows, unless the game has moved on. @param {Element} button @param {string[]} moves */
export function setPreviewMoves(button, moves) {
  const node = game.tree.current;
  const old = targets.get(button);
  if (old && old.node === node && old.moves.join(" ") === moves.join(" ")) return;
  targets.set(button, { node, moves });
  if (button !== activeButton) return;
  if (old?.node === node) startPreview(button);
  else endPreview();
}

/** Ends the preview of a button that was removed. No pointer event reports that. */
export function endDetachedPreview() {
  if (activeButton && !activeButton.isConnected) endPreview();
}

/** @param {Element} button */
function startPreview(button) {
  activeButton = button;
  const target = targets.get(button);
  if (target) void showPreview(target);
}

/** @param {PreviewTarget} target */
async function showPreview({ node, moves }) {
  const request = ++lastRequest;
  const position = positionArgument(node);
  /** @param {string[]} played */
  const after = (played) => (played.length ? `${position}${position.includes(" moves ") ? "" : " moves"} ${played.join(" ")}` : position);
  try {
    const before = moves.length > 1 ? await fetchState(game.variant, after(moves.slice(0, -1))) : node.state;
    const state = await fetchState(game.variant, after(moves));
    if (request !== lastRequest || game.tree.current !== node) return;
    interaction.preview = { state, lastMove: before?.moves.find((move) => move.move === moves.at(-1)) ?? null };
    notifyChange();
  } catch {
    // The line belongs to an earlier position.
  }
}

function endPreview() {
  activeButton = null;
  lastRequest++;
  if (!interaction.preview) return;
  interaction.preview = null;
  notifyChange();
}

/** Plays all moves of a line. @param {string[]} moves */
export async function playLine(moves) {
  endPreview();
  for (const [at, move] of moves.entries()) {
    const node = game.tree.current;
    if (!node.state) await loadState(node);
    if (at === 0) game.paused = true;
    playMove(move);
    await loadState(game.tree.current);
    game.paused = at < moves.length - 1;
  }
  notifyChange();
}
