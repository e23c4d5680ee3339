// Finds the contradictions between the lines of a board file.

/** @import { ReadBoard } from "./reader.js" */

/**
 * Returns the contradictions: the keywords of the lines, and what was expected. The error belongs to the line of the last keyword, if
 * this keyword occurs only once.
 * @param {ReadBoard} board
 * @returns {[string[], string][]}
 */
export function contradictionsOf(board) {
  const { draft: { lines, pieces, zones }, names, counts, captures } = board;
  const ids = [...names.keys()];
  const [hunters, prey, goal] = [pieces.hunter.at, pieces.prey.at, zones["prey-goal"]];
  /** @type {[string[], string][]} */
  const found = [];
  /** @param {string[]} keywords @param {(points: string) => string} expected @param {(id: string) => boolean} isWrong */
  const check = (keywords, expected, isWrong) => {
    const points = withVerb(ids.filter(isWrong).map((id) => names.get(id) ?? ""));
    if (points) found.push([keywords, expected(points)]);
  };
  check(["row", "line"], (points) => `every point on a line, but ${points} on none`, (id) => !lines.some((line) => line.includes(id)));
  const leap = captures ? ambiguousLeap(board) : null;
  if (leap) found.push([["row", "line", "captures"], leap]);
  check(["row", "hunters", "prey"], (points) => `different start points of hunters and prey, but ${points} used by both`, (id) => hunters.has(id) && prey.has(id));
  if (counts.hunter + counts.prey > ids.length) found.push([["row", "hunters", "prey"], `at most ${ids.length} pieces, one per point, but the game has ${counts.hunter} hunters and ${counts.prey} prey`]);
  const zone = zones["prey-zone"];
  if (zone.size) check(["row", "prey", "prey-zone"], (points) => `start points of the prey in their zone, but ${points} outside`, (id) => prey.has(id) && !zone.has(id));
  if ([...zones["hunters-goal"]].some((id) => hunters.has(id))) found.push([["row", "hunters", "hunters-goal"], "a hunters' goal that is not reached at the start"]);
  if (goal.size && [...goal].every((id) => prey.has(id))) found.push([["row", "prey", "prey-goal"], "a goal of the prey that is not reached at the start"]);
  if (goal.size > counts.prey) found.push([["row", "prey", "prey-goal"], `at most ${counts.prey} goal points, one per prey`]);
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
      const [first, last] = ends.map((id) => names.get(id));
      if (steps.has(key)) return `no leap between ${first} and ${last}, which are adjacent: split the line at ${names.get(middle)}`;
      const earlier = leaps.get(key);
      if (earlier !== undefined) return `one leap between ${first} and ${last}, but there are two, over ${names.get(earlier)} and ${names.get(middle)}: split one of the lines there`;
      leaps.set(key, middle);
    }
  }
  return null;
}

/** Returns `a1 is`, or `a1, b2 and c3 are`; an empty text for no names. @param {string[]} names */
function withVerb(names) {
  if (names.length < 2) return names.length ? `${names[0]} is` : "";
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)} are`;
}
