// The engine section above the tabs: its switch, the value of the position, the effort, and the best lines.

import { byId, html, setAttributes, setShown, setText, syncChildren } from "../dom.js";
import { analysis, game, hasChance, isPuzzle, preferences, setPreference } from "../state.js";
import { LABELS, MESSAGES, effortText, shortValue, valueText } from "../text.js";
import { checkbox } from "./controls.js";
import { playLine, previewOnHover, setPreviewMoves } from "./line_preview.js";

/** Maximum number of moves shown of a line. */
const MAX_LINE_MOVES = 16;

const engineSwitch = checkbox(LABELS.engine, (isOn) => setPreference("engineOn", isOn));
engineSwitch.element.classList.add("switch");
engineSwitch.input.setAttribute("role", "switch");
const valueMark = html("b.value", {});
const valueLine = html("span.words", {});
const effortLine = html("p.effort", {});
const lineList = html("ol.lines", { "aria-label": LABELS.lines });

export function setUp() {
  byId("engine").append(html("div.top", {}, engineSwitch.element, valueMark, valueLine), effortLine, lineList);
}

export function render() {
  const { state } = game;
  const isShown = state !== null && !isPuzzle(state);
  setShown(byId("engine"), isShown);
  if (!state || !isShown) return;
  const { engineOn } = preferences;
  engineSwitch.input.checked = engineOn;
  const { current } = game.tree;
  const lines = analysis.node === current ? analysis.lines.filter(Boolean) : [];
  // Without the engine, the bar has the value.
  const value = engineOn ? current.value : null;
  // The sentence already has the number of points in 2048, and the result after the end.
  const needsMark = !hasChance(state) && !(value !== null && "outcome" in value && value.plies === 0);
  setText(valueMark, value && needsMark ? shortValue(value) : "");
  // The effort line has the depth.
  setText(valueLine, value ? valueText(state, value, false) : engineOn ? (state.outcome ? MESSAGES.gameOver : MESSAGES.waiting) : "");
  setText(effortLine, engineOn && lines[0] ? effortText(lines[0]) : " ");
  setShown(effortLine, engineOn);
  setShown(lineList, engineOn);
  if (!engineOn) return;
  // All rows exist from the start, so that the layout does not change while lines arrive.
  const rowCount = state.outcome ? 0 : Math.min(preferences.lineCount, Math.max(1, state.moves.length));
  const rows = Array.from({ length: rowCount }, (_, at) => lines[at] ?? null);
  syncChildren(lineList, rows, (_, at) => at, () => html("li", {}, html("b", {}), html("span.pv", {})), (element, line) => {
    const [mark, pv] = element.children;
    setText(mark, line ? shortValue(line.value) : "…");
    const moves = line ? line.moves.slice(0, MAX_LINE_MOVES) : [];
    // The buttons stay while their moves change, so that they keep the pointer, a press and the focus.
    syncChildren(pv, moves, (_, at) => at, () => previewOnHover(html("button.move", { type: "button" })), (moveButton, move, at) => {
      const path = moves.slice(0, at + 1);
      setText(moveButton, move);
      setPreviewMoves(moveButton, path);
      moveButton.onclick = () => playLine(path);
    });
  });
  setAttributes(lineList, { class: hasChance(state) ? "lines short" : "lines" });
}
