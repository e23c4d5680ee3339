// Reads board files and checks them as the engine does: `BoardSpec::read` gives the same errors at the same places.

import { t } from "../language.js";
import { contradictionsOf } from "./contradictions.js";
import { ZONES, emptyDraft, idOf, pointName } from "./draft.js";

/** @import { BoardDraft, PieceKind } from "./draft.js" */
/** @import { BoardError } from "./errors.js" */

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

const KEYWORDS = ["game", "about", "origin", "year", "source", "differs", "names", "row", "line", "hunters", "hunters-drop", "prey", "first", "first-drops", "captures", "leap", "capture", "huff", "prey-steps", "prey-turn", "prey-stuck", "prey-zone", "prey-stacks", "hunters-goal", "hunters-trap", "prey-goal", "repetition"];
const REQUIRED = ["game", "row", "line", "hunters", "prey"];
/** The keywords whose value is the rest of the line. */
const TEXTS = ["about", "origin", "source", "differs"];
/** The keywords that several lines may have. */
const REPEATABLE = ["row", "line", "source", "differs"];
const POINT_KEYWORDS = ["hunters", "prey", ...ZONES];

/** The keywords whose value is one of a few words. @type {Record<string, string[]>} */
const CHOICES = { "hunters-drop": ["first", "alternate"], first: ["prey", "hunters"], leap: ["single", "chain"], capture: ["free", "forced"], huff: ["none", "remove"], "prey-stuck": ["lose", "pass"], repetition: ["draw", "hunters", "prey"] };

/** Control characters and characters that are invisible or change the direction of text. */
const UNSAFE = /[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/u;

/** What is found at the end of a line. */
const THE_END = t("the end");

/** What was expected, in a sentence that ends with what was found. @typedef {(found: string) => string} Expected */

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

  /** @param {number} at @param {string} text @returns {BoardError} */
  error(at, text) {
    return { line: this.number, column: at + 1, text };
  }

  /** @param {Word} word @param {Expected} expected */
  misread(word, expected) {
    const { text } = word;
    const quoted = [...text].length > MAX_QUOTED_LENGTH ? `${[...text].slice(0, MAX_QUOTED_LENGTH).join("")}…` : text;
    return this.error(word.at, expected(`'${quoted}'`));
  }

  /** Returns the next word. Throws a `BoardError` at the end of the line. @param {Expected} expected */
  take(expected) {
    const { word } = this;
    if (!word) throw this.error(this.end, expected(THE_END));
    this.next++;
    return word;
  }

  /** Returns the next word, which must pass a test. @param {Expected} expected @param {(text: string) => boolean} test */
  takeIf(expected, test) {
    const word = this.take(expected);
    if (!test(word.text)) throw this.misread(word, expected);
    return word.text;
  }

  /** @param {string[]} choices */
  choice(choices) {
    return this.takeIf((found) => t("expected {choice}, found {found}", { choice: choices.reduce((one, other) => t("{one} or {other}", { one, other })), found }), (text) => choices.includes(text));
  }

  /** @param {Expected} expected @param {number} min @param {number} max */
  count(expected, min, max) {
    return Number(this.takeIf(expected, (text) => /^\+?\d+$/.test(text) && Number(text) >= min && Number(text) <= max));
  }

  /** @param {Expected} expected */
  coordinate(expected) {
    return Number(this.takeIf(expected, (text) => /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) && Math.abs(Number(text)) <= MAX_COORDINATE));
  }
}

