// The list of games: a card for each game with its board, country, year and difficulty, and a filter.

import { html, setShown, setText } from "../dom.js";
import { DIFFICULTIES, difficultyOf, matchesFilter, sectionsOf } from "../game_filter.js";
import { game, server } from "../state.js";
import { DIFFICULTY_LABELS, GAME_LIST, SECTION_LABELS, gameTooltip, originText, titleText, traditionalName } from "../text.js";
import { thumbnail } from "../view/thumb.js";
import { button, inputField, selectField } from "./controls.js";

/** @import { Game } from "../types.js" */

/** Returns the content of the dialog. @param {(variant: string) => void} choose starts a game */
export function createGameList(choose) {
  const cards = new Map(server.variants.map((listed) => [listed, gameCard(listed, choose)]));
  const sections = sectionsOf(server.variants).map(([name, games]) => ({ games, element: html("section.group", {},
    html("h3", {}, SECTION_LABELS[name]), html("div.cards", {}, ...games.map((listed) => /** @type {HTMLElement} */ (cards.get(listed))))) }));
  const search = inputField(GAME_LIST.search, "search", { placeholder: GAME_LIST.searchExample, name: "search", oninput: filterAtTop });
  const difficulty = selectField(GAME_LIST.difficulty, [["", GAME_LIST.anyDifficulty], ...DIFFICULTIES.map(([name]) => /** @type {[string, string]} */ ([name, DIFFICULTY_LABELS[name]]))], filterAtTop);
  const count = html("p.hint", { role: "status" });
  const reason = html("p");
  const nothing = html("div.nothing", {}, reason, button(GAME_LIST.showAll, clear));
  const groups = html("div.groups", { onkeydown: moveByArrow }, ...sections.map(({ element }) => element));
  const note = html("p.hint", {}, GAME_LIST.note);
  const element = html("div.find", { role: "search", onkeydown: onFindKey }, search.element, difficulty.element, count);

  function filter() {
    const text = search.input.value.trim();
    let found = 0;
    for (const [listed, card] of cards) {
      const isFound = matchesFilter(listed, text, difficulty.input.value);
      setShown(card, isFound);
      found += Number(isFound);
    }
    for (const section of sections) setShown(section.element, section.games.some((listed) => !cards.get(listed)?.hidden));
    setText(count, GAME_LIST.count(found, cards.size));
    setText(reason, GAME_LIST.nothing(text));
    setShown(nothing, found === 0);
    setShown(note, found > 0);
  }

  function filterAtTop() {
    filter();
    element.closest("dialog")?.scrollTo(0, 0);
  }

  function clear() {
    search.input.value = difficulty.input.value = "";
    filterAtTop();
    search.input.focus();
  }

  /** Enter opens the first game found, Down goes to it, and Esc clears the filter. @param {KeyboardEvent} event */
  function onFindKey(event) {
    if (event.target !== search.input) return;
    const first = /** @type {HTMLElement | undefined} */ (shownCards()[0]);
    if (event.key === "Enter" && search.input.value.trim()) first?.click();
    else if (event.key === "ArrowDown") first?.focus();
    else if (event.key === "Escape" && search.input.value) clear();
    else return;
    event.preventDefault();
  }

  /** Moves the focus to the next card in the direction of an arrow key. Up leaves the first row to the search. @param {KeyboardEvent} event */
  function moveByArrow(event) {
    const shown = shownCards();
    const at = shown.indexOf(/** @type {HTMLElement} */ (event.target));
    if (at < 0) return;
    const next = cardInDirection(shown, at, event.key);
    if (next === undefined) return;
    event.preventDefault();
    (next ?? search.input).focus();
  }

  function shownCards() {
    return sections.flatMap(({ games }) => games.flatMap((listed) => cards.get(listed) ?? [])).filter((card) => !card.hidden);
  }

  filter();
  return [element, groups, nothing, note];
}

/**
 * Returns the card beside the card `at` in the direction of an arrow key; `null` above the first row, `undefined` for any
 * other key and past the end.
 * @param {HTMLElement[]} cards
 * @param {number} at
 * @param {string} key
 */
function cardInDirection(cards, at, key) {
  if (key === "ArrowRight" || key === "ArrowLeft") return cards[at + (key === "ArrowRight" ? 1 : -1)];
  if (key !== "ArrowDown" && key !== "ArrowUp") return undefined;
  const boxes = cards.map((card) => card.getBoundingClientRect());
  const { left, top } = boxes[at];
  const isBeyond = (/** @type {DOMRect} */ box) => (key === "ArrowDown" ? box.top > top : box.top < top);
  /** Distance to a box: rows count more than columns. @param {number} index */
  const distance = (index) => Math.abs(boxes[index].top - top) * 100 + Math.abs(boxes[index].left - left);
  const beyond = cards.map((_, index) => index).filter((index) => isBeyond(boxes[index]));
  if (beyond.length === 0) return key === "ArrowUp" ? null : undefined;
  return cards[beyond.reduce((best, index) => (distance(index) < distance(best) ? index : best))];
}

/** @param {Game} listed @param {(variant: string) => void} choose */
function gameCard(listed, choose) {
  const difficulty = difficultyOf(listed);
  const known = traditionalName(listed);
  return html("button.card", {
    type: "button",
    "data-variant": listed.variant,
    "aria-pressed": listed.variant === game.variant ? "true" : "false",
    title: gameTooltip(listed, difficulty) || null,
    onclick: () => choose(listed.variant),
  }, thumbnail(listed), html("span.name", {}, titleText(listed)), known && html("span.traditional", { lang: known.lang }, known.name), html("span.origin", {}, originText(listed)), difficulty && html("span.difficulty", {}, html(`span.dots.${difficulty}`, { "aria-hidden": "true" }), DIFFICULTY_LABELS[difficulty]));
}
