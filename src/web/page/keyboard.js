// The keys that work anywhere on the page but where text is typed.

import { ARROWS } from "./view/board_keys.js";
import { find } from "./dom.js";
import { changed, page } from "./state.js";
import { again, back, forth, go, prefer, redo, swap, thinker, undo } from "./actions.js";
import { games, keys } from "./panel/dialogs.js";
import { focusTyping } from "./panel/move_list.js";
import { choose, fitting } from "./panel/tabs.js";
import { flip, hint, swipe } from "./game_panel.js";

/** @type {Record<string, () => void>} */
const KEYS = {
  u: undo,
  r: redo,
  h: hint,
  f: flip,
  s: swap,
  n: again,
  m: () => thinker.hurry(),
  e: () => prefer("engineOn", !page.engineOn),
  g: games,
  t: focusTyping,
  "?": keys,
  Home: () => go(page.game.root),
  End: () => {
    page.game.last();
    go(page.game.current);
  },
  Escape: () => {
    page.made = [];
    page.asking = [];
    changed();
  },
};

export function setUp() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || /** @type {HTMLDialogElement} */ (find("dialog")).open) return;
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.matches("select, textarea, input:not([type=checkbox])")) return;
    const act = action(event);
    if (!act) return;
    event.preventDefault();
    act();
  });
}

/** @param {KeyboardEvent} event @returns {(() => void) | null} */
function action(event) {
  const arrow = ARROWS[event.key];
  if (arrow && page.state?.board.kind === "tiles") return () => swipe(arrow[0]);
  if (event.key === "ArrowLeft") return back;
  if (event.key === "ArrowRight") return forth;
  const tab = Number(event.key);
  if (tab >= 1 && tab <= fitting().length) return () => choose(fitting()[tab - 1]);
  return KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key] ?? null;
}
