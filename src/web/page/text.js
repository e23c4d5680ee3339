// All sentences of the page.

export * from "./text/game_names.js";
export * from "./text/games.js";
export * from "./text/labels.js";
export * from "./text/moves.js";
export * from "./text/practice.js";
export * from "./text/rules.js";
export * from "./text/searches.js";
export * from "./text/setup.js";
export * from "./text/values.js";
