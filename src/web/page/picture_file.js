// The position on the board as a picture: an SVG file without style sheets, and a PNG file.

import { setAttributes, svg } from "./dom.js";
import { t } from "./language.js";

/** The properties that style sheets set on the parts of a board. */
const PROPERTIES = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-linecap", "stroke-linejoin", "stroke-dasharray", "opacity", "paint-order", "font-family", "font-size", "font-weight", "text-anchor", "dominant-baseline"];
/** The parts that are not drawn: what takes clicks, hints, and what is hidden. */
const HIDDEN = ".spots, .above, .hit, [hidden]";
/** The width of a PNG picture. */
const WIDTH_PX = 1200;
const MARGIN = 12;

/** Returns the board on the screen as the text of an SVG file. */
export function boardSvg() {
  const shown = /** @type {SVGSVGElement} */ (document.querySelector("#board svg"));
  return pictureText(/** @type {SVGElement} */ (bake(shown)), shown.viewBox.baseVal);
}

/**
 * Returns a part of a drawing as the text of an SVG file, with a margin and the color of the page behind it.
 * @param {SVGElement} drawing an element `svg` whose styles are baked; it is changed
 * @param {{ x: number, y: number, width: number, height: number }} view the part, in units of the drawing
 */
export function pictureText(drawing, { x, y, width, height }) {
  const box = { x: x - MARGIN, y: y - MARGIN, width: width + 2 * MARGIN, height: height + 2 * MARGIN };
  setAttributes(drawing, { xmlns: "http://www.w3.org/2000/svg", viewBox: Object.values(box).join(" "), width: box.width, height: box.height });
  drawing.prepend(svg("rect", { ...box, fill: getComputedStyle(document.body).backgroundColor, stroke: "none" }));
  return new XMLSerializer().serializeToString(drawing);
}

/**
 * Returns a copy of an element with the properties of style sheets as attributes; `null` if it is not drawn.
 * @param {Element} original an element of the page
 * @param {CSSStyleDeclaration | null} inherited the computed style of its parent, whose properties the copy inherits
 * @returns {Element | null}
 */
export function bake(original, inherited = null) {
  const style = getComputedStyle(original);
  if (original.matches(HIDDEN) || style.display === "none" || style.visibility === "hidden") return null;
  const copy = /** @type {Element} */ (original.cloneNode(false));
  for (const { name } of [...copy.attributes]) if (/^(class|style|role|tabindex|aria-.*|data-.*)$/.test(name)) copy.removeAttribute(name);
  for (const property of PROPERTIES) {
    const value = style.getPropertyValue(property);
    const isDefault = value === (property === "opacity" ? "1" : inherited?.getPropertyValue(property));
    setAttributes(copy, { [property]: isDefault ? null : value || copy.getAttribute(property) });
  }
  // Pieces are moved by their style, so that they can glide.
  const { transform } = /** @type {SVGElement} */ (original).style;
  if (transform) copy.setAttribute("transform", transform.replaceAll("px", ""));
  for (const child of original.childNodes) {
    const part = child instanceof Element ? bake(child, style) : child.cloneNode();
    if (part) copy.append(part);
  }
  return copy;
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
  if (!context) throw new Error(t("the browser cannot draw pictures"));
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  // `toBlob` waits until the page is idle: seconds, while the engine thinks.
  const [type, data] = canvas.toDataURL("image/png").split(",");
  if (!type.startsWith("data:image/png")) throw new Error(t("the browser cannot write PNG files"));
  return new Blob([Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))], { type: "image/png" });
}
