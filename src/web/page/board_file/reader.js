// Reads board files and checks them as the engine does: `BoardSpec::read` gives the same errors at the same places.

import { contradictionsOf } from "./contradictions.js";
import { ZONES, emptyDraft, idOf, pointName } from "./draft.js";

/** @import { BoardDraft, PieceKind } from "./draft.js" */

/** An error of a board file. `line` and `column` count from 1; `line` is 0 for an error that belongs to no line. @typedef {{ line: number, column: number, text: string }} BoardError */

/**
 * What a board file holds: its draft, the names of its points by their ids, the numbers of pieces, and whether hunters capture.
 * @typedef {{ draft: BoardDraft, names: Map<string, string>, counts: Record<PieceKind, number>, captures: boolean }} ReadBoard
 */

const MAX_ROWS = 26;
const MAX_POINTS = 64;
const MAX_NAME_LENGTH = 40;
const MAX_YEAR = 9999;
const MAX_COORDINATE = 10000;
/** Maximum length of a quoted word. */
const MAX_QUOTED_LENGTH = 40;

const KEYWORDS = ["game", "about", "origin", "year", "source", "differs", "names", "row", "line", "hunters", "hunters-drop", "prey", "first", "first-drops", "captures", "leap", "capture", "prey-steps", "prey-stuck", "prey-zone", "hunters-goal", "prey-goal", "repetition"];
const REQUIRED = ["game", "row", "line", "hunters", "prey"];
/** The keywords whose value is the rest of the line. */
const TEXTS = ["about", "origin", "source", "differs"];
/** The keywords that several lines may have. */
const REPEATABLE = ["row", "line", "source", "differs"];
const POINT_KEYWORDS = ["hunters", "prey", ...ZONES];

/** The keywords whose value is one of a few words. @type {Record<string, string[]>} */
const CHOICES = { "hunters-drop": ["first", "alternate"], first: ["prey", "hunters"], leap: ["single", "chain"], capture: ["free", "forced"], "prey-stuck": ["lose", "pass"], repetition: ["draw", "hunters", "prey"] };

/** Control characters and characters that are invisible or change the direction of text. */
const UNSAFE = /[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/u;

/** A word of a line, and its offset. @typedef {{ text: string, at: number }} Word */

/** A line of the file: a keyword and its values. */
class Entry {
  /** @param {number} number @param {string} text */
  constructor(number, text) {
    this.number = number;
    this.end = text.trimEnd().length;
    /** @type {Word[]} */
    this.words = [...text.matchAll(/[^ \t\r\v\f]+/g)].map((match) => ({ text: match[0], at: match.index }));
    this.keyword = this.words[0]?.text ?? "";
    this.next = 1;
  }

  /** The next word, if there is one. @returns {Word | undefined} */
  get word() {
    return this.words[this.next];
  }

  /** @param {number} at @param {string} expected @returns {BoardError} */
  error(at, expected) {
    return { line: this.number, column: at + 1, text: `expected ${expected}` };
  }

  /** @param {Word} word @param {string} expected */
  misread(word, expected) {
    const { text } = word;
    const quoted = [...text].length > MAX_QUOTED_LENGTH ? `${[...text].slice(0, MAX_QUOTED_LENGTH).join("")}…` : text;
    return this.error(word.at, `${expected}, found '${quoted}'`);
  }

  /** Returns the next word. Throws a `BoardError` at the end of the line. @param {string} expected */
  take(expected) {
    const { word } = this;
    if (!word) throw this.error(this.end, `${expected}, found the end`);
    this.next++;
    return word;
  }

  /** Returns the next word, which must pass a test. @param {string} expected @param {(text: string) => boolean} test */
  takeIf(expected, test) {
    const word = this.take(expected);
    if (!test(word.text)) throw this.misread(word, expected);
    return word.text;
  }

  /** @param {string[]} choices */
  choice(choices) {
    return this.takeIf(choices.join(" or "), (text) => choices.includes(text));
  }

  /** @param {string} what @param {number} min @param {number} max */
  count(what, min, max) {
    return Number(this.takeIf(`${what}, ${min} to ${max}`, (text) => /^\+?\d+$/.test(text) && Number(text) >= min && Number(text) <= max));
  }

  /** @param {string} what */
  coordinate(what) {
    return Number(this.takeIf(what, (text) => /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) && Math.abs(Number(text)) <= MAX_COORDINATE));
  }
}

