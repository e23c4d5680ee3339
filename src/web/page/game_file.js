// The file of a game: tags, moves with variations and comments, as in PGN. A comment holds the board file of a drawn board,
// and the two lines that `puli play --load` reads. `protocol.md` describes the format.

import { BOARD_COMMAND, boardCommand } from "./drawn_board.js";
import { GameTree } from "./game_tree.js";
import { t } from "./language.js";

/** @import { GameNode } from "./game_tree.js" */
/** @import { State, Value } from "./types.js" */

const VARIANT_LINE = "setoption name UCI_Variant value ";
const POSITION_LINE = "position ";
const TAG_EXAMPLE = '[Variant "aadu-puli"]';

/** Maximum size of a file, in characters. */
export const MAX_FILE_LENGTH = 1 << 20;
/** Maximum moves of a file, variations included. */
const MAX_MOVES = 5000;
/** Maximum depth of variations inside variations. */
const MAX_NESTING = 40;
/** Maximum length of a line, where a space can end it. */
const LINE_LENGTH = 80;

const RESULTS = { p1win: "1-0", p2win: "0-1", draw: "1/2-1/2" };

/**
 * A game that was read. `lines` has the line of each move, `fenLine`, `variantLine` and `boardLine` those of the
 * position, the name and the board file. `board` is empty for a game without a board file.
 * @typedef {{ variant: string, board: string, tree: GameTree, lines: Map<GameNode, number>, fenLine: number, variantLine: number, boardLine: number }} GameFile
 */

/** An error in a file. @param {number} line from 1 @param {string} text */
export function errorAt(line, text) {
  return new Error(t("line {line}: {problem}", { line, problem: text }));
}

/** Returns the end of the main line. @param {GameTree} tree */
function mainEnd(tree) {
  let end = tree.root;
  while (end.children.length) end = end.children[0];
  return end;
}

/** Returns a value as the command of a PGN comment: `[%eval 1.25,9]` in points at depth 9, `[%eval #-12]` for a loss in 12 plies. @param {Value | null} value */
function evalCommand(value) {
  if (!value || value.bound) return "";
  if ("points" in value) return `[%eval ${Math.round(value.points * 100) / 100}${value.depth === undefined ? "" : `,${value.depth}`}]`;
  if (value.outcome === "draw") return "[%eval =]";
  return `[%eval #${value.outcome === "p2win" ? "-" : ""}${value.plies ?? ""}]`;
}

/** Returns the text of a file. @param {{ variant: string, board?: string, tree: GameTree, title: string, players: string[], date: Date }} game */
export function formatFile({ variant, board = "", tree, title, players, date }) {
  const end = mainEnd(tree);
  const outcome = end.state?.outcome ?? null;
  const result = outcome ? RESULTS[outcome] : "*";
  const tags = [
    ["Event", title], ["Site", "Puli"], ["Date", date.toISOString().slice(0, 10).replaceAll("-", ".")], ["Round", "-"],
    ["White", players[0] ?? "?"], ["Black", players[1] ?? "-"], ["Result", result], ["Variant", variant],
    ...(tree.fen === null ? [] : [["SetUp", "1"], ["FEN", tree.fen]]),
  ];
  const saved = `{\n${board && `${boardCommand(board)}\n`}${VARIANT_LINE}${variant}\n${POSITION_LINE}${tree.position(end)}\n}`;
  return `${tags.map(([name, value]) => `[${name} "${value.replace(/[\\"]/g, "\\$&")}"]`).join("\n")}\n\n${saved}\n${wrap([...commentWords(tree.root), ...lineWords(tree.root), result])}\n`;
}

/** Returns the comment of a position, if it has one. @param {GameNode} node */
function commentWords(node) {
  const text = [evalCommand(node.value), node.comment].filter(Boolean).join(" ").replace(/[{}]/g, "");
  return text ? `{${text}}`.split(" ") : [];
}

/** Returns the words of all moves below a node. @param {GameNode} root @returns {string[]} */
function lineWords(root) {
  /** @type {string[]} */
  const words = [];
  // A number follows a comment, a variation or its end, and every second move.
  let needsNumber = true;
  /** @param {GameNode} node */
  const addMove = (node) => {
    if (needsNumber || node.ply % 2 === 1) words.push(`${Math.ceil(node.ply / 2)}${node.ply % 2 ? "." : "..."}`);
    const comment = commentWords(node);
    words.push(node.move, ...comment);
    needsNumber = comment.length > 0;
  };
  for (let at = root; at.children.length; at = at.children[0]) {
    const [main, ...variations] = at.children;
    addMove(main);
    for (const variation of variations) {
      const start = words.length;
      needsNumber = true;
      addMove(variation);
      words.push(...lineWords(variation));
      words[start] = `(${words[start]}`;
      words[words.length - 1] += ")";
      needsNumber = true;
    }
  }
  return words;
}

