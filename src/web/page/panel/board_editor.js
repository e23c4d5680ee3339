// The dialog that draws a board: points by clicking, lines by dragging, pieces and rules by choosing. The board file follows the
// drawing, and the drawing follows the text.

import { newGame, queries } from "../actions.js";
import { openCheckedBoard } from "../board_game.js";
import { BoardFileError } from "../board_file/errors.js";
import { GRID_SIZES, emptyDraft, formatBoard, gridAround, idOf, namesOf, toggleLine, toggleMark, togglePiece, togglePoint } from "../board_file/draft.js";
import { readBoard } from "../board_file/reader.js";
import { boardName } from "../drawn_board.js";
import { html, setAttributes, setText, svg, syncChildren } from "../dom.js";
import { glyph } from "../glyphs.js";
import { loadSetting, saveSetting } from "../storage.js";
import { server } from "../state.js";
import { MESSAGES } from "../text.js";
import { ACTIONS, FILE_TOO_LARGE, LABELS, checkText, errorText, lineNote, markTexts, placeLabel, playNote, sideTitle, toolNote } from "../text/board_editor.js";
import { BoardView } from "../view/board_view.js";
import { LinePointer } from "../view/line_pointer.js";
import { icon } from "../view/pieces.js";
import { createBoardForm, sideNames } from "./board_form.js";
import { draftState, spotsOf } from "./board_preview.js";
import { button, palette, selectField } from "./controls.js";
import { download, fileChooser } from "./file_controls.js";

export { TITLE } from "../text/board_editor.js";

/** @import { Place } from "../board_file/draft.js" */

/** The name of the saved board in the browser's storage. */
const SETTING = "board";
/** Maximum length of a board file that is opened, in characters. */
const MAX_LENGTH = 100000;
/** Maximum number of changes that can be undone. */
const MAX_UNDO = 200;
/** Maximum number of errors that are listed. */
const MAX_LISTED_ERRORS = 6;
/** Number of places a side of an empty board, so that it fits the screen. */
const FIRST_SIZE = innerWidth < 360 ? 5 : 7;
/** Minimum distance of two places on the screen for fingers. A place is a circle of 98.7% of this distance, and has 44 px. */
const MIN_PLACE_PX = 44.6;
/** Distance of the two closest places in the drawing. */
const UNIT = 100;

/** Draws a circle for the button of a tool. @param {string} classes @param {string} circleClass @param {number} r */
function picture(classes, circleClass, r) {
  return svg("svg", { viewBox: "-50 -50 100 100", class: classes, "aria-hidden": "true" }, svg("circle", { class: circleClass, r }));
}

