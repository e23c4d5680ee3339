// Pictures for the tiles: one drawn here, or one that a person chose from this machine.

import { s } from "../dom.js";
import { tiger } from "./pieces.js";

/** The drawn pictures, and what they are called. */
export const PICTURES = ["tiger", "hills"];

/** A picture that a person chose, as a data address; it never leaves the page. */
let own = "";

/** @param {string} address */
export function choose(address) {
  own = address;
}

/**
 * The part of a picture that belongs to a cell, in a square from -46 to 46.
 * @param {string} picture
 * @param {number} column
 * @param {number} row
 * @param {number} columns
 * @param {number} rows
 */
export function slice(picture, column, row, columns, rows) {
  const view = s("svg", {
    x: -46,
    y: -46,
    width: 92,
    height: 92,
    viewBox: `${(column * 400) / columns} ${(row * 400) / rows} ${400 / columns} ${400 / rows}`,
    preserveAspectRatio: "none",
    class: "slice",
  });
  view.append(whole(picture));
  return view;
}

/** A picture, 400 wide and high. @param {string} picture */
export function whole(picture) {
  if (picture === "own" && own) return s("image", { href: own, width: 400, height: 400, preserveAspectRatio: "xMidYMid slice" });
  return picture === "hills" ? hills() : portrait();
}

function portrait() {
  const rays = [];
  for (let ray = 0; ray < 12; ray++) rays.push(s("path", { class: ray % 2 ? "ray" : "ray other", d: "M200 215L120-120H280Z", transform: `rotate(${ray * 30} 200 215)` }));
  return s("g", { class: "portrait" },
    s("rect", { class: "sky", width: 400, height: 400 }), ...rays,
    s("g", { transform: "translate(200 205) scale(3.7)" }, tiger()));
}

function hills() {
  const stars = [[60, 50], [130, 90], [330, 40], [260, 70], [370, 130], [30, 140], [200, 36]];
  return s("g", { class: "hills" },
    s("rect", { class: "sky", width: 400, height: 400 }),
    ...stars.map(([x, y], at) => s("circle", { class: "star", cx: x, cy: y, r: 3 + (at % 3) })),
    s("circle", { class: "moon", cx: 290, cy: 120, r: 46 }),
    s("path", { class: "far", d: "M0 250L70 170L140 240L220 150L310 245L360 200L400 235V400H0Z" }),
    s("path", { class: "mid", d: "M0 300Q80 230 170 290T330 275T400 290V400H0Z" }),
    s("path", { class: "near", d: "M0 350Q110 290 210 340T400 330V400H0Z" }),
    s("path", { class: "tree", d: "M60 360L85 290L110 360ZM96 372L116 316L136 372ZM300 366L328 288L356 366Z" }));
}
