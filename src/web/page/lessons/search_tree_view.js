// Draws the tree of a search as it is after an event. All sizes are pixels of the screen, so that no text is smaller than 12.

import { buttonAttributes, setAttributes, svg, textWidth } from "../dom.js";
import { chanceWords } from "./chance_texts.js";
import { LESSON_LABELS, boundWords, nullCutText, leafLabel, nodeLabel, valueWords, windowWords } from "../text/lessons.js";
import { layoutTree } from "../view/tree_layout.js";
import { childPath, isWithin } from "./trace_events.js";

/** @import { Place, Progress, SearchEvents } from "./trace_events.js" */

/** @typedef {{ x: number, y: number }} Point */

/**
 * What the tree shows.
 * @typedef {object} TreeModel
 * @property {SearchEvents} search
 * @property {number} at the last event shown
 * @property {string | null} marked the node that is asked about
 * @property {Set<string>} chosen the nodes that a person has chosen
 * @property {Set<string>} struck the leaves that a person has struck out
 * @property {boolean} showsWindows
 * @property {boolean} isAsked whether the question about the marked node is open, so that its sum is hidden
 * @property {((path: string) => void) | null} onPick called when a node is clicked that can be chosen
 * @property {((path: string) => boolean) | null} canPick
 * @property {((path: string, place: number) => void) | null} onDrag called when a node is dragged to another place among its siblings
 */

const FONT_PX = 13;
/** Half the width and half the height of a leaf, and of an inner node. */
const LEAF = { x: 12, y: 13 };
const INNER = { x: 22, y: 18 };
const CHANCE_RADIUS = 19;
const LINE_PX = 13;
const MIN_LEVEL_PX = 50;
const MAX_LEVEL_PX = 104;
const MARGIN = { top: 40, side: 6, bottom: 24 };
/** Distance of leaves from which the names of moves have room. */
const MOVE_NAME_PX = 46;
/** Width of a letter, to keep texts inside the drawing. */
const LETTER_PX = 7;

export class SearchTreeView {
  constructor() {
    this.element = svg("svg", { class: "search-tree", role: "group", "aria-label": LESSON_LABELS.tree });
    /** @type {Map<string, Point>} */
    this.points = new Map();
    this.gap = 0;
    /** The place of a move's name on its edge, from 0 (parent) to 1 (child). */
    this.nameShare = 0.62;
    /** Whether the moves of a game are named where they have little room. */
    this.isAlwaysNamed = true;
  }

  /** Draws the tree into a box of this size. @param {TreeModel} model @param {number} width @param {number} height */
  render(model, width, height) {
    const { search } = model;
    const { places, leaves, levels } = layoutTree("", (path) => search.place(path).children);
    this.gap = (width - 2 * MARGIN.side) / leaves;
    const free = height - MARGIN.top - MARGIN.bottom;
    const levelHeight = Math.max(MIN_LEVEL_PX, Math.min(MAX_LEVEL_PX, free / Math.max(1, levels - 1)));
    const full = MARGIN.top + (levels - 1) * levelHeight + MARGIN.bottom;
    this.points = new Map([...places].map(([path, { x, level }]) => [path, { x: MARGIN.side + (x + 0.5) * this.gap, y: MARGIN.top + level * levelHeight }]));
    setAttributes(this.element, { viewBox: `0 0 ${width} ${full}`, width, height: full });
    const { progress, current } = search.stateAt(model.at);
    const skipped = skippedPaths(search, progress);
    const all = [...search.places.values()];
    const focused = document.activeElement?.closest("[data-path]")?.getAttribute("data-path");
    this.element.replaceChildren(
      ...all.filter(({ parent }) => parent !== null).map((place) => this.drawEdge(place, model, progress, skipped)),
      ...all.map((place) => this.drawNode(place, model, /** @type {Progress} */ (progress.get(place.path)), place.path === current && model.at > 0, skipped.has(place.path), width)));
    if (focused !== null && focused !== undefined) /** @type {SVGElement | null} */ (this.element.querySelector(`[data-path="${CSS.escape(focused)}"]`))?.focus();
  }

