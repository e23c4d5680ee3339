// The icons on buttons.

import { svg } from "./dom.js";

/** @type {Record<string, string>} */
const PATHS = {
  undo: "M8 5L3 10L8 15M3 10H14A6 6 0 0 1 14 22H9",
  redo: "M16 5L21 10L16 15M21 10H10A6 6 0 0 0 10 22H15",
  first: "M6 5V19M19 5L9 12L19 19Z",
  cutBack: "M9 5L3 12L9 19M13 9H21M13 15H21",
  cutNext: "M15 5L21 12L15 19M3 9H11M3 15H11",
  last: "M18 5V19M5 5L15 12L5 19Z",
  back: "M15 5L8 12L15 19",
  next: "M9 5L16 12L9 19",
  hint: "M9 18H15M10 21H14M8 14A6 6 0 1 1 16 14C15 15 15 16 15 16H9S9 15 8 14Z",
  flip: "M7 4V20M3 8L7 4L11 8M17 20V4M13 16L17 20L21 16",
  more: "M5 12H5.1M12 12H12.1M19 12H19.1",
  language: "M12 3A9 9 0 1 0 12 21A9 9 0 1 0 12 3M3 12H21M12 3C7 8 7 16 12 21M12 3C17 8 17 16 12 21",
  menu: "M4 6H20M4 12H20M4 18H20",
  plus: "M12 5V19M5 12H19",
  minus: "M5 12H19",
  play: "M7 4L20 12L7 20Z",
  pause: "M7 4V20M17 4V20",
  stop: "M6 6H18V18H6Z",
  now: "M13 3L5 14H11L10 21L19 9H13Z",
  sun: "M12 8A4 4 0 1 0 12 16A4 4 0 1 0 12 8M12 2V4M12 20V22M2 12H4M20 12H22M5 5L6.4 6.4M17.6 17.6L19 19M19 5L17.6 6.4M6.4 17.6L5 19",
  moon: "M20 14A8.5 8.5 0 1 1 10 4A7 7 0 0 0 20 14Z",
  close: "M5 5L19 19M19 5L5 19",
  swap: "M4 8H19M15 4L19 8L15 12M20 16H5M9 12L5 16L9 20",
  up: "M12 20V5M6 11L12 5L18 11",
  down: "M12 4V19M6 13L12 19L18 13",
  left: "M20 12H5M11 6L5 12L11 18",
  right: "M4 12H19M13 6L19 12L13 18",
};

/** Creates the icon with this name. @param {string} name */
export function glyph(name) {
  const solid = ["play", "stop"].includes(name);
  return svg("svg", { viewBox: "0 0 24 24", class: solid ? "glyph solid" : "glyph", "aria-hidden": "true" }, svg("path", { d: PATHS[name] ?? "" }));
}
