// A game tree as a board: the way down to where the game stands, and the children one may click.

import { s, set } from "../dom.js";
import { childWords } from "../text.js";
import { layout } from "./tree_layout.js";
import { Zoom } from "./zoom.js";

/** @import { Look } from "./board_view.js" */
/** @import { Tree } from "../types.js" */

/** @typedef {{ tree: Tree, way: number[] }} Place */

const STEP = 64;
const LEVEL = 96;

export class TreeView {
  /** @param {{ play: (move: string) => void }} acts */
  constructor(acts) {
    this.acts = acts;
    this.element = s("svg", { class: "board tree", role: "group" });
    this.stage = s("g", {});
    this.element.append(this.stage);
    this.zoom = new Zoom(this.element, this.stage);
    this.drawn = "";
  }

  /** @param {Look} look */
  show(look) {
    const { board, moves } = look.state;
    set(this.element, { "aria-label": look.state.title });
    const root = board.root;
    if (root === null || root === undefined) return this.list(look);
    const at = board.at ?? [];
    /** @type {Place} */
    const top = { tree: root, way: [] };
    /** @type {Map<Place, Place[]>} */
    const below = new Map();
    /** @param {Place} place */
    const children = (place) => {
      let known = below.get(place);
      if (!known) {
        known = Array.isArray(place.tree) ? place.tree.map((tree, index) => ({ tree, way: [...place.way, index + 1] })) : [];
        below.set(place, known);
      }
      return known;
    };
    const { places, leaves, levels } = layout(top, children);
    const width = Math.max(leaves * STEP, 320) + 40;
    const height = levels * LEVEL + 10;
    const shift = (width - leaves * STEP) / 2 + STEP / 2;
    /** @param {Place} place */
    const spot = (place) => {
      const { x, level } = /** @type {{ x: number, level: number }} */ (places.get(place));
      return { x: shift + x * STEP, y: 46 + level * LEVEL };
    };
    /** @type {SVGElement[]} */
    const edges = [];
    /** @type {SVGElement[]} */
    const nodes = [];
    for (const place of places.keys()) {
      const here = spot(place);
      const walked = place.way.every((child, index) => at[index] === child);
      const now = walked && place.way.length === at.length;
      const open = place.way.length === at.length + 1 && at.every((child, index) => place.way[index] === child);
      for (const child of children(place)) {
        const there = spot(child);
        const taken = child.way.every((number, index) => at[index] === number);
        edges.push(s("path", { class: taken ? "edge taken" : "edge", d: `M${here.x} ${here.y}L${there.x} ${there.y}` }));
      }
      nodes.push(this.node(look, place, here, { walked, now, open: open && look.live && moves.length > 0 }));
    }
    const focused = document.activeElement?.getAttribute("data-child");
    this.stage.replaceChildren(...edges, ...nodes);
    this.zoom.frame(width, height, this.drawn !== look.state.variant + JSON.stringify(root));
    this.drawn = look.state.variant + JSON.stringify(root);
    if (focused !== null && focused !== undefined) /** @type {SVGElement | null} */ (this.stage.querySelector(`[data-child]`))?.focus({ preventScroll: true });
  }

  /** @param {Look} look @param {Place} place @param {{ x: number, y: number }} at @param {{ walked: boolean, now: boolean, open: boolean }} is */
  node(look, place, at, is) {
    const maximum = (place.way.length % 2 === 0) === (look.state.board.first !== "p2");
    const leaf = !Array.isArray(place.tree);
    const shape = leaf
      ? s("rect", { class: "shape", x: -24, y: -18, width: 48, height: 36, rx: 8 })
      : s("path", { class: "shape", d: maximum ? "M0-26L28 20H-28Z" : "M0 26L28-20H-28Z" });
    const name = `node ${leaf ? "leaf" : maximum ? "max" : "min"}${is.walked ? " walked" : ""}${is.now ? " now" : ""}${is.open ? " open" : ""}`;
    const element = s("g", { class: name, transform: `translate(${at.x} ${at.y})` }, shape,
      leaf ? s("text", { y: 6, "font-size": 17 }, String(place.tree)) : s("text", { class: "side", y: maximum ? 12 : -4, "font-size": 13 }, maximum ? "max" : "min"));
    if (is.open) {
      const child = place.way[place.way.length - 1];
      const act = () => this.acts.play(String(child));
      set(element, {
        role: "button", tabindex: 0, "data-child": child, "aria-label": childWords(child, leaf ? String(place.tree) : maximum ? "max" : "min", leaf),
        onclick: act,
        onkeydown: (/** @type {KeyboardEvent} */ event) => {
          if (event.key !== "Enter" && event.key !== " ") return;
          event.preventDefault();
          act();
        },
      });
    }
    return element;
  }

  /** A tree too large to draw: its children by their numbers. @param {Look} look */
  list(look) {
    this.stage.replaceChildren(...look.state.moves.map((move, at) => {
      const element = s("g", { class: "node max open", role: "button", tabindex: 0, "data-child": move.move, "aria-label": childWords(Number(move.move), look.state.turn === "p1" ? "min" : "max", false), transform: `translate(${60 + (at % 8) * 70} ${60 + Math.floor(at / 8) * 70})`, onclick: () => this.acts.play(move.move) },
        s("rect", { class: "shape", x: -26, y: -22, width: 52, height: 44, rx: 8 }), s("text", { y: 6, "font-size": 17 }, move.move));
      return element;
    }));
    this.zoom.frame(620, Math.max(320, 60 + Math.ceil(look.state.moves.length / 8) * 70), true);
  }
}