/** Breaks words into lines. @param {string[]} words */
function wrap(words) {
  const lines = [""];
  for (const word of words) {
    const last = lines.length - 1;
    if (lines[last] && lines[last].length + 1 + word.length > LINE_LENGTH) lines.push(word);
    else lines[last] += (lines[last] ? " " : "") + word;
  }
  return lines.join("\n");
}

/**
 * Reads the text of a file: of this page, of `puli play`, or of another program that writes PGN with the tag `Variant`. Moves are not checked.
 * @param {string} text
 * @returns {GameFile}
 */
export function parseFile(text) {
  if (text.length > MAX_FILE_LENGTH) throw errorAt(1, t("the file has more than {most} characters", { most: MAX_FILE_LENGTH }));
  const source = text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  if (/^\s*setoption /.test(source)) {
    const saved = parseSavedGame(source);
    if (saved) return saved;
    throw errorAt(1, t("expected the lines '{first}…' and '{second}…'", { first: VARIANT_LINE, second: POSITION_LINE }));
  }
  return new GameReader(source).read();
}

/** Reads the command with a board file, if a line has one. @param {string[]} lines @param {number} first the number of the first line */
function parseBoard(lines, first) {
  const at = lines.findIndex((line) => line.startsWith(BOARD_COMMAND));
  if (at < 0) return { board: "", boardLine: 1 };
  const boardLine = first + at;
  try {
    const board = JSON.parse(lines[at].slice(BOARD_COMMAND.length));
    if (typeof board === "string") return { board, boardLine };
  } catch {
    // The text is no JSON.
  }
  throw errorAt(boardLine, t("expected the text of a board file as a JSON string after '{command}'", { command: BOARD_COMMAND.trim() }));
}

/** Reads the lines of a saved game of `puli play`, if the text has those of a game and a position. @param {string} text @returns {GameFile | null} */
function parseSavedGame(text) {
  const lines = text.split("\n");
  const variantAt = lines.findIndex((line) => line.startsWith(VARIANT_LINE));
  const positionAt = lines.findIndex((line) => line.startsWith(POSITION_LINE));
  if (variantAt < 0 || positionAt < 0) return null;
  const [setup, moves = ""] = lines[positionAt].slice(POSITION_LINE.length).split(/ moves(?= |$)/);
  const fen = setup.trim() === "startpos" ? null : setup.trim().replace(/^fen /, "");
  const file = { variant: lines[variantAt].slice(VARIANT_LINE.length).trim(), ...parseBoard(lines, 1), tree: new GameTree(fen), lines: new Map(), fenLine: positionAt + 1, variantLine: variantAt + 1 };
  const words = moves.split(/\s+/).filter(Boolean);
  if (words.length > MAX_MOVES) throw errorAt(positionAt + 1, t("the game has more than {most} moves", { most: MAX_MOVES }));
  for (const move of words) file.lines.set(file.tree.play(move), positionAt + 1);
  return file;
}