/** Creates the content of the dialog. @param {() => void} close */
export function createBoardEditor(close) {
  let draft = emptyDraft();
  let tool = "point";
  /** The first point of the line being drawn. @type {string | null} */
  let start = null;
  let size = FIRST_SIZE;
  /** The texts before the last changes. @type {string[]} */
  const past = [];
  let spots = spotsOf(draft, size);
  const view = new BoardView({ click, drag: drawLine, slide: () => {} }, LinePointer);
  /** @type {LinePointer} */ (view.pointer).canDraw = (at, isMouse) => ["point", "line"].includes(tool) && (isMouse || spots.get(at)?.isDrawn === true);
  const form = createBoardForm((action) => change(() => action(draft)));
  const note = html("p.hint.tool-note", { "aria-live": "polite" });
  const toolBox = html("div.tools", { role: "group", "aria-label": LABELS.tools });
  const playButton = button(ACTIONS.play, play, ".main");
  const undoButton = button(ACTIONS.undo, undo, "", glyph("undo"));
  const grid = selectField(LABELS.grid, GRID_SIZES.map((places) => [String(places), `${places} × ${places}`]), (places) => { size = Number(places); render(); });
  // The label is hidden for lack of room.
  setAttributes(grid.input, { "aria-label": LABELS.grid });
  const area = /** @type {HTMLTextAreaElement} */ (html("textarea", { rows: 10, spellcheck: "false", "aria-label": LABELS.file, oninput: read, onfocus: remember }));
  const summary = html("p", { role: "status" });
  const errorList = html("ul.board-errors", {});
  const howToPlay = html("div.hint", {});
  const wrong = html("p.wrong", { role: "alert" });
  const chooser = fileChooser(".txt,text/plain", MAX_LENGTH, (text) => {
    setText(wrong, text === null ? FILE_TOO_LARGE : "");
    if (text !== null) replace(text);
  });

  /** Remembers the text before a change. */
  function remember() {
    if (past.at(-1) !== area.value) past.push(area.value);
    if (past.length > MAX_UNDO) past.shift();
  }

  /** Changes the draft, and writes the file. @param {() => void} action */
  function change(action) {
    remember();
    action();
    area.value = formatBoard(draft);
    render();
  }

  /** Reads the text. The drawing stays if the text has no points. */
  function read() {
    const found = readBoard(area.value).draft;
    if (found) {
      draft = found;
      start = null;
    }
    render();
  }

  /** @param {string} text a board file; an empty text is an empty board */
  function open(text) {
    draft = emptyDraft();
    start = null;
    area.value = text || formatBoard(draft);
    draft = readBoard(area.value).draft ?? draft;
    const { columns, rows } = gridAround(draft, draft.points.size ? GRID_SIZES[0] : FIRST_SIZE);
    size = GRID_SIZES.findLast((places) => places <= Math.min(columns, rows)) ?? FIRST_SIZE;
    render();
  }

  /** @param {string} text */
  function replace(text) {
    remember();
    open(text);
  }

  function undo() {
    const text = past.findLast((one) => one !== area.value);
    if (text === undefined) return;
    past.length = past.lastIndexOf(text);
    open(text);
  }

  /** Adds a point if there is none. @param {Place} place */
  function addPoint(place) {
    if (!draft.points.has(idOf(place))) togglePoint(draft, place);
  }

  /** @param {string} at the name of a spot */
  function click(at) {
    const spot = spots.get(at);
    if (!spot) return;
    if (tool === "line" && start !== null && start !== spot.id) return drawLine(namesOf(draft).get(start) ?? "", at);
    if (tool === "point") change(() => togglePoint(draft, spot.place));
    else if (tool === "line") {
      change(() => {
        addPoint(spot.place);
        start = start === null ? spot.id : null;
      });
    } else if (spot.isDrawn) change(() => (tool === "hunter" || tool === "prey" ? togglePiece(draft, tool, spot.id) : toggleMark(draft, tool, spot.id)));
  }

  /** @param {string} from @param {string} to the names of spots */
  function drawLine(from, to) {
    const [first, last] = [spots.get(from), spots.get(to)];
    if (!first || !last) return;
    change(() => {
      addPoint(first.place);
      addPoint(last.place);
      toggleLine(draft, first.id, last.id);
      start = null;
    });
  }

  function render() {
    saveSetting(SETTING, area.value);
    renderBoard();
    renderTools();
    form.render(draft);
    renderErrors();
  }

  /** Draws the board. The focus stays on its place when the names of the points change. */
  function renderBoard() {
    const focused = view.element.contains(document.activeElement) ? spots.get(document.activeElement?.getAttribute("data-at") ?? "")?.place : undefined;
    spots = spotsOf(draft, size);
    const chosen = start === null ? undefined : namesOf(draft).get(start);
    view.render({
      state: draftState(draft, spots), clicks: chosen ? [chosen] : [], lastMove: null, solvedMoves: null, arrows: [],
      showNames: true, flipped: false, canMove: true, isPreview: false, picture: "", skipAnimation: true,
    });
    view.element.style.setProperty("--least", `${((view.drawing?.width ?? 0) * MIN_PLACE_PX) / UNIT}px`);
    for (const spot of view.layers.spots.children) {
      const found = spots.get(spot.getAttribute("data-at") ?? "");
      if (found && !found.isDrawn) setAttributes(spot, { "aria-label": placeLabel(found.place) });
    }
    const name = focused && [...spots].find(([, { place }]) => idOf(place) === idOf(focused))?.[0];
    if (name) view.keys.focus(name);
    grid.input.value = String(size);
  }

  function renderTools() {
    const state = draftState(draft, spots);
    const [hunters, prey] = sideNames(draft);
    const choices = [
      { kind: "point", text: LABELS.points, picture: picture("glyph solid", "", 24) },
      { kind: "line", text: LABELS.lines, picture: glyph("minus") },
      ...state.players.map((name, at) => ({ name, player: at ? "p2" : "p1" })).toSorted(({ name }) => (name === hunters ? -1 : 1))
        .map(({ name, player }) => ({ kind: name === hunters ? "hunter" : "prey", text: sideTitle(name), picture: icon(state, name === hunters ? "hunter" : "prey", player) })),
      ...markTexts([hunters, prey]).map(([kind, text]) => ({ kind, text, picture: picture("icon", `zone ${kind.split("-")[1]}`, 44) })),
    ];
    const hadFocus = toolBox.contains(document.activeElement);
    const tools = palette(choices, (kind) => {
      tool = kind;
      start = null;
      render();
    });
    tools.show(tool);
    toolBox.replaceChildren(...tools.buttons);
    if (hadFocus) tools.buttons.find((element) => element.dataset.kind === tool)?.focus();
    setText(note, tool === "line" && start !== null ? lineNote(namesOf(draft).get(start) ?? "") : toolNote(tool));
  }

  function fileName() {
    return `${draft.values.game || "board"}.txt`;
  }

  /** Gives the board to the engine, and starts a game on it. */
  async function play() {
    const text = area.value;
    setText(wrong, server.status === "open" ? "" : MESSAGES.waiting);
    try {
      await openCheckedBoard(text, queries);
      close();
      newGame({ variant: boardName(text), fen: null });
    } catch (error) {
      setText(wrong, "");
      renderErrors(error instanceof BoardFileError ? error.errors : [{ line: 0, column: 1, text: /** @type {Error} */ (error).message }]);
    }
  }

  /** Shows errors, those of the page's reader unless the engine has found others. */
  function renderErrors(errors = readBoard(area.value).errors) {
    setAttributes(playButton, { disabled: errors.length > 0 });
    setText(summary, checkText(errors.length));
    howToPlay.replaceChildren(...(errors.length ? [] : playNote(fileName()).map((text, at) => html(at % 2 ? "code" : "p", {}, text))));
    setAttributes(undoButton, { disabled: !past.some((text) => text !== area.value) });
    syncChildren(errorList, errors.slice(0, MAX_LISTED_ERRORS), (error) => JSON.stringify(error), (error) => html("li", {}, button(errorText(error), () => showPlace(error.line, error.column), ".plain")));
  }

  /** Selects the rest of a line from a column. @param {number} line @param {number} column both from 1 */
  function showPlace(line, column) {
    const lines = area.value.split("\n");
    const at = lines.slice(0, Math.max(0, line - 1)).reduce((sum, text) => sum + text.length + 1, 0);
    area.focus();
    area.setSelectionRange(line ? at + column - 1 : area.value.length, line ? at + lines[line - 1].length : area.value.length);
  }

  open(loadSetting(SETTING, ""));
  return html("div.setup.board-editor", {},
    html("div.drawing", {}, toolBox, note, html("div.scroll", {}, view.element), html("div.row", {}, undoButton, button(ACTIONS.clear, () => replace("")), grid.element)),
    html("div.setup-controls", {}, html("h3", {}, LABELS.pieces), ...form.elements, summary, errorList, area,
      html("div.row", {}, playButton, button(ACTIONS.save, () => download(new Blob([area.value], { type: "text/plain" }), fileName())), ...chooser), wrong, howToPlay));
}
