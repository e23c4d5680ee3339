// The fragment of the page's address: variant, drawn board, first position and moves, so that a reload or a shared link shows the same game.

import { addressLanguage } from "./language.js";

/** Maximum length of a board file in a link, in characters. Programs that send links may cut longer ones. */
const MAX_BOARD_LENGTH = 4000;

/** @typedef {{ variant: string | null, fen: string | null, moves: string, board: string, lang: string, token: string | null }} Address */

/** Parses a fragment, with or without its `#`. @param {string} fragment @returns {Address} */
export function parse(fragment) {
  const values = new URLSearchParams(fragment.replace(/^#/, ""));
  return {
    variant: values.get("variant"),
    fen: values.get("fen"),
    moves: values.get("moves") ?? "",
    board: values.get("board") ?? "",
    lang: values.get("lang") ?? "",
    token: values.get("token"),
  };
}

/** Returns the fragment of a game. The variant's own first position and a long board file are left out. The language stays if the page was opened with one. @param {{ variant: string, fen: string | null, moves: string, board: string }} game */
export function fragment({ variant, fen, moves, board }) {
  const parts = [`variant=${escape(variant)}`];
  if (fen !== null) parts.push(`fen=${escape(fen)}`);
  if (moves) parts.push(`moves=${escape(moves)}`);
  const boardPart = `board=${escape(board)}`;
  if (board && boardPart.length <= MAX_BOARD_LENGTH) parts.push(boardPart);
  if (addressLanguage) parts.push(`lang=${escape(addressLanguage)}`);
  return `#${parts.join("&")}`;
}

/** Escapes text for a fragment: spaces as `+`; `/`, `,` and `=` stay readable. @param {string} text */
function escape(text) {
  return encodeURIComponent(text).replaceAll("%20", "+").replaceAll("%2F", "/").replaceAll("%2C", ",").replaceAll("%3D", "=");
}