/** @type {Expected} */
const xExpected = (found) => t("expected the x coordinate of a point, found {found}", { found });

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

  /** The number of prey at the start points. */
  get placedPrey() {
    const { pieces, heights } = this.draft;
    return [...pieces.prey.at].reduce((sum, id) => sum + (heights.get(id) ?? 1), 0);
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
      if (unsafe) this.errors.push(entry.error(unsafe.index ?? 0, t("expected text without control characters, found {found}", { found: `'${escape(unsafe[0])}'` })));
      const first = entries.find((other) => other.keyword === keyword);
      if (!KEYWORDS.includes(keyword)) this.errors.push(entry.misread(entry.words[0], (found) => t("expected one of {keywords}, found {found}", { keywords: KEYWORDS.join(", "), found })));
      else if (first && !REPEATABLE.includes(keyword)) {
        this.errors.push(entry.error(entry.words[0].at, t("expected '{keyword}' only once, it is also on line {line}", { keyword, line: first.number })));
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
      this.errors.push({ line: 0, column: 1, text: t("expected a line with '{keyword}'", { keyword }) });
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
    for (const [keywords, text] of contradictionsOf({ draft: this.draft, names: this.names, counts: this.counts, captures: this.areCaptures })) {
      if (keywords.some((keyword) => this.uncertain.has(keyword))) continue;
      const line = byKeyword.get(/** @type {string} */ (keywords.at(-1)));
      this.errors.push(line ? line.error(0, text) : { line: 0, column: 1, text });
    }
    const place = (/** @type {BoardError} */ error) => error.line || Infinity;
    this.errors.sort((one, other) => (place(one) === place(other) ? one.column - other.column : place(one) - place(other)));
    return { draft: arePointsKnown ? this.draft : null, errors: this.errors };
  }

  /** Reads a row. Returns `false` if the names of the points cannot be known. @param {Entry} entry */
  readRow(entry) {
    if (this.rows.length === MAX_ROWS) {
      this.record(entry, entry.error(0, t("expected at most {most} rows", { most: MAX_ROWS })));
      return false;
    }
    const { word } = entry;
    const y = this.attempt(entry, () => entry.coordinate((found) => t("expected the y coordinate of the row, found {found}", { found })));
    if (word && y !== undefined && this.lastY <= y) this.record(entry, entry.misread(word, (found) => t("expected a smaller y than in the previous row, found {found}", { found })));
    const before = this.ids.length;
    /** @type {string[]} */
    const row = [];
    let left = -Infinity;
    for (let next = entry.word; next; next = entry.word) {
      const x = this.attempt(entry, () => entry.coordinate(xExpected));
      if (x !== undefined && left >= x) this.record(entry, entry.misread(next, (found) => t("expected a larger x than the previous point, found {found}", { found })));
      if (before + row.length === MAX_POINTS) {
        this.record(entry, entry.misread(next, (found) => t("expected at most {most} points, found {found}", { most: MAX_POINTS, found })));
        return false;
      }
      left = x ?? left;
      const place = { x: left, y: y ?? this.lastY };
      // A point at a wrong place has an id of its own.
      const id = this.draft.points.has(idOf(place)) ? `${idOf(place)} ${before + row.length}` : idOf(place);
      this.draft.points.set(id, place);
      row.push(id);
    }
    if (!row.length) this.attempt(entry, () => entry.take(xExpected));
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
    const [from, to] = count === undefined ? ["a1", pointName(last, this.rows[last].length - 1)] : [`${letter}1`, `${letter}${count}`];
    throw entry.misread(word, (found) => {
      if (count === undefined) return t("expected the name of a point, {from} to {to}, found {found}", { from, to, found });
      return count === 1
        ? t("expected the name of a point, only {from} in this row, found {found}", { from, found })
        : t("expected the name of a point, {from} to {to} in this row, found {found}", { from, to, found });
    });
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
      if (id !== undefined && line.includes(id)) this.record(entry, entry.misread(word, (found) => t("expected each point once on a line, found {found}", { found })));
      if (id === undefined || line.includes(id)) {
        last = null;
        continue;
      }
      if (last) {
        const edge = [last.id, id].sort().join(" ");
        if (this.edges.has(edge)) this.record(entry, entry.misread(word, (found) => t("expected {one} and {other} adjacent on one line only, found {found}", { one: last?.text ?? "", other: word.text, found })));
        this.edges.add(edge);
      }
      last = { ...word, id };
      line.push(id);
    }
    if (this.errors.length > errorsBefore) return;
    if (line.length > 1) this.draft.lines.push(line);
    else this.record(entry, entry.error(entry.end, t("expected the next point of the line, found {found}", { found: THE_END })));
  }

  /** Reads points to the end of the line. With a `most` of at least 2, a height may follow a point, as in `c3*5`. @param {Entry} entry @param {number} [most] @returns {Set<string>} */
  readPoints(entry, most = 1) {
    /** @type {Set<string>} */
    const points = new Set();
    if (!entry.word) this.attempt(entry, () => entry.take((found) => t("expected the name of a point, found {found}", { found })));
    for (let word = entry.word; word; word = entry.word) {
      entry.next++;
      const found = word;
      const [name, height] = most > 1 ? found.text.split(/\*(.*)/s) : [found.text];
      const id = this.attempt(entry, () => {
        if (height !== undefined && !(/^\+?\d+$/.test(height) && Number(height) >= 1 && Number(height) <= most)) throw entry.misread(found, (wrong) => t("expected a point and its number of pieces, 1 to {most}, found {found}", { most, found: wrong }));
        return this.point(entry, { ...found, text: name });
      });
      if (id === undefined) continue;
      if (Number(height) > 1) this.draft.heights.set(id, Number(height));
      if (points.has(id)) this.record(entry, entry.misread(word, (found) => t("expected each point once, found {found}", { found })));
      points.add(id);
    }
    return points;
  }

  /** Reads a number of pieces and the points where they start. @param {Entry} entry @param {PieceKind} kind */
  readPieces(entry, kind) {
    const { word } = entry;
    const most = Math.max(1, this.ids.length - 1);
    const number = this.attempt(entry, () => entry.count((found) => t("expected a number of pieces, 1 to {most}, found {found}", { most, found }), 1, most));
    this.counts[kind] = number ?? 0;
    const pieces = this.draft.pieces[kind];
    pieces.hand = this.counts[kind];
    const start = entry.word && this.attempt(entry, () => entry.takeIf((found) => t("expected 'at' and the start points, found {found}", { found }), (text) => text === "at"));
    if (!start) return;
    pieces.at = this.readPoints(entry, kind === "prey" ? most : 1);
    const placed = kind === "prey" ? this.placedPrey : pieces.at.size;
    pieces.hand = Math.max(0, this.counts[kind] - placed);
    if (word && number !== undefined && placed > number) this.record(entry, entry.misread(word, (found) => t("expected at least {least}, the number of pieces at the start points, found {found}", { least: placed, found })));
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
      if (word && !TEXTS.includes(keyword)) throw entry.misread(word, (found) => t("expected nothing more, found {found}", { found }));
      this.draft.values[keyword] = entry.words.slice(1).map(({ text }) => text).join(" ");
    });
  }

  /** @param {Entry} entry */
  readValue(entry) {
    const { keyword } = entry;
    if (keyword === "game") {
      entry.takeIf((found) => t("expected a name of at most {most} lowercase letters, digits and hyphens that starts with a letter or digit, found {found}", { most: MAX_NAME_LENGTH, found }), (text) => /^[a-z0-9][a-z0-9-]*$/.test(text) && text.length <= MAX_NAME_LENGTH);
    } else if (keyword === "year") {
      entry.count((found) => t("expected a year, 1 to {last}, found {found}", { last: String(MAX_YEAR), found }), 1, MAX_YEAR);
    } else if (keyword === "names") {
      const hunters = entry.take((found) => t("expected the name of the hunters, found {found}", { found }));
      const prey = entry.take((found) => t("expected the name of the prey, found {found}", { found }));
      if (prey.text === hunters.text) throw entry.misread(prey, (found) => t("expected another name than the hunters have, found {found}", { found }));
    } else if (keyword === "first-drops") {
      const most = Math.max(1, this.counts.prey - this.placedPrey);
      entry.count((found) => t("expected the number of prey that the first turn places, 1 to {most}, found {found}", { most, found }), 1, most);
    } else if (keyword === "captures") {
      this.areCaptures = entry.word?.text !== "none";
      if (["all", "none"].includes(entry.word?.text ?? "")) entry.next++;
      else entry.count((found) => t("expected 'all', 'none' or the number of captures that win, 1 to {most}, found {found}", { most: this.counts.prey, found }), 1, this.counts.prey);
    } else if (keyword === "prey-steps") {
      if (entry.choice(["any", "forward", "forward-or-sideways"]) !== "any") entry.choice(["up", "down", "left", "right"]);
    } else if (keyword in CHOICES) {
      entry.choice(CHOICES[keyword]);
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
