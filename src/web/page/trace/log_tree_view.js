// Draws the shown part of a search's tree, with markers that fold it, as an ARIA tree with one tab stop.

import { setAttributes, svg } from "../dom.js";
import { SearchTreeView } from "../lessons/search_tree_view.js";
import { TRACE_LABELS, blockLabel, placeLabel } from "../text/trace.js";

/** @import { Progress } from "../lessons/trace_events.js" */
/** @import { ShownPlace, ShownTree } from "./shown_tree.js" */

/** Distance of two leaves below which a leaf is a dot without a text. */
const MIN_TEXT_PX = 26;
const BLOCK = { x: 17, y: 14 };

/**
 * @typedef {object} TreeHandlers
 * @property {(path: string) => void} onPoint called when a node is pointed at or focused
 * @property {(path: string) => void} onChoose called when a node is clicked
 * @property {(path: string, isFolded: boolean) => void} onFold
 */

export class LogTreeView extends SearchTreeView {
  /** @param {TreeHandlers} handlers */
  constructor(handlers) {
    super();
    this.handlers = handlers;
    setAttributes(this.element, { class: "search-tree log-tree", role: "tree", "aria-label": TRACE_LABELS.tree, onkeydown: (/** @type {KeyboardEvent} */ event) => this.onKey(event) });
    /** The place that has the tab stop. */
    this.tabStop = "";
    /** @type {ShownTree | null} */
    this.shown = null;
  }

  /** @param {ShownTree} shown @param {string | null} marked the place that is pointed at @param {number} width @param {number} height */
  show(shown, marked, width, height) {
    this.shown = shown;
    // Of a way that goes straight down, the names are above the windows.
    this.nameShare = shown.follows ? 0.36 : 0.62;
    this.isAlwaysNamed = shown.follows;
    if (!shown.places.has(this.tabStop)) this.tabStop = shown.stateAt().current;
    if (!shown.places.has(this.tabStop)) this.tabStop = "";
    this.render({
      search: /** @type {any} */ (shown), at: shown.at, marked: null, chosen: new Set(marked === null ? [] : [marked]), struck: new Set(), isAsked: false,
      showsWindows: !["minimax", "expectimax"].includes(shown.begin.algorithm), onPick: null, canPick: null, onDrag: null,
    }, width, height);
  }

  /** Marks one place. @param {string | null} marked */
  mark(marked) {
    for (const one of this.element.querySelectorAll(".place")) one.classList.toggle("chosen", one.getAttribute("data-path") === marked);
  }

  /** @override @param {ShownPlace} place @param {any} model @param {Progress} known @param {boolean} isCurrent @param {boolean} isSkipped @param {number} width */
  drawNode(place, model, known, isCurrent, isSkipped, width) {
    const { path } = place;
    if (place.block) return this.drawBlock(place);
    const group = super.drawNode(place, model, known, isCurrent, isSkipped, width);
    if (place.children.length === 0 && this.gap < MIN_TEXT_PX && place.level > 0) {
      group.querySelectorAll("text, .shape").forEach((one) => one.remove());
      group.append(svg("circle", { class: "shape", r: Math.max(2.5, Math.min(6, this.gap / 2 - 1)) }));
    }
    if (place.isOnly) group.classList.add("only");
    if (place.isFolded || place.children.length) group.append(this.foldMarker(place));
    this.makeItem(group, path, placeLabel(place, known, model.search.begin));
    setAttributes(group, { "aria-expanded": place.isFolded ? "false" : place.children.length ? "true" : null, "aria-current": isCurrent ? "true" : null });
    return group;
  }

