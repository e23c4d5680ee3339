// A line of the engine looked at on the board, or played.

import { set } from "../dom.js";
import { position } from "../jobs.js";
import { changed, page } from "../state.js";
import { advance, asker, learn } from "../actions.js";

/** @import { Node } from "../game_tree.js" */

/** @typedef {{ node: Node, moves: string[] }} Way the moves from a position that a button stands for */

/** @type {WeakMap<Element, Way>} */
const ways = new WeakMap();
/** The button that is looked at. @type {Element | null} */
let watched = null;
let wish = 0;

/** Has a button show where it leads while it is pointed at or has the keyboard. @template {Element} T @param {T} button @returns {T} */
export function shows(button) {
  set(button, { onpointerenter: () => look(button), onpointerleave: unlooked, onfocus: () => look(button), onblur: unlooked });
  return button;
}

/** Says to which moves a button leads; whoever looks at it sees them at once, in another position after looking anew. @param {Element} button @param {string[]} moves */
export function leads(button, moves) {
  const node = page.game.current;
  const old = ways.get(button);
  if (old && old.node === node && old.moves.join(" ") === moves.join(" ")) return;
  ways.set(button, { node, moves });
  if (button !== watched) return;
  if (old?.node === node) look(button);
  else unlooked();
}

/** Ends the look at a button that is gone: no pointer is said to leave what is not there. */
export function forget() {
  if (watched && !watched.isConnected) unlooked();
}

/** @param {Element} button */
function look(button) {
  const way = ways.get(button);
  watched = button;
  if (way) void looked(way);
}

/** Shows the position after these moves. @param {Way} way */
async function looked({ node, moves }) {
  const mine = ++wish;
  const where = position(node);
  const upTo = moves.slice(0, -1);
  /** @param {string[]} words */
  const after = (words) => (words.length ? (where.includes(" moves ") ? `${where} ${words.join(" ")}` : `${where} moves ${words.join(" ")}`) : where);
  try {
    const before = upTo.length ? await asker.state(page.variant, after(upTo)) : node.state;
    const state = await asker.state(page.variant, after(moves));
    if (mine !== wish || page.game.current !== node) return;
    page.preview = { state, last: before?.moves.find((move) => move.move === moves[moves.length - 1]) ?? null };
    changed();
  } catch {
    // A line of a position that is gone: nothing to show.
  }
}

function unlooked() {
  watched = null;
  wish++;
  if (!page.preview) return;
  page.preview = null;
  changed();
}

/** Plays these moves, one after the other. @param {string[]} moves */
export async function whole(moves) {
  unlooked();
  for (const [at, move] of moves.entries()) {
    const node = page.game.current;
    if (!node.state) await learn(node);
    if (at === 0) page.waiting = true;
    advance(move);
    await learn(page.game.current);
    page.waiting = at < moves.length - 1;
  }
  changed();
}
