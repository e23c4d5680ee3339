// Reviews seeded games between the page's levels and counts what is named against exact values. Prints a table.
//   PULI=target/release/puli node tests/page/review_games.js [GAMES]

import { SMALL_GAMES, reviewedGame, startEngines } from "./support/reviewed_games.js";

const count = Number(process.argv[2] ?? 100);
const engines = startEngines();
const games = [];
for (let at = 0; at < count; at++) {
  const reviewed = await reviewedGame(engines, at);
  games.push(reviewed);
  if (reviewed.without.falseNamed.length || reviewed.without.falseWarned) console.log(`game ${at}, ${reviewed.variant}: ${reviewed.moves.join(" ")}; false points: ${reviewed.without.falseNamed}; false warnings: ${reviewed.without.falseWarned}\n  ${reviewed.without.texts.join("\n  ")}`);
}
await engines.stop();

/** @param {(game: any) => number} value @param {any[]} from */
const sum = (value, from) => from.reduce((total, game) => total + value(game), 0);
console.log("game, values | games | moves | gave away a win or draw | named | false | most in a game | warnings per own move | false warnings");
for (const variant of [...SMALL_GAMES, "all"]) {
  const own = games.filter((game) => variant === "all" || game.variant === variant);
  for (const values of ["withExact", "without"]) {
    console.log([`${variant}, ${values === "without" ? "searched" : "exact"}`, own.length, sum((game) => game.moves.length, own), sum((game) => game.turns.length, own), sum((game) => game[values].named.length, own), sum((game) => game[values].falseNamed.length, own),
      Math.max(0, ...own.map((game) => game[values].named.length)), `${sum((game) => game[values].warned, own)}/${sum((game) => game.personMoves, own)}`, sum((game) => game[values].falseWarned, own)].join(" | "));
  }
}
