// The names of sides as nouns, where only the names are known.

import { Noun } from "../language.js";
import { server } from "../state.js";

/** The irregular names of one piece, by the name of the side. @type {Record<string, string>} */
const IRREGULAR = { calves: "calf", children: "child", foxes: "fox", geese: "goose", men: "man", wolves: "wolf" };

/** Returns the name of one piece of a side, as the games of the list have it. @param {string} name the name of the side */
export function oneOf(name) {
  for (const { players, each } of server.variants) {
    const at = players.indexOf(name);
    if (at >= 0 && each[at]) return each[at];
  }
  return IRREGULAR[name] ?? name.replace(/(?<=[^s])s$/, "");
}

/** Returns the name of a side as the events of a search give it: `goats`, `X`. @param {string} name */
export function sideNoun(name) {
  const one = oneOf(name);
  return Noun.side(one, name, !/^\p{Lu}/u.test(name));
}
