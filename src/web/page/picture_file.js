// The position on the board as a picture: an SVG file without style sheets, and a PNG file.

import { svg } from "./dom.js";

/** The properties that style sheets set on the parts of a board. */
const PROPERTIES = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-linecap", "stroke-linejoin", "stroke-dasharray", "opacity", "font-family", "font-size", "font-weight", "text-anchor", "dominant-baseline"];
/** The parts that are not drawn: what takes clicks, hints, and what is hidden. */
const HIDDEN = ".spots, .above, .hit, [hidden]";
/** The width of a PNG picture. */
const WIDTH_PX = 1200;
const MARGIN = 12;

/** Returns the board as the text of an SVG file. */
export function boardSvg() {
  const shown = /** @type {SVGSVGElement} */ (document.querySelector("#board svg"));
  const copy = /** @type {SVGSVGElement} */ (shown.cloneNode(true));
  const originals = [shown, ...shown.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((element, at) => copyStyle(originals[at], element));
  for (const element of copy.querySelectorAll(HIDDEN)) element.remove();
  const { x, y, width, height } = shown.viewBox.baseVal;
  const box = { x: x - MARGIN, y: y - MARGIN, width: width + 2 * MARGIN, height: height + 2 * MARGIN };
  for (const { name } of [...copy.attributes]) copy.removeAttribute(name);
  for (const [name, value] of Object.entries({ xmlns: "http://www.w3.org/2000/svg", viewBox: Object.values(box).join(" "), width: box.width, height: box.height })) copy.setAttribute(name, String(value));
  copy.prepend(svg("rect", { ...box, fill: getComputedStyle(document.body).backgroundColor }));
  return new XMLSerializer().serializeToString(copy);
}

/** Writes the computed style of an element into the attributes of its copy. @param {Element} original @param {Element} copy */
function copyStyle(original, copy) {
  const style = getComputedStyle(original);
  if (style.display === "none" || style.visibility === "hidden") copy.setAttribute("hidden", "");
  for (const property of PROPERTIES) {
    const value = style.getPropertyValue(property);
    if (value) copy.setAttribute(property, value);
  }
  // Pieces are moved by their style, so that they can glide.
  const { transform } = /** @type {SVGElement} */ (original).style;
  if (transform) copy.setAttribute("transform", transform.replaceAll("px", ""));
  for (const name of [...copy.attributes].map((attribute) => attribute.name)) {
    if (/^(class|style|role|tabindex|aria-.*|data-.*)$/.test(name)) copy.removeAttribute(name);
  }
}

/** Returns an SVG picture as a PNG file. @param {string} text @returns {Promise<Blob>} */
export async function toPng(text) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH_PX;
  canvas.height = Math.round((WIDTH_PX * image.naturalHeight) / image.naturalWidth);
  const context = canvas.getContext("2d");
  if (!context) throw new Error("the browser cannot draw pictures");
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the browser cannot write PNG files"))), "image/png");
  });
}
