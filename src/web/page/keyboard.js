// The keys that work everywhere on the page, except in fields for text and numbers.

import { analysisSession, goToEnd, goToNode, redo, restart, stepBack, stepForward, swapSides, undo } from "./actions.js";
import { flipBoard, requestHint, slide } from "./game_panel.js";
import { openGames, openKeys } from "./panel/dialogs.js";
import { focusMoveInput } from "./panel/move_list.js";
import { availableTabs, openTab } from "./panel/tabs.js";
import { game, interaction, notifyChange, preferences, setPreference } from "./state.js";
import { ARROW_KEYS } from "./view/board_keys.js";

/** @type {Record<string, () => void>} */
const ACTIONS_BY_KEY = {
  u: undo,
  r: redo,
  h: requestHint,
  f: flipBoard,
  s: swapSides,
  n: restart,
  m: () => analysisSession.stopEarly(),
  e: () => setPreference("engineOn", !preferences.engineOn),
  g: openGames,
  t: focusMoveInput,
  "?": openKeys,
  Home: () => goToNode(game.tree.root),
  End: goToEnd,
  Escape: () => {
    interaction.clicks = [];
    interaction.choices = [];
    notifyChange();
  },
};

export function setUp() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.matches("select, textarea, input:not([type=checkbox])")) return;
    const action = findAction(event);
    if (!action) return;
    event.preventDefault();
    action();
  });
}

/** @param {KeyboardEvent} event @returns {(() => void) | null} */
function findAction(event) {
  const arrow = ARROW_KEYS[event.key];
  if (arrow && game.state?.board.kind === "tiles") return () => slide(arrow[0]);
  if (event.key === "ArrowLeft") return stepBack;
  if (event.key === "ArrowRight") return stepForward;
  const tab = Number(event.key);
  if (tab >= 1 && tab <= availableTabs().length) return () => openTab(availableTabs()[tab - 1]);
  return ACTIONS_BY_KEY[event.key.length === 1 ? event.key.toLowerCase() : event.key] ?? null;
}
