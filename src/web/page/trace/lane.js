// One search that is shown: its events, its tree in one of the views, and what a person has folded.

import { html, setAttributes, setShown, setText } from "../dom.js";
import { TRACE_LABELS, laneLine } from "../text/trace.js";
import { LARGE_NODES, ShownTree } from "./shown_tree.js";
import { LogTreeView } from "./log_tree_view.js";
import { WholeView } from "./whole_view.js";

/** @import { SearchLog } from "./search_log.js" */

export const MAX_ZOOM = 12;
/** The distance of leaves below which a tree is widened at first, and the distance that they get. */
const MIN_GAP_PX = 14;
const FIRST_GAP_PX = 22;

export class Lane {
  /** @param {() => void} onChange called when something is folded @param {() => void} onPoint called when another node is pointed at or chosen */
  constructor(onChange, onPoint) {
    this.onChange = onChange;
    this.onPoint = onPoint;
    /** @type {SearchLog | null} */
    this.log = null;
    this.at = 0;
    /** The view of a large tree. @type {"follow" | "whole"} */
    this.mode = "follow";
    /** @type {import("./shown_tree.js").Folds} */
    this.folds = { folded: new Set(), opened: new Set() };
    /** The node that is pointed at, and the one that was chosen. @type {number | null} */
    this.pointed = null;
    /** @type {number | null} */
    this.chosen = null;
    this.zoom = 1;
    /** Whether the tree was never drawn. */
    this.isNew = true;
    this.tree = new LogTreeView({
      onPoint: (path) => this.point(path), onChoose: (path) => this.choose(this.log?.nodeAt(path) ?? null),
      onFold: (path, isFolded) => this.fold(path, isFolded),
    });
    this.whole = new WholeView((n) => this.choose(n), (n) => this.pointAt(n));
    this.title = html("h3.lane-title", {});
    this.key = html("p.hint", {}, TRACE_LABELS.whole);
    this.scroller = html("div.tree-scroll", { onpointerleave: () => this.pointAt(null) }, this.tree.element, this.whole.element);
    this.element = html("div.lane", {}, this.title, this.scroller, this.key);
  }

  /** @param {SearchLog} log @param {string} title */
  open(log, title) {
    this.log = log;
    setText(this.title, title);
    setAttributes(this.tree.element, { "aria-label": laneLine(TRACE_LABELS.tree, title) });
    this.mode = "follow";
    this.zoom = 1;
    this.isNew = true;
    this.folds = { folded: new Set(), opened: new Set() };
    this.goTo(0);
  }

  close() {
    this.log = null;
  }

  get isLarge() {
    return this.log !== null && this.log.size >= LARGE_NODES;
  }

  /** @param {number} at */
  goTo(at) {
    this.at = Math.max(0, Math.min(this.log?.last ?? 0, at));
    this.pointed = null;
    this.chosen = null;
  }

  /** @param {string} path */
  point(path) {
    this.pointAt(this.log?.nodeAt(path) ?? null);
  }

  /** @param {number | null} n */
  pointAt(n) {
    if (this.pointed === n) return;
    this.pointed = n;
    this.mark();
  }

  /** @param {number | null} n */
  choose(n) {
    this.chosen = n;
    this.pointed = null;
    this.mark();
  }

  /** The path of the node that is pointed at or chosen. */
  get markedPath() {
    const n = this.pointed ?? this.chosen;
    return n === null || !this.log ? null : this.log.path(n);
  }

  /** Marks the node. The tree is not drawn again, since a pressed button has to stay in the page. */
  mark() {
    this.tree.mark(this.markedPath);
    this.onPoint();
  }

  /** The node that the card tells of. */
  get node() {
    return this.pointed ?? this.chosen ?? this.log?.nodeOf(this.at) ?? 0;
  }

  /** Folds a place, or opens it: a folded one as it was before, another one with all its children. @param {string} path @param {boolean} isFolded */
  fold(path, isFolded) {
    const { folded, opened } = this.folds;
    if (isFolded) {
      folded.add(path);
      opened.delete(path);
    } else if (!folded.delete(path)) opened.add(path);
    this.onChange();
  }

  /** @param {((n: number) => boolean) | null} wasElsewhere whether the other search has been at the place of a node */
  render(wasElsewhere) {
    const { log } = this;
    if (!log) return;
    const isWhole = this.isLarge && this.mode === "whole";
    setShown(/** @type {any} */ (this.tree.element), !isWhole);
    for (const part of [this.whole.element, this.key]) setShown(part, isWhole);
    const { clientWidth, clientHeight } = this.scroller;
    if (!clientWidth) return;
    const width = () => Math.floor(clientWidth * this.zoom);
    if (isWhole) {
      this.whole.render(log, this.at, width(), clientHeight - (this.zoom > 1 ? 16 : 0), wasElsewhere);
      return this.reveal(this.whole.left(log.nodeOf(this.at)));
    }
    const shown = new ShownTree(log, this.at, this.isLarge, this.folds, wasElsewhere);
    if (this.isNew) this.zoom = firstZoom(shown, clientWidth);
    this.isNew = false;
    this.tree.show(shown, this.markedPath, width(), clientHeight - (this.zoom > 1 ? 16 : 0));
    this.reveal(this.tree.points.get(log.path(log.nodeOf(this.at)))?.x ?? 0);
  }

  /** Scrolls a widened tree so that a point is in view. @param {number} x */
  reveal(x) {
    const { scroller } = this;
    if (this.zoom > 1 && this.pointed === null && (x < scroller.scrollLeft + 20 || x > scroller.scrollLeft + scroller.clientWidth - 20)) scroller.scrollLeft = x - scroller.clientWidth / 2;
    setAttributes(scroller, { tabindex: this.zoom > 1 ? 0 : null });
  }
}

/** Returns how many times wider than its box a tree is drawn at first: leaves that are too close are moved apart. @param {ShownTree} shown @param {number} width */
function firstZoom(shown, width) {
  const leaves = [...shown.places.values()].filter(({ children }) => children.length === 0).length;
  return shown.follows || width / leaves >= MIN_GAP_PX ? 1 : Math.min(MAX_ZOOM, (leaves * FIRST_GAP_PX) / width);
}
