// The signs of a tree in the line below it, by name.

import { LEGEND } from "../text/lessons.js";
import { PASSES_LEGEND, SCOUT_LEGEND } from "../text/lesson_null_windows.js";
import { CHANCE_LEGEND } from "./chance_texts.js";

export const LEGENDS = { tree: LEGEND, chance: CHANCE_LEGEND, scout: SCOUT_LEGEND, passes: PASSES_LEGEND };
