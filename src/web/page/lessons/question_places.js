// The places of a search that questions name.

/** @import { Question } from "./questions.js" */
/** @import { SearchEvents, SearchEvent } from "./trace_events.js" */

/** The plies after which two orders of moves can first meet. */
const LOOK_UP_PLIES = 3;

/** Returns the element at a position from 1, or from −1 at the end. @template T @param {T[]} list @param {number} position @param {string} what @returns {T} */
export function pick(list, position, what) {
  const found = position > 0 ? list[position - 1] : list.at(position);
  if (!found) throw new Error(`the search has no ${what} ${position}`);
  return found;
}

/** Returns the `order` events below the root whose first move does not come first in the notation. @param {SearchEvents} search */
function reorderedNodes(search) {
  return search.events.filter(({ e, n, moves }) => e === "order" && n !== 0 && moves[0] !== [...moves].sort()[0]);
}

/** Returns the look-ups that find a bound, in nodes whose window has two finite ends. @param {SearchEvents} search */
function boundLookUps(search) {
  /** @type {Map<number, SearchEvent>} */
  const entered = new Map();
  return search.events.filter((event) => {
    if (event.e === "enter") entered.set(event.n, event);
    return event.e === "table" && event.value !== null && event.bound !== "exact" && !entered.get(event.n)?.window.includes(null);
  });
}

/** Returns the null windows of the root's children: the events in which a child is entered. @param {SearchEvents} search */
function rootTests(search) {
  return search.events.filter(({ e, n, purpose }) => e === "enter" && purpose === "null" && search.place(search.paths[n]).level === 1);
}

/** Returns the look-ups of positions after three moves, the first of which is not the first one of the root: they may have been seen before. @param {SearchEvents} search */
export function lookUps(search) {
  const first = search.find("order", "").moves[0];
  return search.events.filter(({ e, n }) => e === "table" && search.place(search.paths[n]).level === LOOK_UP_PLIES && search.paths[n].split(" ")[0] !== first);
}

/** Returns the nodes after three moves whose position is also reached by another order of three moves. @param {SearchEvents} search */
function meetings(search) {
  const made = search.events.filter(({ e, ply }) => e === "make" && ply === LOOK_UP_PLIES);
  /** @type {Map<string, number>} */
  const times = new Map();
  for (const { key } of made) times.set(key, (times.get(key) ?? 0) + 1);
  return made.filter(({ key }) => Number(times.get(key)) > 1);
}

/** The lists of events that `where` can name. @type {Record<string, (search: SearchEvents) => SearchEvent[]>} */
const LISTS = {
  decision: (search) => search.decisions(), cut: (search) => search.cuts(), reordered: reorderedNodes,
  test: rootTests, again: (search) => search.events.filter(({ e, n }) => e === "again" && search.place(search.paths[n]).level === 1),
  pass: (search) => search.events.filter(({ e, why }) => e === "pass" && why === "close-in"), leaf: (search) => search.events.filter(({ e }) => e === "leaf"), bound: boundLookUps, "look-up": lookUps, meeting: meetings,
};

/** Returns the event that `where` names. @param {SearchEvents} search @param {string} where @returns {SearchEvent} */
export function eventOf(search, where) {
  const [name, position] = where.split(":");
  return pick(LISTS[name](search), Number(position), name);
}

/** Returns the path of the node that a question is about. @param {SearchEvents} search @param {Question} question */
export function nodeOf(search, { node, where }) {
  return where ? search.paths[eventOf(search, where).n] : node ?? "";
}
