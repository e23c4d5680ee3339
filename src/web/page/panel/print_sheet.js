// The sheet for the printer: the position, the moves with variations and comments, the rules, and an empty board to play on.

import { html } from "../dom.js";
import { language, translated } from "../language.js";
import { findReliableLoss } from "../loss.js";
import { OffstageBoard } from "../offstage_board.js";
import { game, startState } from "../state.js";
import { ACTIONS, LABELS, resultText, ruleTexts, sideToMove, titleText } from "../text.js";

/** @import { Child } from "../dom.js" */
/** @import { GameNode } from "../game_tree.js" */
/** @import { State } from "../types.js" */

/** Prints the sheet of the game on the board. */
export function printSheet() {
  const { state } = game;
  if (!state) return;
  const root = document.documentElement;
  const isDark = root.classList.contains("dark");
  // Paper is white. The class is back before the next frame.
  root.classList.remove("dark");
  const sheet = createSheet(state);
  root.classList.toggle("dark", isDark);
  document.querySelector(".print-sheet")?.remove();
  document.body.append(sheet);
  window.print();
}

/** Returns the date in the language of the page, as the country of the browser writes it. */
function dateText() {
  const locales = navigator.languages.filter((tag) => tag.startsWith(language));
  return new Date().toLocaleDateString([...locales, language], { numberingSystem: "latn" });
}

/** @param {State} state */
function createSheet(state) {
  const board = new OffstageBoard(state);
  /** @param {State} shown */
  const draw = (shown) => {
    board.show(shown, null);
    return board.picture();
  };
  const position = draw(state);
  const hasPieces = state.board.kind === "graph" || state.board.kind === "grid";
  const empty = hasPieces ? draw({ ...state, pieces: [], ending: null }) : null;
  board.close();
  const { tree } = game;
  const moves = moveTexts(tree.root);
  const first = startState();
  return html("article.print-sheet", {},
    html("h1", {}, titleText(state)),
    html("p", {}, [translated(first?.origin ?? ""), first?.year, dateText()].filter(Boolean).join(" · ")),
    position,
    html("p.status", {}, state.outcome ? resultText(state) : state.players.length > 1 ? sideToMove(state) : ""),
    moves.length > 0 && html("h2", {}, LABELS.moves),
    tree.root.comment && html("p.comment", {}, tree.root.comment),
    html("p.printed-moves", {}, ...moves),
    html("section", {}, html("h2", {}, ACTIONS.rules), html("ol.rules", {}, ...ruleTexts(state).map((sentence) => html("li", {}, sentence))), empty));
}

/** Returns the moves below a node, variations in brackets after the move that they replace. @param {GameNode} root @returns {Child[]} */
function moveTexts(root) {
  /** @type {Child[]} */
  const texts = [];
  let isStart = true;
  for (let at = root; at.children.length; at = at.children[0]) {
    const [main, ...variations] = at.children;
    texts.push(moveText(main, isStart));
    for (const variation of variations) texts.push(html("span.variation", {}, "(", moveText(variation, true), ...moveTexts(variation), ")"), " ");
    isStart = variations.length > 0;
  }
  return texts;
}

/** @param {GameNode} node @param {boolean} isStart whether the move has a number in any case */
function moveText(node, isStart) {
  const loss = findReliableLoss(node);
  const number = isStart || node.ply % 2 === 1 ? `${node.ply}. ` : "";
  const mark = loss ? (loss.lost === "chances" ? "?" : "??") : "";
  return html("span", {}, html("span.ply", {}, `${number}${node.move}${mark}`), " ", node.comment && html("em", {}, `${node.comment} `));
}
