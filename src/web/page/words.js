// Every sentence that people read, in one place: what stands on buttons, what happened, what a position is worth.

export * from "./words/labels.js";
export * from "./words/moves.js";
export * from "./words/values.js";
export * from "./words/searches.js";
