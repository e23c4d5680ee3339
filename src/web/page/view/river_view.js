// The river of missionaries and cannibals: two banks, and a boat that people get in and out of.

import { buttonAttributes, setAttributes, svg } from "../dom.js";
import { boatLabel, personLabel, titleText } from "../text.js";
import { person } from "./pieces.js";

/** @import { ViewModel } from "./board_view.js" */

const KINDS = /** @type {const} */ (["missionary", "cannibal"]);

export class RiverView {
  /** @param {{ cross: (crew: { missionaries: number, cannibals: number }) => void }} handlers */
  constructor(handlers) {
    this.handlers = handlers;
    this.element = svg("svg", { class: "board river", viewBox: "0 0 1000 620", role: "group" });
    this.land = svg("g", { class: "ground", "aria-hidden": "true" });
    this.people = svg("g", { class: "people" });
    this.element.append(this.land, this.people);
    /** The number of people in the boat, by kind. */
    this.aboard = { missionary: 0, cannibal: 0 };
    /** @type {ViewModel | null} */
    this.model = null;
    this.fen = "";
    this.land.append(
      svg("rect", { class: "wood", x: 1, y: 1, width: 998, height: 618, rx: 24 }),
      svg("path", { class: "water", d: "M330 20Q310 160 340 300T330 600H670Q650 440 665 300T670 20Z" }),
      ...[90, 200, 470, 560].map((y, at) => svg("path", { class: "wave", d: `M${400 + (at % 2) * 60} ${y}q20-16 40 0t40 0t40 0` })));
  }

  /** @param {ViewModel} model */
  render(model) {
    if (model.state.fen !== this.fen) this.aboard = { missionary: 0, cannibal: 0 };
    this.fen = model.state.fen;
    this.model = model;
    setAttributes(this.element, { "aria-label": titleText(model.state) });
    const { board } = model.state;
    const side = board.boat ?? "left";
    /** @type {SVGElement[]} */
    const drawn = [this.drawBoat(model, side)];
    for (const bank of /** @type {const} */ (["left", "right"])) {
      for (const kind of KINDS) {
        const total = (kind === "missionary" ? board.missionaries : board.cannibals) ?? 0;
        const onBank = (model.state.pieces.find((piece) => piece.at === bank && piece.kind === kind)?.count ?? 0) - (bank === side ? this.aboard[kind] : 0);
        for (let at = 0; at < onBank; at++) drawn.push(this.drawPersonOnBank(model, bank, kind, at, total, bank === side));
      }
    }
    const focused = document.activeElement?.getAttribute("data-person");
    this.people.replaceChildren(...drawn);
    if (focused) /** @type {SVGElement | null} */ (this.people.querySelector(`[data-person="${focused}"]`) ?? this.people.querySelector("[data-person]"))?.focus();
  }

  /**
   * Draws a person on a bank.
   * @param {ViewModel} model
   * @param {"left" | "right"} bank
   * @param {"missionary" | "cannibal"} kind
   * @param {number} at index among the people of this kind on this bank
   * @param {number} total people of this kind in the puzzle
   * @param {boolean} hasBoat whether the boat is on this bank
   */
  drawPersonOnBank(model, bank, kind, at, total, hasBoat) {
    const perRow = Math.max(3, Math.ceil(total / 2));
    const distance = Math.min(92, 270 / perRow);
    const x = (bank === "left" ? 60 : 710) + (at % perRow) * distance;
    const y = 120 + KINDS.indexOf(kind) * 280 + Math.floor(at / perRow) * 110;
    return this.drawPerson(person(kind), x, y, Math.min(1, distance / 88), `${bank}-${kind}-${at}`, personLabel(kind, bank), hasBoat && model.canMove ? () => this.getIn(kind) : null);
  }

  /** Draws a person, as a button if there is an action. @param {SVGElement} picture @param {number} x @param {number} y @param {number} scale @param {string} name @param {string} label @param {(() => void) | null} action */
  drawPerson(picture, x, y, scale, name, label, action) {
    const element = svg("g", { class: action ? "person able" : "person", transform: `translate(${x} ${y}) scale(${scale})` },
      svg("circle", { class: "hit", r: 50 }), picture);
    if (action) setAttributes(element, { ...buttonAttributes(label, action), "data-person": name });
    return element;
  }

  /** Draws the boat and the people in it. @param {ViewModel} model @param {"left" | "right"} side */
  drawBoat(model, side) {
    const x = side === "left" ? 405 : 595;
    const seats = model.state.board.seats ?? 2;
    const canCross = model.canMove && this.legalCrossing() !== null;
    const hull = svg("g", { class: `boat${canCross ? " able" : ""}`, transform: `translate(${x} 340)` },
      svg("path", { class: "hull", d: "M-95 0H95Q80 56 44 58H-44Q-80 56-95 0Z" }),
      svg("path", { class: "plank", d: "M-88 20H88" }));
    if (model.canMove) setAttributes(hull, { ...buttonAttributes(boatLabel(this.aboard, side), () => this.cross()), "aria-disabled": canCross ? "false" : "true", "data-person": "boat" });
    const people = KINDS.flatMap((kind) => Array.from({ length: this.aboard[kind] }, (_, at) => ({ kind, at })));
    return svg("g", {}, hull, ...people.map(({ kind, at }, seat) => {
      const seatX = x + (seat - (seats - 1) / 2) * Math.min(78, 170 / seats);
      return this.drawPerson(person(kind), seatX, 300, Math.min(0.9, 2 / seats), `aboard-${kind}-${at}`, personLabel(kind, "boat"), () => {
        this.aboard[kind]--;
        if (this.model) this.render(this.model);
      });
    }));
  }

  /** Puts a person into the boat if there is a free seat. @param {"missionary" | "cannibal"} kind */
  getIn(kind) {
    const seats = this.model?.state.board.seats ?? 2;
    if (this.aboard.missionary + this.aboard.cannibal >= seats || !this.model) return;
    this.aboard[kind]++;
    this.render(this.model);
  }

  /** Returns the legal move of the people in the boat, or `null`. */
  legalCrossing() {
    const { missionary, cannibal } = this.aboard;
    return this.model?.state.moves.find((move) => (move.crew?.missionaries ?? 0) === missionary && (move.crew?.cannibals ?? 0) === cannibal) ?? null;
  }

  cross() {
    this.handlers.cross({ missionaries: this.aboard.missionary, cannibals: this.aboard.cannibal });
  }
}
