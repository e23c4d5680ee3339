// What the view of a board needs to show a board that is being drawn.

import { freePlaces, gridAround, idOf, namesOf } from "../board_file/draft.js";
import { oneOf } from "../text/nouns.js";
import { sideNames } from "./board_form.js";

/** @import { BoardDraft, PieceKind, Place } from "../board_file/draft.js" */
/** @import { State } from "../types.js" */

/** A point of the board, or a place of the grid for one. @typedef {{ id: string, place: Place, isDrawn: boolean }} DrawnSpot */

/** Returns the points of a board and the free places of its grid, by the names of their spots. @param {BoardDraft} draft @param {number} size the places a side @returns {Map<string, DrawnSpot>} */
export function spotsOf(draft, size) {
  /** @type {Map<string, DrawnSpot>} */
  const spots = new Map();
  for (const [id, name] of namesOf(draft)) spots.set(name, { id, place: /** @type {Place} */ (draft.points.get(id)), isDrawn: true });
  for (const place of freePlaces(draft, gridAround(draft, size))) spots.set(idOf(place), { id: idOf(place), place, isDrawn: false });
  return spots;
}

/** Returns the first position of a board, as far as the view shows it. @param {BoardDraft} draft @param {Map<string, DrawnSpot>} spots @returns {State} */
export function draftState(draft, spots) {
  const { lines, pieces, heights, zones, values } = draft;
  const names = namesOf(draft);
  const first = values.first === "hunters" ? "hunter" : "prey";
  /** @param {PieceKind} kind @returns {"p1" | "p2"} */
  const player = (kind) => (kind === first ? "p1" : "p2");
  const players = first === "hunter" ? sideNames(draft) : sideNames(draft).toReversed();
  /** @param {Iterable<string>} ids */
  const named = (ids) => [...ids].map((id) => names.get(id) ?? "");
  /** @param {PieceKind} kind */
  const placed = (kind) => [...pieces[kind].at].map((id) => ({ at: names.get(id) ?? "", kind, player: player(kind), count: kind === "prey" ? heights.get(id) : undefined }));
  /** @param {string} kind @param {PieceKind} owner @param {string} keyword */
  const zone = (kind, owner, keyword) => ({ kind, player: player(owner), points: named(zones[keyword]) });
  return {
    variant: "", title: values.game ?? "", group: "hunts", rules: [], fen: "", ply: 0, turn: "p1", players, each: players.map(oneOf),
    outcome: null, ending: null, score: null, hand: [], captured: [], direction: null, moves: [], solved: null, occurrences: null, algorithms: [], heuristics: [], tables: false,
    pieces: [...placed("hunter"), ...placed("prey")],
    board: {
      kind: "graph", lines: lines.map(named), free: [...spots].filter(([, { isDrawn }]) => !isDrawn).map(([name]) => name),
      points: [...spots].map(([name, { place }]) => ({ name, ...place })),
      zones: [zone("goal", "hunter", "hunters-goal"), zone("trap", "hunter", "hunters-trap"), zone("goal", "prey", "prey-goal"), zone("zone", "prey", "prey-zone"), zone("stacks", "prey", "prey-stacks")].filter(({ points }) => points.length),
    },
  };
}
