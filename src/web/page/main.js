// The start of the page: it takes the key out of the address, loads the list of games and opens the game in the address.

import { connect, followHistory, loadState, openAddress, updateAnalysisTarget } from "./actions.js";
import { parse } from "./address.js";
import * as coach from "./coach.js";
import { loadDrawnBoard } from "./drawn_board.js";
import { byId, setAttributes } from "./dom.js";
import * as gamePanel from "./game_panel.js";
import { glyph } from "./glyphs.js";
import * as keyboard from "./keyboard.js";
import { addressLanguage } from "./language.js";
import * as dialogs from "./panel/dialogs.js";
import * as engine from "./panel/engine.js";
import { endDetachedPreview } from "./panel/line_preview.js";
import * as moveList from "./panel/move_list.js";
import * as tabs from "./panel/tabs.js";
import * as practiceSession from "./practice_session.js";
import * as solveGame from "./solve_game.js";
import * as sound from "./sound.js";
import { game, notifyChange, onChange, preferences, server, setPreference } from "./state.js";
import { saveTab } from "./tab_state.js";
import { ACTIONS } from "./text.js";
import { fetchGames, setKey } from "./transport.js";
import * as valueGraph from "./value_graph.js";

/** The delay before the list of games is requested again. */
const RETRY_DELAY_MS = 1000;

const systemIsDark = matchMedia("(prefers-color-scheme: dark)");

/** Applies the theme of the preferences, or of the system. */
function applyTheme() {
  const isDark = preferences.theme === "system" ? systemIsDark.matches : preferences.theme === "dark";
  document.documentElement.classList.toggle("dark", isDark);
  const button = byId("theme");
  const label = isDark ? ACTIONS.light : ACTIONS.dark;
  if (button.getAttribute("aria-label") === label) return;
  setAttributes(button, { "aria-label": label, title: label });
  button.replaceChildren(glyph(isDark ? "sun" : "moon"));
}

function render() {
  solveGame.update();
  practiceSession.update();
  coach.update();
  updateAnalysisTarget();
  applyTheme();
  for (const part of [gamePanel, valueGraph, engine, tabs, moveList]) part.render();
  endDetachedPreview();
  sound.render();
  if (game.state) saveTab();
  loadNextState();
}

/** Loads the next missing state of the current line, for example after a reload. */
function loadNextState() {
  const node = server.status === "open" ? game.tree.currentLine().find((one) => !one.state && (one.parent?.state || !one.parent)) : undefined;
  if (node && node !== game.tree.current) void loadState(node).then((state) => state && notifyChange());
}

/** Returns the games of the server. Repeats the request until the server answers. */
async function fetchVariants() {
  for (;;) {
    try {
      const games = await fetchGames();
      if (games) return games.variants;
    } catch {
      // The server does not answer.
    }
    server.status = "disconnected";
    notifyChange();
    await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS));
  }
}

async function startPage() {
  const { token } = parse(location.hash);
  if (token !== null) {
    setKey(token);
    history.replaceState(history.state, "", location.hash.replace(/[#&]token=[^&]*/, "").replace(/^&/, "#") || location.pathname);
  }
  for (const part of [gamePanel, valueGraph, engine, tabs, moveList, dialogs, keyboard]) part.setUp();
  byId("theme").onclick = () => setPreference("theme", document.documentElement.classList.contains("dark") ? "light" : "dark");
  systemIsDark.addEventListener("change", notifyChange);
  document.addEventListener("visibilitychange", notifyChange);
  onChange(render);
  addEventListener("pagehide", () => game.state && saveTab());
  applyTheme();
  server.variants = await fetchVariants();
  loadDrawnBoard(server.variants.map(({ variant }) => variant));
  server.status = "connecting";
  followHistory(dialogs.showAgain);
  openAddress();
  connect();
  addEventListener("hashchange", ({ newURL }) => {
    const { token: newToken, lang } = parse(new URL(newURL).hash);
    if (newToken === null && (!lang || lang === addressLanguage)) return;
    if (newToken !== null) setKey(newToken);
    history.replaceState(history.state, "", newURL);
    location.reload();
  });
}

void startPage();
