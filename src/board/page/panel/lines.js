// A line of the engine looked at on the board, or played.

import { position } from "../jobs.js";
import { changed, page } from "../page.js";
import { advance, asker, learn } from "../play.js";


let wish = 0;

/** Shows the position after these moves. @param {string[]} moves */
export async function looked(moves) {
  const mine = ++wish;
  const node = page.game.current;
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

export function unlooked() {
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
