// The fragment of the page's address: variant, first position and moves, so that a reload or a shared link shows the same game.

/** @typedef {{ variant: string | null, fen: string | null, moves: string, token: string | null }} Address */

/** Parses a fragment, with or without its `#`. @param {string} fragment @returns {Address} */
export function parse(fragment) {
  const values = new URLSearchParams(fragment.replace(/^#/, ""));
  return {
    variant: values.get("variant"),
    fen: values.get("fen"),
    moves: values.get("moves") ?? "",
    token: values.get("token"),
  };
}

/** Returns the fragment of a game. The variant's own first position is left out. @param {{ variant: string, fen: string | null, moves: string }} game */
export function fragment({ variant, fen, moves }) {
  const parts = [`variant=${escape(variant)}`];
  if (fen !== null) parts.push(`fen=${escape(fen)}`);
  if (moves) parts.push(`moves=${escape(moves)}`);
  return `#${parts.join("&")}`;
}

/** Escapes text for a fragment: spaces as `+`; `/`, `,` and `=` stay readable. @param {string} text */
function escape(text) {
  return encodeURIComponent(text).replaceAll("%20", "+").replaceAll("%2F", "/").replaceAll("%2C", ",").replaceAll("%3D", "=");
}