class BoardReader {
  constructor() {
    /** @type {BoardError[]} */
    this.errors = [];
    /** The keywords whose values are missing or wrong. Checks that depend on them are left out. @type {Set<string>} */
    this.uncertain = new Set();
    this.draft = emptyDraft();
    this.draft.values = {};
    /** The ids of the points, row by row. @type {string[][]} */
    this.rows = [];
    this.lastY = Infinity;
    /** The pairs of neighbors. @type {Set<string>} */
    this.edges = new Set();
    /** @type {Record<PieceKind, number>} */
    this.counts = { hunter: 0, prey: 0 };
    this.areCaptures = true;
  }

  get ids() {
    return this.rows.flat();
  }

  /** The names of the points by their ids. */
  get names() {
    return new Map(this.rows.flatMap((ids, row) => ids.map((id, at) => /** @type {[string, string]} */ ([id, pointName(row, at)]))));
  }

  /** Returns what `read` returns, or records its error. @template T @param {Entry} entry @param {() => T} read @returns {T | undefined} */
  attempt(entry, read) {
    try {
      return read();
    } catch (error) {
      // Only errors of the file have a line.
      if (typeof /** @type {any} */ (error)?.line !== "number") throw error;
      this.record(entry, /** @type {BoardError} */ (error));
    }
  }

  /** @param {Entry} entry @param {BoardError} error */
  record(entry, error) {
    this.uncertain.add(entry.keyword);
    this.errors.push(error);
  }

