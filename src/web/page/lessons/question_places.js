// The places of a search that questions name.

/** @import { Question } from "./questions.js" */
/** @import { SearchEvents, SearchEvent } from "./trace_events.js" */

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

/** Returns the event that `where` names. @param {SearchEvents} search @param {string} where @returns {SearchEvent} */
export function eventOf(search, where) {
  const [name, position] = where.split(":");
  const lists = { decision: search.decisions(), cut: search.cuts(), reordered: reorderedNodes(search) };
  return pick(lists[/** @type {keyof typeof lists} */ (name)] ?? [], Number(position), name);
}

/** Returns the path of the node that a question is about. @param {SearchEvents} search @param {Question} question */
export function nodeOf(search, { node, where }) {
  return where ? search.paths[eventOf(search, where).n] : node ?? "";
}
