// The tabs of the panel. Only those that fit the game are shown.

import { byId, html, setAttributes, setShown } from "../dom.js";
import { canBePracticed } from "../practice_session.js";
import { display, game, isPuzzle, notifyChange } from "../state.js";
import { TAB_LABELS } from "../text.js";
import * as analyze from "./analyze.js";
import * as learn from "./learn.js";
import * as play from "./play.js";
import * as practice from "./practice.js";
import * as solve from "./solve.js";

/** @typedef {keyof typeof TAB_LABELS} Name */

const panels = { play, analyze, practice, learn, solve };
/** @type {Map<string, { tab: HTMLElement, sheet: HTMLElement }>} */
const elements = new Map();

export function setUp() {
  for (const name of /** @type {Name[]} */ (Object.keys(TAB_LABELS))) {
    const tab = html("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `sheet-${name}`, "data-tab": name, onclick: () => openTab(name), onkeydown: onKeyDown }, TAB_LABELS[name]);
    const sheet = html("div", { role: "tabpanel", id: `sheet-${name}`, "aria-labelledby": `tab-${name}` }, panels[name].setUp());
    elements.set(name, { tab, sheet });
    byId("tabs").append(tab);
    byId("sheets").append(sheet);
  }
}

/** Returns the tabs of the current game. @returns {string[]} */
export function availableTabs() {
  if (isPuzzle(game.state)) return ["play", "learn", "solve"];
  return canBePracticed(game.state) ? ["play", "analyze", "practice", "learn"] : ["play", "analyze", "learn"];
}

/** @param {string} name */
export function openTab(name) {
  if (availableTabs().includes(name)) display.tab = name;
  notifyChange();
}

/** Opens the next or previous tab with an arrow key. @param {KeyboardEvent} event */
function onKeyDown(event) {
  const names = availableTabs();
  const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
  if (!step) return;
  event.preventDefault();
  event.stopPropagation();
  const next = names[(names.indexOf(display.tab) + step + names.length) % names.length];
  openTab(next);
  elements.get(next)?.tab.focus();
}

export function render() {
  const names = availableTabs();
  if (game.state && !names.includes(display.tab)) display.tab = names[0];
  for (const [name, { tab, sheet }] of elements) {
    const isOpen = name === display.tab;
    setShown(tab, names.includes(name));
    setAttributes(tab, { "aria-selected": String(isOpen), tabindex: isOpen ? 0 : -1 });
    setShown(sheet, isOpen);
    if (isOpen) panels[/** @type {Name} */ (name)].render();
  }
}
