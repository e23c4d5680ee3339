// Every sentence that people read, in one place: what stands on buttons, what happened, what a position is worth.

export * from "./text/labels.js";
export * from "./text/moves.js";
export * from "./text/values.js";
export * from "./text/searches.js";
