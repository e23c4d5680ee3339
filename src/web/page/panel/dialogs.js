// What opens over the page: the games, the rules, a position to set up, a link to share, the keys.

import { example, thumb } from "../view/thumb.js";
import { find, h } from "../dom.js";
import { glyph } from "../glyphs.js";
import { page, start } from "../state.js";
import { asker, begin } from "../actions.js";
import { DO, GROUPS, KEYS, LABEL, SAY } from "../text.js";
import { button, field } from "./controls.js";

/** @import { State } from "../types.js" */

const dialog = () => /** @type {HTMLDialogElement} */ (find("dialog"));

/** @param {string} title @param {string} name @param {...import("../dom.js").Child} body */
function open(title, name, ...body) {
  const box = dialog();
  box.dataset.shows = name;
  box.replaceChildren(
    h("div.head", {}, h("h2", { id: "dialog-title" }, title), h("button.square.plain", { type: "button", "aria-label": DO.close, onclick: () => box.close() }, glyph("close"))),
    h("div.body", {}, ...body));
  if (!box.open) box.showModal();
}

export function setUp() {
  find("games").onclick = games;
  find("rules").onclick = rules;
  find("position").onclick = position;
  find("share").onclick = share;
  find("keys").onclick = keys;
  dialog().addEventListener("click", (event) => {
    // A click beside the box closes it.
    if (event.target === dialog()) dialog().close();
  });
}

/** Every variant with a small drawing of its board. */
export function games() {
  const groups = [...new Set(page.variants.map((state) => state.group))];
  open(DO.games, "games", h("div.groups", {}, ...groups.map((group) => h("section.group", {},
    h("h3", {}, /** @type {Record<string, string>} */ (GROUPS)[group] ?? group),
    h("div.cards", {}, ...page.variants.filter((state) => state.group === group).map(card))))));
  /** @type {HTMLElement | null} */ (dialog().querySelector("[aria-pressed=true]"))?.focus();
}

/** @param {State} state */
function card(state) {
  return h("button.card", {
    type: "button",
    "data-variant": state.variant,
    "aria-pressed": state.variant === page.variant ? "true" : "false",
    onclick: () => {
      dialog().close();
      begin({ variant: state.variant, fen: null });
    },
  }, thumb(state), h("span", {}, state.title));
}

/** The rules in a few sentences, and two small pictures. */
export function rules() {
  const state = page.state ?? start();
  if (!state) return;
  // Another size than the usual one begins elsewhere.
  const first = start();
  const board = thumb(first?.title === state.title ? first : state);
  open(`${DO.rules}: ${state.title}`, "rules", h("div.pictures", {}, board, example(state)), h("ul.rules", {}, ...state.rules.map((sentence) => h("li", {}, sentence))));
}

const BEFORE_FEN = "position fen ";

/** Any position by its FEN. */
export function position() {
  const input = field(LABEL.fen, "text", { value: page.state?.fen ?? "", name: "fen" });
  const wrong = h("p.wrong", { role: "alert" });
  const form = h("form.fen", { onsubmit: async (/** @type {Event} */ event) => {
    event.preventDefault();
    const fen = input.input.value.trim();
    // A position that is on the board already keeps its game.
    if (fen === page.state?.fen) return dialog().close();
    try {
      if (fen !== "") await asker.state(page.variant, `fen ${fen}`);
      dialog().close();
      begin({ fen: fen === "" ? null : fen });
    } catch (error) {
      // The place is told of the whole line that the engine read.
      const { message } = /** @type {Error} */ (error);
      wrong.textContent = message.replace(/^column (\d+)/, (_, column) => `column ${Math.max(1, Number(column) - BEFORE_FEN.length)}`);
    }
  } }, input.element, h("button.main", {}, DO.setFen), button(DO.copyFen, () => copy(input.input, said)));
  const said = h("p.hint", { role: "status" });
  open(DO.position, "position", form, wrong, said);
  input.input.select();
}

/** The address of the page without its key: position and moves. */
export function share() {
  const said = h("p.hint", { role: "status" });
  const input = field(DO.share, "text", { value: location.href, readonly: true });
  open(DO.share, "share", input.element, h("div.row", {}, button(DO.copyLink, () => copy(input.input, said), ".main")), said);
  input.input.select();
}

/** @param {HTMLInputElement} input @param {HTMLElement} said */
async function copy(input, said) {
  input.select();
  try {
    await navigator.clipboard.writeText(input.value);
    said.textContent = SAY.copied;
  } catch {
    said.textContent = SAY.notCopied;
  }
}

export function keys() {
  open(DO.keys, "keys", h("dl.keys", {}, ...KEYS.flatMap(([key, what]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, what)])));
}
