// Finds the contradictions between the lines of a board file.

import { t } from "../language.js";

/** @import { ReadBoard } from "./reader.js" */

/** Maximum number of points that can have several prey. */
const MAX_STACKS = 4;

/** The start and the end of a sentence about some points. @typedef {(points: { points: string[], count: number }) => string} PointsText */

/**
 * Returns the contradictions: the keywords of the lines, and the text of the error. The error belongs to the line of the last keyword, if
 * this keyword occurs only once.
 * @param {ReadBoard} board
 * @returns {[string[], string][]}
 */
export function contradictionsOf(board) {
  const { draft: { lines, pieces, heights, zones, values }, names, counts, captures } = board;
  const ids = [...names.keys()];
  const [hunters, prey, goal] = [pieces.hunter.at, pieces.prey.at, zones["prey-goal"]];
  /** @type {[string[], string][]} */
  const found = [];
  /** @param {string[]} keywords @param {PointsText} text @param {(id: string) => boolean} isWrong */
  const check = (keywords, text, isWrong) => {
    const points = ids.filter(isWrong).map((id) => names.get(id) ?? "");
    if (points.length) found.push([keywords, text({ points, count: points.length })]);
  };
  check(["row", "line"], (wrong) => t("expected every point on a line, but {points} {count, plural, one {is} other {are}} on none", wrong), (id) => !lines.some((line) => line.includes(id)));
  const leap = captures ? ambiguousLeap(board) : null;
  if (leap) found.push([["row", "line", "captures"], leap]);
  check(["row", "hunters", "prey"], (wrong) => t("expected different start points of hunters and prey, but {points} {count, plural, one {is} other {are}} used by both", wrong), (id) => hunters.has(id) && prey.has(id));
  if (counts.hunter + counts.prey > ids.length) {
    found.push([["row", "hunters", "prey"], t("expected at most {most} pieces, one per point, but the game has {hunters} hunters and {prey} prey", { most: ids.length, hunters: counts.hunter, prey: counts.prey })]);
  }
  const zone = zones["prey-zone"];
  if (zone.size) check(["row", "prey", "prey-zone"], (wrong) => t("expected start points of the prey in their zone, but {points} {count, plural, one {is} other {are}} outside", wrong), (id) => prey.has(id) && !zone.has(id));
  if (counts.hunter > 1 && [...zones["hunters-goal"]].some((id) => hunters.has(id))) found.push([["row", "hunters", "hunters-goal"], t("expected a hunters' goal where no hunter starts, unless there is only one hunter")]);
  const trap = zones["hunters-trap"];
  check(["row", "hunters", "hunters-trap"], (wrong) => t("expected different start points and traps of the hunters, but {points} {count, plural, one {is} other {are}} used by both", wrong), (id) => trap.has(id) && hunters.has(id));
  check(["row", "hunters-goal", "hunters-trap"], (wrong) => t("expected different goals and traps of the hunters, but {points} {count, plural, one {is} other {are}} used by both", wrong), (id) => trap.has(id) && zones["hunters-goal"].has(id));
  if (new Set([...zones["prey-stacks"], ...heights.keys()]).size > MAX_STACKS) found.push([["row", "prey", "prey-stacks"], t("expected at most {most} points for several prey", { most: MAX_STACKS })]);
  if ("prey-turn" in values && (values["prey-steps"] ?? "any") === "any") found.push([["prey-steps", "prey-turn"], t("expected 'prey-steps' with a direction, which 'prey-turn' turns round")]);
  if (goal.size && [...goal].every((id) => prey.has(id))) found.push([["row", "prey", "prey-goal"], t("expected a goal of the prey that is not reached at the start")]);
  if (goal.size > counts.prey) found.push([["row", "prey", "prey-goal"], t("expected at most {most} goal points, one per prey", { most: counts.prey })]);
  return found;
}

/** Returns an error if two moves would have the same start and end. @param {ReadBoard} board */
function ambiguousLeap({ draft: { lines }, names }) {
  const ids = [...names.keys()];
  /** @param {string} one @param {string} other */
  const sorted = (one, other) => (ids.indexOf(one) < ids.indexOf(other) ? [one, other] : [other, one]);
  const steps = new Set(lines.flatMap((line) => line.slice(1).map((id, at) => sorted(line[at], id).join(" "))));
  /** The middle of each leap, by its ends. @type {Map<string, string>} */
  const leaps = new Map();
  for (const line of lines) {
    for (const [at, middle] of line.slice(1, -1).entries()) {
      const ends = sorted(line[at], line[at + 2]);
      const key = ends.join(" ");
      const [first, last, over] = [...ends, middle].map((id) => names.get(id) ?? "");
      if (steps.has(key)) return t("expected no leap between {first} and {last}, which are adjacent: split the line at {over}", { first, last, over });
      const earlier = leaps.get(key);
      if (earlier !== undefined) return t("expected one leap between {first} and {last}, but there are two, over {one} and {other}: split one of the lines there", { first, last, one: names.get(earlier) ?? "", other: over });
      leaps.set(key, middle);
    }
  }
  return null;
}
