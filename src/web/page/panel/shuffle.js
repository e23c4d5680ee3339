// Puzzles of tiles: shuffle them, choose the goal, put a picture on them.

import { choose } from "../view/picture.js";
import { h, show } from "../dom.js";
import { page } from "../state.js";
import { asker, begin, mix, prefer, rows, tell } from "../actions.js";
import { DO, LABEL, SAY } from "../text.js";
import { button, choice, field, slider } from "./controls.js";

export function shuffler() {
  const difficulty = slider(LABEL.difficulty, 1, 80, (value) => { page.difficulty = value; });
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
    h("div.row", {}, button(DO.shuffle, () => mix(), ".main"), button(DO.random, () => mix(null))),
    on.element, file, own);
  return {
    element,
    render() {
      if (element.hidden) return;
      difficulty.put(page.difficulty);
      if (on.input.value !== page.picture && page.picture !== "own") on.input.value = page.picture;
      if (document.activeElement !== goal.input && page.state?.board.goal) goal.input.value = rows(page.state.board.goal);
      show(own, page.state?.board.kind === "tiles");
    },
  };
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