  /** Splits the text into lines with a keyword. Reports unknown and repeated keywords. @param {string} text @returns {Entry[]} */
  split(text) {
    /** @type {Entry[]} */
    const entries = [];
    text.replace(/^\ufeff/, "").split(/\r?\n/).forEach((line, at) => {
      const content = line.replace(/#.*/s, "");
      const entry = new Entry(at + 1, content);
      const { keyword } = entry;
      if (!keyword) return;
      const unsafe = content.replaceAll("\t", " ").match(UNSAFE);
      if (unsafe) this.errors.push(entry.error(unsafe.index ?? 0, `text without control characters, found '${escape(unsafe[0])}'`));
      const first = entries.find((other) => other.keyword === keyword);
      if (!KEYWORDS.includes(keyword)) this.errors.push(entry.misread(entry.words[0], `one of ${KEYWORDS.join(", ")}`));
      else if (first && !REPEATABLE.includes(keyword)) {
        this.errors.push(entry.error(entry.words[0].at, `'${keyword}' only once, it is also on line ${first.number}`));
        return;
      }
      entries.push(entry);
    });
    return entries;
  }

  /** @param {string} text */
  read(text) {
    const entries = this.split(text);
    const unknown = entries.filter(({ keyword }) => !KEYWORDS.includes(keyword));
    if (unknown.length) REQUIRED.forEach((keyword) => this.uncertain.add(keyword));
    let arePointsKnown = true;
    for (const entry of entries) if (entry.keyword === "row" && !this.readRow(entry)) arePointsKnown = false;
    // An unknown keyword before numbers can be a misspelled row.
    if (!this.ids.length || unknown.some(({ words }) => words.length > 1 && words.slice(1).every((word) => /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$|^[+-]?(inf|infinity|nan)$/i.test(word.text)))) arePointsKnown = false;
    for (const keyword of REQUIRED) {
      if (entries.some((entry) => entry.keyword === keyword) || this.uncertain.has(keyword)) continue;
      this.uncertain.add(keyword);
      this.errors.push({ line: 0, column: 1, text: `expected a line with '${keyword}'` });
    }
    /** @type {Map<string, Entry>} */
    const byKeyword = new Map(entries.filter(({ keyword }) => !REPEATABLE.includes(keyword)).map((entry) => [entry.keyword, entry]));
    if (arePointsKnown) entries.filter(({ keyword }) => keyword === "line").forEach((entry) => this.readLine(entry));
    else ["row", ...POINT_KEYWORDS].forEach((keyword) => this.uncertain.add(keyword));
    for (const keyword of ["source", "differs"]) {
      this.draft.values[keyword] = entries.filter((entry) => entry.keyword === keyword).map((entry) => entry.words.slice(1).map(({ text }) => text).join(" ")).join("\n");
    }
    for (const keyword of KEYWORDS) {
      const entry = byKeyword.get(keyword);
      if (entry && (arePointsKnown || !POINT_KEYWORDS.includes(keyword))) this.readRule(entry);
    }
    for (const [keywords, expected] of contradictionsOf({ draft: this.draft, names: this.names, counts: this.counts, captures: this.areCaptures })) {
      if (keywords.some((keyword) => this.uncertain.has(keyword))) continue;
      const line = byKeyword.get(/** @type {string} */ (keywords.at(-1)));
      this.errors.push(line ? line.error(0, expected) : { line: 0, column: 1, text: `expected ${expected}` });
    }
    const place = (/** @type {BoardError} */ error) => error.line || Infinity;
    this.errors.sort((one, other) => (place(one) === place(other) ? one.column - other.column : place(one) - place(other)));
    return { draft: arePointsKnown ? this.draft : null, errors: this.errors };
  }

  /** Reads a row. Returns `false` if the names of the points cannot be known. @param {Entry} entry */
  readRow(entry) {
    if (this.rows.length === MAX_ROWS) {
      this.record(entry, entry.error(0, `at most ${MAX_ROWS} rows`));
      return false;
    }
    const { word } = entry;
    const y = this.attempt(entry, () => entry.coordinate("the y coordinate of the row"));
    if (word && y !== undefined && this.lastY <= y) this.record(entry, entry.misread(word, "a smaller y than in the previous row"));
    const before = this.ids.length;
    /** @type {string[]} */
    const row = [];
    let left = -Infinity;
    for (let next = entry.word; next; next = entry.word) {
      const x = this.attempt(entry, () => entry.coordinate("the x coordinate of a point"));
      if (x !== undefined && left >= x) this.record(entry, entry.misread(next, "a larger x than the previous point"));
      if (before + row.length === MAX_POINTS) {
        this.record(entry, entry.misread(next, `at most ${MAX_POINTS} points`));
        return false;
      }
      left = x ?? left;
      const place = { x: left, y: y ?? this.lastY };
      // A point at a wrong place has an id of its own.
      const id = this.draft.points.has(idOf(place)) ? `${idOf(place)} ${before + row.length}` : idOf(place);
      this.draft.points.set(id, place);
      row.push(id);
    }
    if (!row.length) this.attempt(entry, () => entry.take("the x coordinate of a point"));
    this.lastY = y ?? this.lastY;
    this.rows.push(row);
    return row.length > 0;
  }

  /** Returns the id of a point. @param {Entry} entry @param {Word} word */
  point(entry, word) {
    for (const [id, name] of this.names) if (name === word.text) return id;
    const row = word.text.charCodeAt(0) - 97;
    const [letter, count] = [word.text[0], this.rows[row]?.length];
    const last = this.rows.length - 1;
    const known = count === undefined ? `a1 to ${pointName(last, this.rows[last].length - 1)}` : count === 1 ? `only ${letter}1 in this row` : `${letter}1 to ${letter}${count} in this row`;
    throw entry.misread(word, `the name of a point, ${known}`);
  }

  /** @param {Entry} entry */
  readLine(entry) {
    const errorsBefore = this.errors.length;
    /** @type {string[]} */
    const line = [];
    /** @type {Word & { id: string } | null} */
    let last = null;
    for (const word of entry.words.slice(1)) {
      const id = this.attempt(entry, () => this.point(entry, word));
      if (id !== undefined && line.includes(id)) this.record(entry, entry.misread(word, "each point once on a line"));
      if (id === undefined || line.includes(id)) {
        last = null;
        continue;
      }
      if (last) {
        const edge = [last.id, id].sort().join(" ");
        if (this.edges.has(edge)) this.record(entry, entry.misread(word, `${last.text} and ${word.text} adjacent on one line only`));
        this.edges.add(edge);
      }
      last = { ...word, id };
      line.push(id);
    }
    if (this.errors.length > errorsBefore) return;
    if (line.length > 1) this.draft.lines.push(line);
    else this.record(entry, entry.error(entry.end, "the next point of the line, found the end"));
  }

  /** Reads points to the end of the line. @param {Entry} entry @returns {Set<string>} */
  readPoints(entry) {
    /** @type {Set<string>} */
    const points = new Set();
    if (!entry.word) this.attempt(entry, () => entry.take("the name of a point"));
    for (let word = entry.word; word; word = entry.word) {
      entry.next++;
      const found = word;
      const id = this.attempt(entry, () => this.point(entry, found));
      if (id === undefined) continue;
      if (points.has(id)) this.record(entry, entry.misread(word, "each point once"));
      points.add(id);
    }
    return points;
  }

  /** Reads a number of pieces and the points where they start. @param {Entry} entry @param {PieceKind} kind */
  readPieces(entry, kind) {
    const { word } = entry;
    const number = this.attempt(entry, () => entry.count("a number of pieces", 1, Math.max(1, this.ids.length - 1)));
    this.counts[kind] = number ?? 0;
    const pieces = this.draft.pieces[kind];
    pieces.hand = this.counts[kind];
    const start = entry.word && this.attempt(entry, () => entry.takeIf("'at' and the start points", (text) => text === "at"));
    if (!start) return;
    pieces.at = this.readPoints(entry);
    pieces.hand = Math.max(0, this.counts[kind] - pieces.at.size);
    if (word && number !== undefined && pieces.at.size > number) this.record(entry, entry.misread(word, `at least ${pieces.at.size}, the number of start points`));
  }

  /** Reads the values of a keyword that occurs once. @param {Entry} entry */
  readRule(entry) {
    const { keyword } = entry;
    if (keyword === "hunters") return this.readPieces(entry, "hunter");
    if (keyword === "prey") return this.readPieces(entry, "prey");
    if (ZONES.includes(keyword)) {
      this.draft.zones[keyword] = this.readPoints(entry);
      return;
    }
    // The limits of these values depend on the number of prey.
    if (["captures", "first-drops"].includes(keyword) && this.uncertain.has("prey")) {
      this.areCaptures &&= keyword !== "captures";
      return;
    }
    this.attempt(entry, () => {
      this.readValue(entry);
      const { word } = entry;
      if (word && !TEXTS.includes(keyword)) throw entry.misread(word, "nothing more");
      this.draft.values[keyword] = entry.words.slice(1).map(({ text }) => text).join(" ");
    });
  }

  /** @param {Entry} entry */
  readValue(entry) {
    const { keyword } = entry;
    if (keyword === "game") {
      entry.takeIf(`a name of at most ${MAX_NAME_LENGTH} lowercase letters, digits and hyphens that starts with a letter or digit`, (text) => /^[a-z0-9][a-z0-9-]*$/.test(text) && text.length <= MAX_NAME_LENGTH);
    } else if (keyword === "year") {
      entry.count("a year", 1, MAX_YEAR);
    } else if (keyword === "names") {
      const hunters = entry.take("the name of the hunters");
      const prey = entry.take("the name of the prey");
      if (prey.text === hunters.text) throw entry.misread(prey, "another name than the hunters have");
    } else if (keyword === "first-drops") {
      entry.count("the number of prey that the first turn places", 1, Math.max(1, this.counts.prey - this.draft.pieces.prey.at.size));
    } else if (keyword === "captures") {
      this.areCaptures = entry.word?.text !== "none";
      if (["all", "none"].includes(entry.word?.text ?? "")) entry.next++;
      else entry.count("'all', 'none' or the number of captures that win", 1, this.counts.prey);
    } else if (keyword === "prey-steps") {
      if (entry.choice(["any", "forward", "forward-or-sideways"]) !== "any") entry.choice(["up", "down", "left", "right"]);
    } else if (keyword in CHOICES) {
      const { word } = entry;
      if (entry.choice(CHOICES[keyword]) === "chain" && word) throw entry.misread(word, "single: chains of leaps are not supported");
    }
  }
}

/** Returns characters as JSON escapes. @param {string} text */
function escape(text) {
  return Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, "0")}`).join("");
}

/**
 * Reads a board file. The draft is `null` if the names of its points cannot be known. Lines with errors are not in the draft.
 * @param {string} text
 * @returns {{ draft: BoardDraft | null, errors: BoardError[] }}
 */
export function readBoard(text) {
  return new BoardReader().read(text);
}
