// The engine's line, seen in every tab: its switch, what it thinks of the position, how hard it worked.

import { find, h, keep, say, set, show } from "../dom.js";
import { hasChance, isPuzzle, page } from "../state.js";
import { prefer } from "../actions.js";
import { LABEL, SAY, effort, short, worthWords } from "../text.js";
import { leads, shows, whole } from "./line_preview.js";
import { toggle } from "./controls.js";

const power = toggle(LABEL.engineOn, (on) => prefer("engineOn", on));
power.element.classList.add("switch");
power.input.setAttribute("role", "switch");
const worth = h("b.worth", {});
const said = h("span.said", {});
const effortLine = h("p.effort", {});
const lines = h("ol.lines", { "aria-label": LABEL.lines });

export function setUp() {
  find("engine").append(h("div.top", {}, power.element, worth, said), effortLine, lines);
}

export function render() {
  const { state } = page;
  const fits = state !== null && !isPuzzle(state);
  show(find("engine"), fits);
  if (!state || !fits) return;
  power.input.checked = page.engineOn;
  const { current } = page.game;
  const mine = page.linesOf === current ? page.lines.filter(Boolean) : [];
  const shown = current.worth && (page.engineOn || "end" in current.worth && current.worth.sure) ? current.worth : null;
  // The words say it all where the game is over, and where they are a number of points.
  const enough = hasChance(state) || shown !== null && "end" in shown && shown.plies === 0;
  say(worth, shown && !enough ? short(shown) : "");
  // The depth stands in the line below.
  say(said, shown ? worthWords(state, shown).replace(/, depth \d+/, "") : page.engineOn ? (state.outcome ? SAY.decided : SAY.waiting) : "");
  const top = mine[0];
  say(effortLine, page.engineOn && top ? effort(top) : " ");
  show(effortLine, page.engineOn);
  show(lines, page.engineOn);
  if (!page.engineOn) return;
  // As many rows as lines were asked for, so that nothing jumps while they come.
  const many = Math.min(page.multi, Math.max(1, state.moves.length));
  const rows = Array.from({ length: state.outcome ? 0 : many }, (_, at) => mine[at] ?? null);
  keep(lines, rows, (_, at) => at, () => h("li", {}, h("b", {}), h("span.pv", {})), (element, line) => {
    const [value, pv] = element.children;
    say(value, line ? short(line.worth) : "…");
    const moves = line ? line.moves.slice(0, 16) : [];
    // The buttons stay while their moves change: whoever points at one, presses it or has the keyboard on it does not lose it.
    keep(pv, moves, (_, at) => at, () => shows(h("button.move", { type: "button" })), (button, move, at) => {
      const way = moves.slice(0, at + 1);
      say(button, move);
      leads(button, way);
      button.onclick = () => whole(way);
    });
  });
  set(lines, { class: hasChance(state) ? "lines short" : "lines" });
}
