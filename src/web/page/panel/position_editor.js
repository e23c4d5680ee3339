// The editor of a position in a dialog: a board, the pieces to place, the side to move and the pieces in hand.

import { newGame, queries } from "../actions.js";
import { html, setAttributes, setText } from "../dom.js";
import { glyph } from "../glyphs.js";
import { canBeSetUp, draftFen, draftOf, kindsOf, piecesOf, putPiece, totalOf } from "../setup_position.js";
import { display, game, preferences } from "../state.js";
import { SETUP_ACTIONS, SETUP_LABELS, SETUP_LEGAL, SETUP_NOTE, finishedText, handLabel, illegalText, pieceButtonText, sideTitle } from "../text.js";
import { BoardView } from "../view/board_view.js";
import { icon } from "../view/pieces.js";
import { button, inputField, palette, selectField } from "./controls.js";

/** @import { State } from "../types.js" */

/** The choice that removes pieces. */
const REMOVE = "remove";

/**
 * Creates the editor of the position on the board, or `null` if the game has none.
 * @param {() => void} close closes the dialog
 * @param {(fen: string) => void} onFen called with the FEN after every change
 * @returns {HTMLElement | null}
 */
export function createPositionEditor(close, onFen) {
  const base = game.state;
  if (!base || !canBeSetUp(base)) return null;
  const { variant } = game;
  let draft = draftOf(base);
  const kinds = kindsOf(base);
  let chosen = kinds[0]?.kind ?? REMOVE;
  let check = 0;
  const view = new BoardView({ click: (at) => { putPiece(draft, base, at, chosen === REMOVE ? "" : chosen); update(); }, drag: () => {}, slide: () => {} });
  const choices = [...kinds.map(({ kind, player }) => ({ kind, text: pieceButtonText(base, player), picture: icon(base, kind, player) })), { kind: REMOVE, text: SETUP_LABELS.remove, picture: glyph("close") }];
  const pieces = palette(choices, (kind) => { chosen = kind; update(); });
  const turn = selectField(SETUP_LABELS.turn, ["p1", "p2"].map((side) => [side, sideTitle(base, side)]), (side) => { draft.turn = side === "p2" ? "p2" : "p1"; update(); });
  const hands = base.hand.filter(({ kind }) => kind !== "hunter").map(({ kind, player }) => {
    const max = totalOf(base, kind);
    const field = inputField(handLabel(base, player), "number", { min: 0, max, oninput: () => { draft.hand[kind] = Math.min(max, Math.max(0, Math.round(Number(field.input.value)) || 0)); update(); } });
    return { kind, field };
  });
  const reason = html("p.reason", { role: "status", "aria-live": "polite" });
  const playButton = button(SETUP_ACTIONS.play, play, ".main");

  /** @param {import("../setup_position.js").Draft} next */
  function replace(next) {
    draft = next;
    update();
  }

  /** Shows the draft, and asks the engine whether it is legal. */
  function update() {
    if (!base) return;
    const fen = draftFen(draft, base);
    view.render({
      state: { ...base, fen, pieces: piecesOf(draft, base), turn: draft.turn, moves: [], ending: null, outcome: null }, clicks: [], lastMove: null, solvedMoves: null, arrows: [],
      showNames: preferences.showNames, flipped: display.flipped, canMove: true, isPreview: false, picture: "", skipAnimation: true,
    });
    pieces.show(chosen);
    turn.input.value = draft.turn;
    for (const { kind, field } of hands) if (document.activeElement !== field.input || Number(field.input.value) !== draft.hand[kind]) field.input.value = String(draft.hand[kind]);
    onFen(fen);
    void judge(fen);
  }

  /** @param {string} fen */
  async function judge(fen) {
    const request = ++check;
    setAttributes(playButton, { disabled: true });
    const text = await queries.state(variant, `fen ${fen}`).then((state) => (state.outcome === null ? "" : finishedText(state)), (error) => illegalText(error.message));
    if (request !== check) return;
    setText(reason, text || SETUP_LEGAL);
    reason.classList.toggle("wrong", text !== "");
    setAttributes(playButton, { disabled: text !== "" });
  }

  function play() {
    if (!base) return;
    const fen = draftFen(draft, base);
    close();
    // An unchanged position keeps the game.
    if (fen !== draftFen(draftOf(base), base)) newGame({ fen });
  }

  update();
  return html("div.setup", {}, view.element, html("div.setup-controls", {},
    html("p.hint", {}, SETUP_NOTE),
    html("div.row", { role: "group", "aria-label": SETUP_LABELS.pieces }, ...pieces.buttons),
    html("div.form", {}, turn.element, ...hands.map(({ field }) => field.element)),
    html("div.row", {}, button(SETUP_ACTIONS.clear, () => replace({ ...draft, pieces: new Map(), hand: Object.fromEntries(Object.keys(draft.hand).map((kind) => [kind, totalOf(base, kind)])) })),
      button(SETUP_ACTIONS.first, () => void firstDraft(variant, base).then(replace))),
    reason, html("div.row", {}, playButton)));
}

/** Returns the draft of the first position. Another size than the variant's is empty. @param {string} variant @param {State} base */
async function firstDraft(variant, base) {
  if (base.board.kind === "grid") return draftOf({ ...base, pieces: [], turn: "p1" });
  return draftOf(await queries.state(variant, "startpos"));
}
