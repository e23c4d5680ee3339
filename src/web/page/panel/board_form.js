// The fields of the dialog that draws a board: its name, the pieces in hand and the rules.

import { html, setShown, setText } from "../dom.js";
import { DEFAULT_VALUES, FLAG, LABELS, inHandLabel, ruleChoices, ruleLabel } from "../text/board_editor.js";
import { inputField, selectField, setOptions } from "./controls.js";

/** @import { BoardDraft, PieceKind } from "../board_file/draft.js" */

/** @type {PieceKind[]} */
const KINDS = ["hunter", "prey"];
/** When the rules are shown that apply only to some boards. @type {Record<string, (draft: BoardDraft) => boolean>} */
const APPLIES = {
  leap: ({ values }) => values.captures !== "none",
  capture: ({ values }) => values.captures !== "none",
  huff: ({ values }) => values.captures !== "none" && values.capture !== "forced",
  "prey-turn": ({ values }) => /forward/.test(values["prey-steps"] ?? ""),
  "hunters-drop": ({ pieces }) => pieces.hunter.hand > 0,
};
/** Maximum number of pieces of a side. */
const MAX_PIECES = 63;

/** Returns the names of the hunters and of the prey. @param {BoardDraft} draft @returns {[string, string]} */
export function sideNames({ values }) {
  const [hunters = "hunters", prey = "prey"] = (values.names ?? "").split(" ").filter(Boolean);
  return [hunters, prey];
}

/**
 * Creates the fields. A field that has the focus keeps its text.
 * @param {(action: (draft: BoardDraft) => void) => void} change called to change the draft
 */
export function createBoardForm(change) {
  /** @type {((draft: BoardDraft) => void)[]} */
  const updates = [];
  /** @param {HTMLInputElement} input @param {string} value */
  const show = (input, value) => {
    if (document.activeElement !== input && input.value !== value) input.value = value;
  };
  /** @param {{ element: HTMLElement }} field @param {string} text */
  const setLabel = ({ element }, text) => setText(/** @type {Element} */ (element.firstElementChild), text);

  /** @param {string} label @param {(draft: BoardDraft) => string} read @param {(draft: BoardDraft, text: string) => void} write */
  function textField(label, read, write) {
    const field = inputField(label, "text", { maxlength: 200, oninput: () => change((draft) => write(draft, field.input.value.trim())) });
    updates.push((draft) => show(field.input, read(draft)));
    return field.element;
  }

  /** @param {number} min @param {(draft: BoardDraft) => number} read @param {(draft: BoardDraft, value: number) => void} write @param {(draft: BoardDraft) => string} label */
  function numberField(min, read, write, label) {
    const field = inputField("", "number", { min, max: MAX_PIECES, oninput: () => change((draft) => write(draft, Math.min(MAX_PIECES, Math.max(min, Math.round(Number(field.input.value)) || min)))) });
    updates.push((draft) => {
      setLabel(field, label(draft));
      show(field.input, String(read(draft)));
    });
    return field.element;
  }

  /** @param {string} keyword */
  function ruleField(keyword) {
    const field = selectField("", [], (value) => change(({ values }) => {
      delete values[keyword];
      if (value) values[keyword] = value === FLAG ? "" : value;
    }));
    updates.push((draft) => {
      const names = sideNames(draft);
      const { prey } = draft.pieces;
      setLabel(field, ruleLabel(keyword, names));
      setOptions(field.input, ruleChoices(names, prey.hand + prey.at.size)[keyword]);
      const value = draft.values[keyword];
      field.input.value = value === undefined || value === DEFAULT_VALUES[keyword] ? "" : value || FLAG;
      // A value in the file is shown even if it does not apply.
      setShown(field.element, field.input.value !== "" || !(keyword in APPLIES) || APPLIES[keyword](draft));
    });
    return field.element;
  }

  const names = KINDS.map((kind, at) => textField(kind === "hunter" ? LABELS.hunters : LABELS.prey, (draft) => sideNames(draft)[at], (draft, text) => {
    const both = sideNames(draft);
    both[at] = text.replace(/\s+/g, "-") || KINDS[at];
    draft.values.names = both.join(" ");
  }));
  const values = [["game", LABELS.game], ["about", LABELS.about]].map(([keyword, label]) => textField(label, (draft) => draft.values[keyword] ?? "", (draft, text) => { draft.values[keyword] = text; }));
  const hands = KINDS.map((kind, at) => numberField(0, (draft) => draft.pieces[kind].hand, (draft, count) => { draft.pieces[kind].hand = count; }, (draft) => inHandLabel(sideNames(draft)[at])));
  const firstDrops = numberField(1, (draft) => Number(draft.values["first-drops"]) || 1, (draft, count) => { draft.values["first-drops"] = count > 1 ? String(count) : ""; }, (draft) => ruleLabel("first-drops", sideNames(draft)));
  updates.push((draft) => setShown(firstDrops, draft.pieces.prey.hand > 1));
  const rules = ["first", "captures", "leap", "capture", "huff", "prey-steps", "prey-turn", "prey-stuck", "repetition", "hunters-drop"].map(ruleField);
  return {
    elements: [html("div.form", {}, ...names, ...hands), html("h3", {}, LABELS.rules), html("div.form", {}, ...rules, firstDrops), html("h3", {}, LABELS.file), html("div.form", {}, ...values)],
    /** @param {BoardDraft} draft */
    render: (draft) => updates.forEach((update) => update(draft)),
  };
}