/** Reads tags and moves. */
class GameReader {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
    this.at = 0;
    this.line = 1;
    /** The board file in a comment, and its line. */
    this.board = parseBoard([], 1);
  }

  /** Takes what matches a sticky expression at the present place, or returns `null`. @param {RegExp} pattern */
  take(pattern) {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (!match) return null;
    this.at += match[0].length;
    this.line += match[0].split("\n").length - 1;
    return match;
  }

  /** @returns {GameFile} */
  read() {
    /** @type {Map<string, { value: string, line: number }>} */
    const tags = new Map();
    for (;;) {
      this.take(/(?:\s|;[^\n]*\n)+/y);
      const { line } = this;
      const tag = this.take(/\[\s*(\w+)\s+"((?:[^"\\\n]|\\[^\n])*)"\s*\]/y);
      if (tag) tags.set(tag[1], { value: tag[2].replace(/\\(.)/g, "$1"), line });
      else if (this.text[this.at] === "[") throw errorAt(line, t("expected a tag such as {tag}", { tag: TAG_EXAMPLE }));
      else break;
    }
    const variant = tags.get("Variant");
    if (!variant) throw errorAt(1, t("expected the tag {tag} with the name of a game, such as {example}", { tag: '[Variant "…"]', example: TAG_EXAMPLE }));
    const fen = tags.get("FEN");
    const tree = new GameTree(fen?.value ?? null);
    /** @type {GameFile["lines"]} */
    const lines = new Map();
    this.readMoves(tree, lines);
    return { variant: variant.value, ...this.board, tree, lines, fenLine: fen?.line ?? 1, variantLine: variant.line };
  }

  /** Reads moves, variations and comments up to the result or the end. @param {GameTree} tree @param {Map<GameNode, number>} lines */
  readMoves(tree, lines) {
    let at = tree.root;
    /** The moves that open variations replace, and the lines of their brackets. @type {{ node: GameNode, line: number }[]} */
    const open = [];
    for (;;) {
      this.take(/(?:\s|;[^\n]*(?:\n|$))+/y);
      const { line } = this;
      if (this.at >= this.text.length) break;
      if (this.text[this.at] === "{") {
        const comment = this.take(/\{([^}]*)\}/y);
        if (!comment) throw errorAt(line, t("the comment that begins here has no '{bracket}'", { bracket: "}" }));
        if (!this.board.board) this.board = parseBoard(comment[1].split("\n"), line);
        const text = comment[1].replace(/\[%[^\]]*\]/g, "").trim().replace(/\s+/g, " ");
        if (text && !/^setoption name (UCI_Variant|VariantPath|VariantText) value /.test(text)) at.comment = [at.comment, text].filter(Boolean).join(" ");
      } else if (this.take(/\(/y)) {
        if (!at.parent) throw errorAt(line, t("a variation needs a move before it"));
        if (open.length >= MAX_NESTING) throw errorAt(line, t("variations are nested more than {most} deep", { most: MAX_NESTING }));
        open.push({ node: at, line });
        at = at.parent;
      } else if (this.take(/\)/y)) {
        const end = open.pop();
        if (!end) throw errorAt(line, t("this ')' has no '('"));
        at = end.node;
      } else {
        const word = /** @type {RegExpExecArray} */ (this.take(/[^\s(){};]+|./y))[0];
        if (/^(1-0|0-1|1\/2-1\/2|\*)$/.test(word)) {
          if (open.length === 0) break;
          continue;
        }
        // Move numbers and marks of other programs mean nothing here.
        const move = word.replace(/^\d+\.+/, "").replace(/[!?]+$/, "");
        if (!move || /^\$\d+$/.test(move)) continue;
        if (tree.nodes.size > MAX_MOVES) throw errorAt(line, t("the game has more than {most} moves", { most: MAX_MOVES }));
        at = tree.addMove(at, move);
        if (!lines.has(at)) lines.set(at, line);
      }
    }
    const unclosed = open.pop();
    if (unclosed) throw errorAt(unclosed.line, t("the variation that begins here has no ')'"));
    tree.goTo(mainEnd(tree));
  }
}

/**
 * Checks a game that was read. Throws an error with the line of the first wrong move, position or name.
 * @param {GameFile} file
 * @param {string[]} variants the names of all games
 * @param {(variant: string, position: string) => Promise<State>} fetchState
 */
export async function checkFile({ variant, tree, lines, fenLine, variantLine }, variants, fetchState) {
  if (!variants.includes(variant)) throw errorAt(variantLine, t("there is no game called '{name}' here", { name: variant }));
  /** @type {Map<GameNode, State>} */
  const states = new Map();
  /** @param {GameNode} node @param {string} position */
  const load = async (node, position) => {
    const state = await fetchState(variant, position).catch((/** @type {Error} */ error) => {
      throw errorAt(lines.get(node) ?? fenLine, error.message.replace(/^column \d+: /, ""));
    });
    states.set(node, state);
    return state;
  };
  await load(tree.root, tree.fen === null ? "startpos" : `fen ${tree.fen}`);
  for (const [node, line] of lines) {
    const before = states.get(/** @type {GameNode} */ (node.parent));
    if (!before?.moves.some((one) => one.move === node.move)) throw errorAt(line, t("'{move}' is not a legal move here", { move: node.move }));
    // In 2048 earlier moves do not matter, and games are long.
    if (node.children.length) await load(node, before.board.slides === "all" ? `fen ${before.fen} moves ${node.move}` : tree.position(node));
  }
}
