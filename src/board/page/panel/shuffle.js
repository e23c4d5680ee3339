// Puzzles of tiles: shuffle them, choose the goal, put a picture on them.

import { choose } from "../board/picture.js";
import { h, show } from "../dom.js";
import { page, start } from "../page.js";
import { asker, begin, prefer, tell } from "../play.js";
import { DO, LABEL, SAY } from "../words.js";
import { button, choice, field, slider } from "./controls.js";


let moves = 20;

export function shuffler() {
  const difficulty = slider(LABEL.difficulty, 1, 80, (value) => { moves = value; });
  const file = /** @type {HTMLInputElement} */ (h("input.off-stage", { type: "file", accept: "image/*", "aria-label": DO.ownPicture, tabindex: -1, onchange: () => picture(file.files?.[0]) }));
  const on = choice(LABEL.picture, [["", LABEL.numbers], ["tiger", "A tiger"], ["hills", "Hills at night"], ["own", DO.ownPicture]], (name) => {
    if (name === "own") file.click();
    else prefer("picture", name);
  });
  const goal = field(LABEL.goal, "text", {});
  const own = h("form.goal", { onsubmit: async (/** @type {Event} */ event) => {
    event.preventDefault();
    const { variant } = page;
    const wanted = goal.input.value.trim();
    const fen = `${wanted} goal ${wanted}`;
    try {
      await asker.state(variant, `fen ${fen}`);
      if (page.variant === variant) begin({ fen });
    } catch (error) {
      // The place is one in the line that the engine read, not in the field.
      tell(/** @type {Error} */ (error).message.replace(/^column \d+: /, ""));
    }
  } }, goal.element, h("button", {}, DO.setFen));
  const element = h("div.shuffle", {},
    difficulty.element,
    h("div.row", {}, button(DO.shuffle, () => mix(moves), ".main"), button(DO.random, () => mix(null))),
    on.element, file, own);
  return {
    element,
    render() {
      if (element.hidden) return;
      difficulty.put(moves);
      if (on.input.value !== page.picture && page.picture !== "own") on.input.value = page.picture;
      if (document.activeElement !== goal.input && page.state?.board.goal) goal.input.value = rows(page.state.board.goal);
      show(own, page.state?.board.kind === "tiles");
    },
  };
}

/** @param {number[][]} cells */
function rows(cells) {
  return cells.map((row) => row.join(",")).join("/");
}

/** Shuffles. @param {number | null} [count] moves from the goal; null for any position */
export async function mix(count = moves) {
  const { variant, state } = page;
  const seed = 1 + Math.floor(Math.random() * 1e9);
  const goal = state?.board.goal;
  const home = start()?.board.goal;
  // The engine shuffles away from the present goal, whatever position is set.
  const where = goal && home && rows(goal) !== rows(home) ? `fen ${rows(goal)} goal ${rows(goal)}` : goal ? `fen ${rows(goal)}` : "startpos";
  const fen = await asker.shuffled(variant, where, count, seed).catch((error) => {
    tell(error.message);
    return null;
  });
  if (fen !== null && page.variant === variant) begin({ fen });
}

/** @param {File | undefined} file */
function picture(file) {
  if (!file) return;
  const reader = new FileReader();
  reader.onload = () => {
    const image = new Image();
    image.onload = () => {
      choose(String(reader.result));
      page.picture = "";
      prefer("picture", "own");
    };
    image.onerror = () => tell(SAY.badPicture);
    image.src = String(reader.result);
  };
  reader.onerror = () => tell(SAY.badPicture);
  reader.readAsDataURL(file);
}
