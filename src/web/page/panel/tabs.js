// The four tabs, of which only those show that fit the variant.

import { find, h, set, show } from "../dom.js";
import { changed, isPuzzle, page } from "../state.js";
import { TABS } from "../text.js";
import * as analyse from "./analyze.js";
import * as learn from "./learn.js";
import * as play from "./play.js";
import * as solve from "./solve.js";

/** @typedef {keyof typeof TABS} Name */

const sheets = { play, analyse, learn, solve };
/** @type {Map<string, { tab: HTMLElement, sheet: HTMLElement }>} */
const made = new Map();

export function setUp() {
  for (const name of /** @type {Name[]} */ (Object.keys(TABS))) {
    const tab = h("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `sheet-${name}`, "data-tab": name, onclick: () => choose(name), onkeydown: press }, TABS[name]);
    const sheet = h("div", { role: "tabpanel", id: `sheet-${name}`, "aria-labelledby": `tab-${name}` }, sheets[name].setUp());
    made.set(name, { tab, sheet });
    find("tabs").append(tab);
    find("sheets").append(sheet);
  }
}

/** The tabs of the present variant. @returns {string[]} */
export function fitting() {
  return isPuzzle(page.state) ? ["play", "learn", "solve"] : ["play", "analyse", "learn"];
}

/** @param {string} name */
export function choose(name) {
  if (fitting().includes(name)) page.tab = name;
  changed();
}

/** @param {KeyboardEvent} event */
function press(event) {
  const names = fitting();
  const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
  if (!step) return;
  event.preventDefault();
  event.stopPropagation();
  const next = names[(names.indexOf(page.tab) + step + names.length) % names.length];
  choose(next);
  made.get(next)?.tab.focus();
}

export function render() {
  const names = fitting();
  if (page.state && !names.includes(page.tab)) page.tab = names[0];
  for (const [name, { tab, sheet }] of made) {
    const here = name === page.tab;
    show(tab, names.includes(name));
    set(tab, { "aria-selected": String(here), tabindex: here ? 0 : -1 });
    show(sheet, here);
    if (here) sheets[/** @type {Name} */ (name)].render();
  }
}
