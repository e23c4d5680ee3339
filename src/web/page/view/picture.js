// The pictures on tiles: two drawn ones, or a file that a person chooses.

import { svg } from "../dom.js";
import { tiger } from "./pieces.js";

/** The chosen file as a data URL. It never leaves the page. */
let ownPicture = "";
let ownPictureCount = 0;

/** Sets the picture `own`. @param {string} dataUrl */
export function setOwnPicture(dataUrl) {
  ownPicture = dataUrl;
  ownPictureCount++;
}

/** Returns a key that changes with the picture, also when the picture `own` is replaced. @param {string} name */
export function pictureKey(name) {
  return name === "own" ? `own ${ownPictureCount}` : name;
}

/**
 * Draws the part of a picture that belongs to a cell, in a square from -46 to 46.
 * @param {string} picture
 * @param {number} column
 * @param {number} row
 * @param {number} columns
 * @param {number} rows
 */
export function pictureSlice(picture, column, row, columns, rows) {
  const view = svg("svg", {
    x: -46,
    y: -46,
    width: 92,
    height: 92,
    viewBox: `${(column * 400) / columns} ${(row * 400) / rows} ${400 / columns} ${400 / rows}`,
    preserveAspectRatio: "none",
    class: "slice",
  });
  view.append(fullPicture(picture));
  return view;
}

/** Draws a picture, 400 wide and high. @param {string} picture */
function fullPicture(picture) {
  if (picture === "own" && ownPicture) return svg("image", { href: ownPicture, width: 400, height: 400, preserveAspectRatio: "xMidYMid slice" });
  return picture === "hills" ? drawHillsPicture() : drawTigerPicture();
}

function drawTigerPicture() {
  const rays = [];
  for (let ray = 0; ray < 12; ray++) rays.push(svg("path", { class: ray % 2 ? "ray" : "ray other", d: "M200 215L120-120H280Z", transform: `rotate(${ray * 30} 200 215)` }));
  return svg("g", { class: "portrait" },
    svg("rect", { class: "sky", width: 400, height: 400 }), ...rays,
    svg("g", { transform: "translate(200 205) scale(3.7)" }, tiger()));
}

function drawHillsPicture() {
  const stars = [[60, 50], [130, 90], [330, 40], [260, 70], [370, 130], [30, 140], [200, 36]];
  return svg("g", { class: "hills" },
    svg("rect", { class: "sky", width: 400, height: 400 }),
    ...stars.map(([x, y], at) => svg("circle", { class: "star", cx: x, cy: y, r: 3 + (at % 3) })),
    svg("circle", { class: "moon", cx: 290, cy: 120, r: 46 }),
    svg("path", { class: "far", d: "M0 250L70 170L140 240L220 150L310 245L360 200L400 235V400H0Z" }),
    svg("path", { class: "mid", d: "M0 300Q80 230 170 290T330 275T400 290V400H0Z" }),
    svg("path", { class: "near", d: "M0 350Q110 290 210 340T400 330V400H0Z" }),
    svg("path", { class: "tree", d: "M60 360L85 290L110 360ZM96 372L116 316L136 372ZM300 366L328 288L356 366Z" }));
}
