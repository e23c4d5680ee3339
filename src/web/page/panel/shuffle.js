// The controls of sliding-tile puzzles: shuffle, goal, and the picture on the tiles.

import { goalFen, newGame, queries, showMessage, shufflePuzzle } from "../actions.js";
import { html, setShown } from "../dom.js";
import { display, game, preferences, setPreference } from "../state.js";
import { ACTIONS, LABELS, MESSAGES, engineErrorText } from "../text.js";
import { setOwnPicture } from "../view/picture.js";
import { button, inputField, selectField, slider } from "./controls.js";

export function createShuffleControls() {
  const moves = slider(LABELS.shuffleMoves, 1, 80, (value) => { display.shuffleMoves = value; });
  const file = /** @type {HTMLInputElement} */ (html("input.off-stage", { type: "file", accept: "image/*", "aria-label": ACTIONS.ownPicture, tabindex: -1, onchange: () => loadPicture(file.files?.[0]) }));
  const picture = selectField(LABELS.picture, [["", LABELS.numbers], ["tiger", LABELS.tigerPicture], ["hills", LABELS.hillsPicture], ["own", ACTIONS.ownPicture]], (name) => {
    if (name === "own") file.click();
    else setPreference("picture", name);
  });
  const goal = inputField(LABELS.goal, "text", {});
  const goalForm = html("form.goal", { onsubmit: (/** @type {Event} */ event) => {
    event.preventDefault();
    void setGoal(goal.input.value.trim());
  } }, goal.element, html("button", {}, ACTIONS.setPosition));
  const element = html("div.shuffle", {},
    moves.element,
    html("div.row", {}, button(ACTIONS.shuffle, () => shufflePuzzle(), ".main"), button(ACTIONS.randomPosition, () => shufflePuzzle(null))),
    picture.element, file, goalForm);
  return {
    element,
    render() {
      if (element.hidden) return;
      moves.setValue(display.shuffleMoves);
      if (picture.input.value !== preferences.picture && preferences.picture !== "own") picture.input.value = preferences.picture;
      if (document.activeElement !== goal.input && game.state?.board.goal) goal.input.value = goalFen(game.state.board.goal);
      setShown(goalForm, game.state?.board.kind === "tiles");
    },
  };
}

/** Starts a game at another goal. @param {string} goal */
async function setGoal(goal) {
  const { variant } = game;
  const fen = `${goal} goal ${goal}`;
  try {
    await queries.state(variant, `fen ${fen}`);
    if (game.variant === variant) newGame({ fen });
  } catch (error) {
    // The column counts from the start of the engine's line, not of the field.
    showMessage(engineErrorText(/** @type {Error} */ (error).message.replace(/^column \d+: /, "")));
  }
}

/** Puts a picture from a file on the tiles. @param {File | undefined} file */
function loadPicture(file) {
  if (!file) return;
  const reader = new FileReader();
  reader.onload = () => {
    const image = new Image();
    image.onload = () => {
      setOwnPicture(String(reader.result));
      setPreference("picture", "own");
    };
    image.onerror = () => showMessage(MESSAGES.badPicture);
    image.src = String(reader.result);
  };
  reader.onerror = () => showMessage(MESSAGES.badPicture);
  reader.readAsDataURL(file);
}