  /** @param {Place} place @param {TreeModel} model @param {Map<string, Progress>} progress @param {Set<string>} skipped */
  drawEdge(place, model, progress, skipped) {
    const from = /** @type {Point} */ (this.points.get(/** @type {string} */ (place.parent)));
    const to = /** @type {Point} */ (this.points.get(place.path));
    const isCut = skipped.has(place.path) && !skipped.has(/** @type {string} */ (place.parent));
    const status = skipped.has(place.path) ? "skipped" : progress.get(place.path)?.status;
    const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
    const angle = (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI;
    const named = this.gap >= MOVE_NAME_PX || this.isAlwaysNamed && !model.search.isTree;
    const lines = [named && !(place.p !== undefined && model.search.isTree) && place.move, place.p !== undefined && chanceWords(place.p)].filter(Boolean);
    return svg("g", { class: `way-to ${status}${model.chosen.has(place.path) && (place.parent === "" || model.chosen.has(/** @type {string} */ (place.parent))) ? " chosen" : ""}` },
      svg("path", { d: `M${from.x} ${from.y}L${to.x} ${to.y}` }),
      ...lines.map((line, at) => svg("text", { class: "move", x: from.x + (to.x - from.x) * this.nameShare, y: from.y + (to.y - from.y) * this.nameShare + 4 + (at + (1 - lines.length) / 2) * LINE_PX, "font-size": 12 }, line)),
      isCut && svg("path", { class: "scissors", transform: `translate(${middle.x} ${middle.y}) rotate(${angle})`, d: "M-3-9V9M3-9V9" }));
  }

  /** @param {Place} place @param {TreeModel} model @param {Progress} known @param {boolean} isCurrent @param {boolean} isSkipped @param {number} width */
  drawNode(place, model, known, isCurrent, isSkipped, width) {
    const { path, kind } = place;
    const { x, y } = /** @type {Point} */ (this.points.get(path));
    const isLeaf = kind === "leaf";
    const isMarked = path === model.marked;
    const game = /** @type {any} */ (model.search.begin);
    const value = isLeaf ? valueWords(known.value, game) : known.status === "done" ? boundWords(known.value, known.bound, game) : isMarked ? "?" : "";
    const halfWidth = isLeaf ? Math.max(LEAF.x, Math.min(this.gap / 2 - 2, 20), value.length > 2 && !model.search.isTree ? textWidth(value, LETTER_PX) / 2 + 8 : 0) : INNER.x;
    const isChance = kind === "chance";
    const shape = isLeaf ? svg("rect", { class: "shape", x: -halfWidth, y: -LEAF.y, width: 2 * halfWidth, height: 2 * LEAF.y, rx: 4 })
      : isChance ? svg("circle", { class: "shape", r: CHANCE_RADIUS }) : svg("path", { class: "shape", d: kind === "max" ? `M0${-INNER.y - 4}L${INNER.x} ${INNER.y - 4}H${-INNER.x}Z` : `M0 ${INNER.y + 4}L${INNER.x} ${4 - INNER.y}H${-INNER.x}Z` });
    const fits = value.length <= (isChance ? 4 : 3);
    const texts = [value && svg("text", { class: "value", x: 0, y: isLeaf || isChance ? 5 : fits ? (kind === "max" ? 10 : 2) : kind === "max" ? INNER.y + 10 : -INNER.y - 2, "font-size": FONT_PX }, value)];
    const window = isChance && known.status === "open" && known.sum !== undefined && !(isMarked && model.isAsked) ? `Σ ${valueWords(known.sum)}` : this.windowText(place, model, known);
    if (window) {
      const half = textWidth(window, LETTER_PX) / 2;
      // Beside the edge to the parent.
      const aside = isChance ? Math.sign(x - (this.points.get(place.parent ?? "")?.x ?? x)) * (half / 2 + 4) : 0;
      const shift = Math.max(half + 2, Math.min(width - half - 2, x + aside)) - x;
      texts.push(svg("text", { class: "window", x: shift, y: kind === "min" && !fits ? -INNER.y - 16 : -INNER.y - 8, "font-size": FONT_PX }, window));
    }
    const sign = known.status === "unseen" || isLeaf ? "" : known.how === "remembered" ? "▣" : known.purpose === "again" ? "↻" : "";
    if (sign) texts.push(svg("text", { class: "sign", x: INNER.x + 2, y: kind === "max" ? INNER.y : -INNER.y + 14, "font-size": 15 }, sign));
    if (model.struck.has(path)) texts.push(svg("path", { class: "struck", d: "M-13-13L13 13M13-13L-13 13" }));
    const classes = ["place", kind, known.status, isCurrent && "current", isMarked && "marked", isSkipped && "skipped", model.chosen.has(path) && "chosen"];
    const group = svg("g", { class: classes.filter(Boolean).join(" "), transform: `translate(${x} ${y})`, "data-path": path }, svg("rect", { class: "hit", x: -Math.max(halfWidth, 14), y: -22, width: 2 * Math.max(halfWidth, 14), height: 44 }), shape, ...texts);
    if (model.onPick && model.canPick?.(path)) setAttributes(group, { ...buttonAttributes(isLeaf ? leafLabel(path, known.value) : nodeLabel(path, kind, value), () => model.onPick?.(path)), "aria-pressed": String(model.chosen.has(path) || model.struck.has(path)) });
    if (model.onDrag && place.parent !== null) this.makeDraggable(group, place, model);
    return group;
  }

  /** Returns the window of an open node, or the condition of its cutoff. @param {Place} place @param {TreeModel} model @param {Progress} known */
  windowText({ kind }, model, known) {
    if (!model.showsWindows || kind === "leaf" || !known.window || known.status !== "open") return "";
    const [alpha, beta] = known.window;
    if (known.purpose === "null" && known.isCut) return nullCutText(kind === "max");
    const game = /** @type {any} */ (model.search.begin);
    if (!known.isCut) return windowWords(known.window, game);
    return kind === "min" ? `${valueWords(beta, game)} ≤ ${valueWords(alpha, game)} = α` : `${valueWords(alpha, game)} ≥ ${valueWords(beta, game)} = β`;
  }

  /** Lets a person drag a node to another place among its siblings. @param {SVGElement} group @param {Place} place @param {TreeModel} model */
  makeDraggable(group, { path, parent }, model) {
    const siblings = model.search.place(/** @type {string} */ (parent)).children;
    const start = /** @type {Point} */ (this.points.get(path));
    /** @param {PointerEvent} event */
    const offset = (event) => event.clientX - this.element.getBoundingClientRect().left - start.x;
    group.classList.add("draggable");
    group.addEventListener("pointerdown", (event) => group.setPointerCapture(event.pointerId));
    group.addEventListener("pointermove", (event) => {
      if (group.hasPointerCapture(event.pointerId)) setAttributes(group, { transform: `translate(${start.x + offset(event)} ${start.y})` });
    });
    group.addEventListener("pointerup", (event) => {
      const x = start.x + offset(event);
      const distances = siblings.map((sibling) => Math.abs(/** @type {Point} */ (this.points.get(sibling)).x - x));
      model.onDrag?.(path, distances.indexOf(Math.min(...distances)));
    });
  }
}

/** Returns the places that a cutoff has left out, with all below them. @param {SearchEvents} search @param {Map<string, Progress>} progress */
function skippedPaths(search, progress) {
  const tops = [...progress].flatMap(([path, { skipped }]) => skipped.map((move) => childPath(path, move)));
  return new Set([...search.places.keys()].filter((path) => tops.some((top) => isWithin(path, top))));
}