  /** Draws a marker that folds a node, or opens it. It tells how many nodes are hidden. @param {ShownPlace} place */
  foldMarker(place) {
    const text = place.isFolded ? String(place.hidden) : "−";
    const half = Math.max(9, text.length * 4 + 5);
    const y = place.kind === "min" ? 30 : 34;
    return svg("g", { class: `fold${place.isFolded ? " folded" : ""}`, transform: place.isFolded ? `translate(0 ${y})` : `translate(32 ${place.kind === "min" ? -6 : 10})`, onclick: (/** @type {Event} */ event) => {
      event.stopPropagation();
      this.handlers.onFold(place.path, !place.isFolded);
    } }, svg("rect", { class: "hit", x: place.isFolded ? -22 : -10, y: -12, width: place.isFolded ? 44 : 32, height: 30 }), svg("rect", { class: "fold-box", x: -half, y: -8, width: 2 * half, height: 16, rx: 8 }), svg("text", { y: 4.5, "font-size": 12 }, text));
  }

  /** Draws a block of siblings with its count. @param {ShownPlace} place */
  drawBlock(place) {
    const { x, y } = /** @type {{ x: number, y: number }} */ (this.points.get(place.path));
    const box = (/** @type {number} */ shift) => svg("rect", { class: "shape", x: -BLOCK.x + shift, y: -BLOCK.y + shift, width: 2 * BLOCK.x, height: 2 * BLOCK.y, rx: 5 });
    const group = svg("g", { class: `place block${place.hidden ? " done" : " unseen"}`, transform: `translate(${x} ${y})`, "data-path": place.path }, svg("rect", { class: "hit", x: -22, y: -22, width: 44, height: 44 }), box(4), box(0), svg("text", { class: "value", y: 5, "font-size": 13 }, String(place.block)));
    this.makeItem(group, place.path, blockLabel(Number(place.block), Number(place.hidden)));
    setAttributes(group, { "aria-expanded": "false" });
    return group;
  }

  /** Makes a group an item of the tree. @param {SVGElement} group @param {string} path @param {string} label */
  makeItem(group, path, label) {
    setAttributes(group, {
      role: "treeitem", "aria-label": label, "aria-level": (this.shown?.place(path).level ?? 0) + 1, tabindex: path === this.tabStop ? 0 : -1,
      onclick: () => this.choose(path),
      onfocus: () => this.point(path),
      onpointerenter: (/** @type {PointerEvent} */ event) => event.pointerType === "mouse" && this.handlers.onPoint(path),
    });
  }

  /** @param {string} path */
  point(path) {
    this.tabStop = path;
    for (const one of this.element.querySelectorAll("[role=treeitem]")) setAttributes(one, { tabindex: one.getAttribute("data-path") === path ? 0 : -1 });
    if (!this.shown?.place(path)?.block) this.handlers.onPoint(path);
  }

  /** @param {string} path */
  choose(path) {
    const place = this.shown?.place(path);
    if (place?.block) return this.handlers.onFold(/** @type {string} */ (place.parent), false);
    this.tabStop = path;
    this.handlers.onChoose(path);
  }

  /** Moves the focus in the tree, and folds it. @param {KeyboardEvent} event */
  onKey(event) {
    const path = document.activeElement?.getAttribute("data-path");
    const place = path === null || path === undefined ? undefined : this.shown?.places.get(path);
    if (!place || event.ctrlKey || event.metaKey || event.altKey) return;
    const siblings = place.parent === null ? [place.path] : this.shown?.place(place.parent).children ?? [];
    const at = siblings.indexOf(place.path);
    /** @type {Record<string, string | null | undefined>} */
    const targets = { ArrowUp: place.parent, ArrowDown: place.children[0], ArrowLeft: siblings[at - 1], ArrowRight: siblings[at + 1], Home: "" };
    if (event.key in targets) {
      const target = targets[event.key];
      if (target !== null && target !== undefined) /** @type {SVGElement | null} */ (this.element.querySelector(`[data-path="${CSS.escape(target)}"]`))?.focus();
    } else if (event.key === "-") this.handlers.onFold(place.path, true);
    else if (event.key === "+" || event.key === "=") this.handlers.onFold(place.block ? /** @type {string} */ (place.parent) : place.path, false);
    else if (event.key === "Enter" || event.key === " ") this.choose(place.path);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
