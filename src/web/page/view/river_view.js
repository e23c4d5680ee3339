// Missionaries and cannibals: two banks, a boat, and people who get in and out of it.

import { s, set } from "../dom.js";
import { boatWords, personWords } from "../text.js";
import { person } from "./pieces.js";

/** @import { Look } from "./board_view.js" */

const KINDS = /** @type {const} */ (["missionary", "cannibal"]);

export class RiverView {
  /** @param {{ cross: (crew: { missionaries: number, cannibals: number }) => void }} acts */
  constructor(acts) {
    this.acts = acts;
    this.element = s("svg", { class: "board river", viewBox: "0 0 1000 620", role: "group" });
    this.land = s("g", { class: "ground", "aria-hidden": "true" });
    this.people = s("g", { class: "people" });
    this.element.append(this.land, this.people);
    /** Who sits in the boat. */
    this.aboard = { missionary: 0, cannibal: 0 };
    /** @type {Look | null} */
    this.look = null;
    this.fen = "";
    this.land.append(
      s("rect", { class: "wood", x: 1, y: 1, width: 998, height: 618, rx: 24 }),
      s("path", { class: "water", d: "M330 20Q310 160 340 300T330 600H670Q650 440 665 300T670 20Z" }),
      ...[90, 200, 470, 560].map((y, at) => s("path", { class: "wave", d: `M${400 + (at % 2) * 60} ${y}q20-16 40 0t40 0t40 0` })));
  }

  /** @param {Look} look */
  show(look) {
    if (look.state.fen !== this.fen) this.aboard = { missionary: 0, cannibal: 0 };
    this.fen = look.state.fen;
    this.look = look;
    set(this.element, { "aria-label": look.state.title });
    const { board } = look.state;
    const side = board.boat ?? "left";
    /** @type {SVGElement[]} */
    const drawn = [this.boat(look, side)];
    for (const bank of /** @type {const} */ (["left", "right"])) {
      KINDS.forEach((kind, row) => {
        const all = look.state.pieces.find((piece) => piece.at === bank && piece.kind === kind)?.count ?? 0;
        const here = all - (bank === side ? this.aboard[kind] : 0);
        const most = (kind === "missionary" ? board.missionaries : board.cannibals) ?? here;
        for (let at = 0; at < here; at++) drawn.push(this.standing(look, bank, kind, at, row, most, bank === side));
      });
    }
    const focused = document.activeElement?.getAttribute("data-person");
    this.people.replaceChildren(...drawn);
    if (focused) /** @type {SVGElement | null} */ (this.people.querySelector(`[data-person="${focused}"]`) ?? this.people.querySelector("[data-person]"))?.focus();
  }

  /** @param {Look} look @param {string} bank @param {"missionary" | "cannibal"} kind @param {number} at @param {number} row @param {number} most @param {boolean} near */
  standing(look, bank, kind, at, row, most, near) {
    const perRow = Math.max(3, Math.ceil(most / 2));
    const step = Math.min(92, 270 / perRow);
    const x = (bank === "left" ? 60 : 710) + (at % perRow) * step;
    const y = 120 + row * 280 + Math.floor(at / perRow) * 110;
    return this.button(person(kind), x, y, Math.min(1, step / 88), `${bank}-${kind}-${at}`, personWords(kind, bank), near && look.live ? () => this.board(kind) : null);
  }

  /** @param {SVGElement} picture @param {number} x @param {number} y @param {number} scale @param {string} name @param {string} label @param {(() => void) | null} act */
  button(picture, x, y, scale, name, label, act) {
    const element = s("g", { class: act ? "person able" : "person", transform: `translate(${x} ${y}) scale(${scale})` },
      s("circle", { class: "hit", r: 50 }), picture);
    if (!act) return element;
    set(element, {
      role: "button", tabindex: 0, "aria-label": label, "data-person": name,
      onclick: act,
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        act();
      },
    });
    return element;
  }

  /** @param {Look} look @param {"left" | "right"} side */
  boat(look, side) {
    const x = side === "left" ? 405 : 595;
    const seats = look.state.board.seats ?? 2;
    const able = look.live && this.crew() !== null;
    const hull = s("g", { class: `boat${able ? " able" : ""}`, transform: `translate(${x} 340)` },
      s("path", { class: "hull", d: "M-95 0H95Q80 56 44 58H-44Q-80 56-95 0Z" }),
      s("path", { class: "plank", d: "M-88 20H88" }));
    if (look.live) {
      set(hull, {
        role: "button", tabindex: 0, "aria-label": boatWords(this.aboard, side), "aria-disabled": able ? "false" : "true", "data-person": "boat",
        onclick: () => this.cross(),
        onkeydown: (/** @type {KeyboardEvent} */ event) => {
          if (event.key !== "Enter" && event.key !== " ") return;
          event.preventDefault();
          this.cross();
        },
      });
    }
    const group = s("g", {}, hull);
    let at = 0;
    for (const kind of KINDS) {
      for (let one = 0; one < this.aboard[kind]; one++, at++) {
        group.append(this.button(person(kind), x + (at - (seats - 1) / 2) * Math.min(78, 170 / seats), 300, Math.min(0.9, 2 / seats), `aboard-${kind}-${one}`, personWords(kind, "boat"), () => {
          this.aboard[kind]--;
          if (this.look) this.show(this.look);
        }));
      }
    }
    return group;
  }

  /** @param {"missionary" | "cannibal"} kind */
  board(kind) {
    const seats = this.look?.state.board.seats ?? 2;
    if (this.aboard.missionary + this.aboard.cannibal >= seats || !this.look) return;
    this.aboard[kind]++;
    this.show(this.look);
  }

  /** The legal move of those aboard, or null. */
  crew() {
    const { missionary, cannibal } = this.aboard;
    return this.look?.state.moves.find((move) => (move.crew?.missionaries ?? 0) === missionary && (move.crew?.cannibals ?? 0) === cannibal) ?? null;
  }

  cross() {
    if (!this.crew()) return;
    this.acts.cross({ missionaries: this.aboard.missionary, cannibals: this.aboard.cannibal });
  }
}
