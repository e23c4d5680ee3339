// The page begins here: takes its key out of the address, learns which games there are, and shows the first one.

import { parse } from "./address.js";
import { find, set } from "./dom.js";
import { glyph } from "./glyphs.js";
import * as graph from "./value_graph.js";
import * as keyboard from "./keyboard.js";
import { changed, onChange, page } from "./state.js";
import * as dialogs from "./panel/dialogs.js";
import * as engine from "./panel/engine.js";
import { forget } from "./panel/line_preview.js";
import * as list from "./panel/move_list.js";
import * as tabs from "./panel/tabs.js";
import { connect, consider, learn, open, prefer } from "./actions.js";
import { key } from "./socket.js";
import * as session from "./tab_state.js";
import * as sound from "./sound.js";
import * as table from "./game_panel.js";
import { DO } from "./text.js";

const dark = matchMedia("(prefers-color-scheme: dark)");

/** Light or dark: as the system has it, or as the switch says. */
function theme() {
  const now = page.theme === "system" ? (dark.matches ? "dark" : "light") : page.theme;
  document.documentElement.classList.toggle("dark", now === "dark");
  const button = find("theme");
  const label = now === "dark" ? DO.light : DO.dark;
  if (button.getAttribute("aria-label") === label) return;
  set(button, { "aria-label": label, title: label });
  button.replaceChildren(glyph(now === "dark" ? "sun" : "moon"));
}

function render() {
  consider();
  theme();
  table.render();
  graph.render();
  engine.render();
  tabs.render();
  list.render();
  forget();
  sound.render();
  if (page.state) session.keep();
  // Positions of the line that were never looked at, as after a reload, are learned one by one.
  const unknown = page.link === "open" ? page.game.line().find((node) => !node.state && (node.parent?.state || !node.parent)) : undefined;
  if (unknown && unknown !== page.game.current) void learn(unknown).then((state) => state && changed());
}

async function variants() {
  for (;;) {
    try {
      const answer = await fetch("variants.json");
      if (answer.ok) return (await answer.json()).variants;
    } catch {
      // The server is not there yet.
    }
    page.link = "gone";
    changed();
    await new Promise((again) => setTimeout(again, 1000));
  }
}

async function begin() {
  const { token } = parse(location.hash);
  if (token !== null) {
    key.set(token);
    history.replaceState(null, "", location.hash.replace(/[#&]token=[^&]*/, "").replace(/^&/, "#") || location.pathname);
  }
  for (const part of [table, graph, engine, tabs, list, dialogs, keyboard]) part.setUp();
  find("theme").onclick = () => prefer("theme", document.documentElement.classList.contains("dark") ? "light" : "dark");
  dark.addEventListener("change", changed);
  document.addEventListener("visibilitychange", changed);
  onChange(render);
  addEventListener("pagehide", () => page.state && session.keep());
  theme();
  page.variants = await variants();
  page.link = "connecting";
  open();
  connect();
  addEventListener("hashchange", () => {
    const { token: other } = parse(location.hash);
    if (other !== null) {
      key.set(other);
      location.reload();
    } else open();
  });
}

void begin();
