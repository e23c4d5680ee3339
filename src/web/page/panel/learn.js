// The tab Learn: lessons, a search drawn as a tree, and a comparison of searches. Its modules are loaded when the tab is first opened.

import { html } from "../dom.js";
import { display, game, notifyChange, trace } from "../state.js";

/** The box of the drawn tree. On wide screens it takes the place of the board, on others it is in the panel. */
export const traceBox = html("div.stage.trace-stage", { hidden: true });
const wideScreen = matchMedia("(min-width: 1001px)");
const lessons = html("div.lessons-place", {});
const comparison = html("div", {});
const place = html("div.trace-place", {}, traceBox);
/** What is drawn once the modules are loaded. @type {{ render: () => void }[]} */
let panels = [];
/** @type {Promise<void> | null} */
let loading = null;

export function setUp() {
  return html("div.sheet", {}, lessons, place, comparison);
}

/** Returns `true` if the tree takes the place of the board. */
export function replacesBoard() {
  return display.tab === "learn" && trace.result !== null && wideScreen.matches;
}

async function load() {
  const [{ createLessonList }, { createTracePanel }, compare] = await Promise.all([import("../lessons/lesson_list.js"), import("../trace/panel.js"), import("./compare.js")]);
  lessons.append(await createLessonList());
  const created = await createTracePanel(traceBox);
  place.prepend(...created.parts);
  place.append(...created.after);
  comparison.append(compare.setUp());
  panels = [created, compare];
  notifyChange();
}

export function render() {
  if (!game.state) return;
  loading ??= load();
  if (!wideScreen.matches && traceBox.parentElement !== place) place.insertBefore(traceBox, place.lastElementChild);
  for (const panel of panels) panel.render();
}
