// The page's address: variant, first position and moves in the fragment, so that a reload or a friend sees the same.

/** @typedef {{ variant: string | null, fen: string | null, moves: string, token: string | null }} Address */

/** Reads a fragment, with or without its `#`. @param {string} fragment @returns {Address} */
export function parse(fragment) {
  const words = new URLSearchParams(fragment.replace(/^#/, ""));
  return {
    variant: words.get("variant"),
    fen: words.get("fen"),
    moves: words.get("moves") ?? "",
    token: words.get("token"),
  };
}

/**
 * The fragment for a game; what is not said is the start.
 * @param {{ variant: string, fen: string | null, moves: string }} game
 */
export function fragment({ variant, fen, moves }) {
  const words = [`variant=${escaped(variant)}`];
  if (fen !== null) words.push(`fen=${escaped(fen)}`);
  if (moves) words.push(`moves=${escaped(moves)}`);
  return `#${words.join("&")}`;
}

/** Blanks as `+`, the rest as it may stand in a fragment. @param {string} text */
function escaped(text) {
  return encodeURIComponent(text).replaceAll("%20", "+").replaceAll("%2F", "/").replaceAll("%2C", ",").replaceAll("%3D", "=");
}
