// Draws the pieces, each in a square from -50 to 50. They are made to be told apart at 24 pixels.

import { svg } from "../dom.js";
import { numberText } from "../language.js";
import { pieceName } from "../text.js";

/** @import { State } from "../types.js" */

/** A tiger's head. */
export function tiger() {
  return svg("g", { class: "tiger" },
    svg("circle", { class: "ear", cx: -29, cy: -29, r: 15 }), svg("circle", { class: "ear", cx: 29, cy: -29, r: 15 }),
    svg("circle", { class: "inner", cx: -29, cy: -28, r: 7 }), svg("circle", { class: "inner", cx: 29, cy: -28, r: 7 }),
    svg("path", { class: "fur", d: "M0-40C27-40 43-22 43 2C43 12 48 16 45 22C38 38 20 44 0 44S-38 38-45 22C-48 16-43 12-43 2C-43-22-27-40 0-40Z" }),
    svg("path", { class: "pale", d: "M0 8C10 2 30 8 30 22C30 36 14 43 0 43S-30 36-30 22C-30 8-10 2 0 8Z" }),
    svg("path", { class: "stripe", d: "M0-40L-5-40L-2-20H2L5-40ZM-20-36L-12-22L-9-24L-14-38ZM20-36L12-22L9-24L14-38Z" }),
    svg("path", { class: "stripe", d: "M-43-2L-28 1L-43 6ZM43-2L28 1L43 6ZM-45 14L-31 13L-46 21ZM45 14L31 13L46 21Z" }),
    svg("path", { class: "eye", d: "M-27-8Q-18-18-8-5Q-18-1-27-8ZM27-8Q18-18 8-5Q18-1 27-8Z" }),
    svg("circle", { class: "pupil", cx: -17, cy: -8, r: 4 }), svg("circle", { class: "pupil", cx: 17, cy: -8, r: 4 }),
    svg("path", { class: "nose", d: "M-11 10Q0 5 11 10Q8 20 0 21Q-8 20-11 10Z" }),
    svg("path", { class: "mouth", d: "M0 20V27M0 27Q-8 35-16 29M0 27Q8 35 16 29" }));
}

/** A goat's head. */
function goat() {
  return svg("g", { class: "goat" },
    svg("path", { class: "horn", d: "M-9-26C-12-42-26-50-40-45C-29-42-25-34-24-21ZM9-26C12-42 26-50 40-45C29-42 25-34 24-21Z" }),
    svg("path", { class: "ear", d: "M-22-12C-34-20-46-14-48-4C-38 2-28 0-21-3ZM22-12C34-20 46-14 48-4C38 2 28 0 21-3Z" }),
    svg("path", { class: "beard", d: "M-9 31L0 50L9 31Z" }),
    svg("path", { class: "fur", d: "M0-30C15-30 25-22 25-8C25 4 20 12 18 22C16 33 9 38 0 38S-16 33-18 22C-20 12-25 4-25-8C-25-22-15-30 0-30Z" }),
    svg("path", { class: "tuft", d: "M-10-28Q0-40 10-28Q5-20 0-13Q-5-20-10-28Z" }),
    svg("ellipse", { class: "pupil", cx: -13, cy: -4, rx: 4.5, ry: 5 }), svg("ellipse", { class: "pupil", cx: 13, cy: -4, rx: 4.5, ry: 5 }),
    svg("path", { class: "muzzle", d: "M0 12C9 12 14 17 14 24S8 35 0 35S-14 31-14 24S-9 12 0 12Z" }),
    svg("path", { class: "mouth", d: "M-6 19L0 23L6 19M0 23V28M-6 30Q0 27 6 30" }));
}

/** A cross. */
function cross() {
  return svg("path", { class: "cross", d: "M-30-30L30 30M30-30L-30 30" });
}

/** A ring. */
function ring() {
  return svg("circle", { class: "ring", r: 31 });
}

/** A person without a face. The hat and the tool show the role. @param {string} name @param {...SVGElement} hat */
function figure(name, ...hat) {
  return svg("g", { class: `figure ${name}` },
    svg("path", { class: "body", d: "M0 2C24 2 34 18 34 46H-34C-34 18-24 2 0 2Z" }), svg("circle", { class: "body", cy: -12, r: 17 }), ...hat);
}

/** A person on the river: a missionary with a wide-brimmed hat, or a cannibal with a cook's hat. @param {string} kind */
export function person(kind) {
  return kind === "missionary"
    ? figure("missionary", svg("path", { class: "hat", d: "M-34-20H34Q34-27 19-27C18-40 12-44 0-44S-18-40-19-27Q-34-27-34-20Z" }))
    : figure("cannibal", svg("path", { class: "hat", d: "M-16-18V-28C-32-30-28-48-14-44C-8-54 8-54 14-44C28-48 32-30 16-28V-18Z" }));
}

/** A person without a hat. */
function man() {
  return figure("man");
}

/** A hunter: a pointed hat with a feather, and a bow. */
function huntsman() {
  return figure("huntsman",
    svg("path", { class: "hat", d: "M-26-18L-2-46L24-24L32-18Z" }), svg("path", { class: "tool", d: "M14-34L36-50" }),
    svg("path", { class: "tool", d: "M40-14C52 8 52 24 40 46ZM26 16H50" }));
}

/** A soldier: a round helmet with a point, and a spear. */
function soldier() {
  return figure("soldier",
    svg("path", { class: "hat", d: "M-20-14C-20-34-10-36-3-36L0-48L3-36C10-36 20-34 20-14Z" }),
    svg("path", { class: "tool", d: "M-42 46V-28" }), svg("path", { class: "hat", d: "M-42-50L-35-28H-49Z" }));
}

/** A general: a helmet with two horns, and broad shoulders. */
function general() {
  return figure("general",
    svg("path", { class: "hat", d: "M-48 46L-40 8L-16 6L0 20L16 6L40 8L48 46L30 38H-30Z" }),
    svg("path", { class: "hat", d: "M-26-8L-20-26L-38-50L-8-34H8L38-50L20-26L26-8Z" }));
}

/** A paw print, for any other animal. */
function paw() {
  return svg("g", { class: "paw" },
    svg("path", { class: "fur", d: "M0-4C18-4 34 16 30 32C26 46 10 36 0 36S-26 46-30 32C-34 16-18-4 0-4Z" }),
    ...[[-36, -4], [-14, -26], [14, -26], [36, -4]].map(([cx, cy]) => svg("ellipse", { class: "fur", cx, cy, rx: 10, ry: 14 })));
}

/** The head of a fox, or of a wolf in gray. @param {string} name */
function fox(name) {
  return svg("g", { class: name },
    svg("path", { class: "ear", d: "M-40-44L-12-24L-36 2ZM40-44L12-24L36 2Z" }),
    svg("path", { class: "fur", d: "M0-30C20-30 36-16 44 10C30 12 12 44 0 44S-30 12-44 10C-36-16-20-30 0-30Z" }),
    svg("path", { class: "pale", d: "M0 20C-8 20-22 12-42 11C-28 16-12 44 0 44S28 16 42 11C22 12 8 20 0 20Z" }),
    svg("circle", { class: "pupil", cx: -16, cy: -4, r: 5 }), svg("circle", { class: "pupil", cx: 16, cy: -4, r: 5 }),
    svg("circle", { class: "pupil", cy: 38, r: 7 }));
}

/** A dog's head with hanging ears. */
function dog() {
  return svg("g", { class: "dog" },
    svg("path", { class: "fur", d: "M0-36C22-36 30-20 28 4C27 26 18 42 0 42S-27 26-28 4C-30-20-22-36 0-36Z" }),
    svg("path", { class: "ear", d: "M-20-34C-40-36-50-10-42 14C-34 20-26 8-24-8ZM20-34C40-36 50-10 42 14C34 20 26 8 24-8Z" }),
    svg("ellipse", { class: "pale", cy: 24, rx: 17, ry: 16 }), svg("ellipse", { class: "pupil", cy: 15, rx: 8, ry: 6 }),
    svg("circle", { class: "pupil", cx: -12, cy: -6, r: 5 }), svg("circle", { class: "pupil", cx: 12, cy: -6, r: 5 }),
    svg("path", { class: "mouth", d: "M0 20V28M0 28Q-6 34-11 29M0 28Q6 34 11 29" }));
}

/** A crow's head in profile. */
function crow() {
  return svg("g", { class: "crow" },
    svg("path", { class: "bill", d: "M14-22L50-8L16 2Z" }),
    svg("path", { class: "fur", d: "M-2-40C16-40 26-28 24-12C22 4 8 8 10 22C12 32 20 38 24 46H-26C-34 26-30 14-26 2C-24-20-22-40-2-40Z" }),
    svg("circle", { class: "pupil", cx: 6, cy: -18, r: 5 }));
}

/** A vulture with spread wings and a bare head above a ruff. */
function vulture() {
  return svg("g", { class: "vulture" },
    svg("path", { class: "fur", d: "M0-14C14-34 38-38 50-30L46-16L48-6L40 2L40 12L30 14L26 24L16 24C14 34 10 42 10 48H-10C-10 42-14 34-16 24L-26 24L-30 14L-40 12L-40 2L-48-6L-46-16L-50-30C-38-38-14-34 0-14Z" }),
    svg("circle", { class: "bare", cy: -30, r: 13 }), svg("path", { class: "bill", d: "M-7-28H7L3-10Q0-6-3-10Z" }),
    svg("path", { class: "ruff", d: "M-18-14Q-9-4 0-10Q9-4 18-14Q14 6 0 8Q-14 6-18-14Z" }),
    svg("circle", { class: "pupil", cx: -6, cy: -33, r: 3 }), svg("circle", { class: "pupil", cx: 6, cy: -33, r: 3 }));
}

/** A goose with a long neck. */
function goose() {
  return svg("g", { class: "goose" },
    svg("path", { class: "bill", d: "M26-42L50-32L26-24Z" }),
    svg("path", { class: "fur", d: "M-48 10C-34 4-8 4 4 12C12 4 8-16 6-28C4-50 32-50 32-32C32-22 26-14 28 0C34 20 30 44-4 44C-34 44-44 28-48 10Z" }),
    svg("circle", { class: "pupil", cx: 19, cy: -34, r: 4 }));
}

/** A hen with a comb, a tail and two legs. */
function hen() {
  return svg("g", { class: "hen" },
    svg("path", { class: "leg", d: "M-8 34V48M10 34V48" }), svg("path", { class: "comb", d: "M4-30C0-46 12-48 16-40C20-50 32-46 30-32Z" }),
    svg("path", { class: "bill", d: "M32-26L48-18L32-12Z" }), svg("path", { class: "comb", d: "M30-10C38-6 38 8 30 8C24 8 24-4 30-10Z" }),
    svg("path", { class: "fur", d: "M-48-30C-34-34-26-10-12-8C0-8 2-18 4-26C8-38 36-38 34-18C36 8 34 38 0 40C-32 40-44 4-48-30Z" }),
    svg("circle", { class: "pupil", cx: 20, cy: -20, r: 4 }));
}

/** A sheep's head with wool. */
function sheep() {
  const curls = Array.from({ length: 9 }, (_, at) => (at * 2 * Math.PI) / 9 - Math.PI / 2);
  const round = (/** @type {number} */ value) => Math.round(value * 10) / 10;
  return svg("g", { class: "sheep" },
    ...curls.map((way) => svg("circle", { class: "wool", cx: round(34 * Math.cos(way)), cy: round(-4 + 32 * Math.sin(way)), r: 14 })),
    svg("circle", { class: "fleece", cy: -4, r: 35 }),
    svg("path", { class: "ear", d: "M-16-2C-28-10-40-4-42 6C-32 12-22 8-16 4ZM16-2C28-10 40-4 42 6C32 12 22 8 16 4Z" }),
    svg("path", { class: "face", d: "M0-16C14-16 20-6 18 8C16 26 12 46 0 46S-16 26-18 8C-20-6-14-16 0-16Z" }),
    svg("circle", { class: "pupil", cx: -8, cy: 4, r: 4 }), svg("circle", { class: "pupil", cx: 8, cy: 4, r: 4 }));
}

/** A hare's head with raised ears. */
function hare() {
  return svg("g", { class: "hare" },
    svg("path", { class: "ear", d: "M-8-12C-30-20-30-48-18-50C-8-48-2-30-2-14ZM8-12C30-20 30-48 18-50C8-48 2-30 2-14Z" }),
    svg("ellipse", { class: "fur", cy: 14, rx: 30, ry: 28 }),
    svg("circle", { class: "pupil", cx: -13, cy: 6, r: 5 }), svg("circle", { class: "pupil", cx: 13, cy: 6, r: 5 }),
    svg("path", { class: "mouth", d: "M-6 20H6L0 26ZM0 26V32M0 32Q-7 37-12 32M0 32Q7 37 12 32" }));
}

/** A bear's head with round ears. */
function bear() {
  return svg("g", { class: "bear" },
    svg("circle", { class: "ear", cx: -26, cy: -24, r: 13 }), svg("circle", { class: "ear", cx: 26, cy: -24, r: 13 }),
    svg("ellipse", { class: "fur", cy: 6, rx: 38, ry: 34 }),
    svg("circle", { class: "pupil", cx: -14, cy: -4, r: 4.5 }), svg("circle", { class: "pupil", cx: 14, cy: -4, r: 4.5 }),
    svg("path", { class: "mouth", d: "M-9 10H9L0 19ZM0 19V27M0 27Q-8 33-14 27M0 27Q8 33 14 27" }));
}

/** A lion's head with a mane. */
function lion() {
  return svg("g", { class: "lion" },
    svg("path", { class: "mane", d: "M0-48L14-42L28-40L36-28L46-18L44-4L48 10L40 22L36 36L22 40L10 48L0 44L-10 48L-22 40L-36 36L-40 22L-48 10L-44-4L-46-18L-36-28L-28-40L-14-42Z" }),
    svg("circle", { class: "ear", cx: -21, cy: -24, r: 8 }), svg("circle", { class: "ear", cx: 21, cy: -24, r: 8 }),
    svg("ellipse", { class: "fur", cy: 4, rx: 26, ry: 29 }), svg("ellipse", { class: "pale", cy: 19, rx: 15, ry: 12 }),
    svg("circle", { class: "pupil", cx: -10, cy: -6, r: 4 }), svg("circle", { class: "pupil", cx: 10, cy: -6, r: 4 }),
    svg("path", { class: "mouth", d: "M-8 9H8L0 17ZM0 17V22M0 22Q-6 28-11 23M0 22Q6 28 11 23" }));
}

/** A calf's head with short horns. */
function calf() {
  return svg("g", { class: "calf" },
    svg("path", { class: "horn", d: "M-18-26C-24-32-26-40-22-46C-16-42-12-36-10-30ZM18-26C24-32 26-40 22-46C16-42 12-36 10-30Z" }),
    svg("path", { class: "ear", d: "M-20-20C-32-28-44-24-48-14C-38-6-28-6-20-10ZM20-20C32-28 44-24 48-14C38-6 28-6 20-10Z" }),
    svg("path", { class: "fur", d: "M0-34C16-34 24-26 23-10C22 8 20 22 18 32C14 44-14 44-18 32C-20 22-22 8-23-10C-24-26-16-34 0-34Z" }),
    svg("ellipse", { class: "pale", cy: 26, rx: 19, ry: 15 }),
    svg("circle", { class: "pupil", cx: -11, cy: -8, r: 4.5 }), svg("circle", { class: "pupil", cx: 11, cy: -8, r: 4.5 }),
    svg("circle", { class: "pupil", cx: -7, cy: 24, r: 3 }), svg("circle", { class: "pupil", cx: 7, cy: 24, r: 3 }), svg("path", { class: "mouth", d: "M-8 34Q0 38 8 34" }));
}

/** A spotted cat, for leopards and jaguars. */
function leopard() {
  const spots = [[-26, 4], [-12, -4], [2, 4], [14, -6], [-2, -12]];
  return svg("g", { class: "leopard" },
    svg("path", { class: "tail", d: "M-34 0C-52-6-50-34-32-38" }),
    svg("path", { class: "fur", d: "M-36-4C-24-20 6-18 18-16L20-32L30-26L42-28L42-16C52-10 50 4 42 8L30 10L28 40H16L12 18H-14L-18 40H-30L-32 18C-40 12-40 2-36-4Z" }),
    ...spots.map(([cx, cy]) => svg("circle", { class: "spot-mark", cx, cy, r: 4.5 })),
    svg("circle", { class: "pupil", cx: 34, cy: -12, r: 3.5 }), svg("path", { class: "mouth", d: "M46-2Q40 2 36 0" }));
}

/** A crown, for hunters without a drawing. */
function crowned() {
  return svg("g", { class: "plain" }, svg("path", { class: "lead", d: "M-36 40L-42-34L-20-10L0-44L20-10L42-34L36 40Z" }));
}

/** A disc, for prey without a drawing. */
function disc() {
  return svg("g", { class: "plain" }, svg("circle", { class: "disc", r: 34 }), svg("circle", { class: "inlay", r: 20 }));
}

/** The drawing for each name that a board file can give to a piece. @type {[RegExp, () => SVGElement][]} */
const DRAWINGS = [
  [/\bhunt|cazador/, huntsman], [/general|king|chief|captain|officer/, general], [/soldier|guard|warrior/, soldier], [/m[ae]n\b|people|person|farmer|girl|boy|child|pawn/, man],
  [/tiger/, tiger], [/\blions?\b/, lion], [/cal[fv]|cow|bull\b/, calf], [/jaguar|leopard|panther|puma/, leopard], [/wol[fv]|coyote/, () => fox("wolf")], [/fox/, () => fox("fox")],
  [/dog|hound/, dog], [/goose|geese|duck|swan/, goose], [/\bhens?\b|chicken/, hen], [/vulture|eagle|hawk/, vulture], [/crow|raven|bird/, crow],
  [/\bhares?\b|rabbit/, hare], [/sheep|lamb/, sheep], [/goat/, goat], [/\bbear/, bear], [/animal|beast|\bprey\b/, paw],
];

/** Returns the drawing for a name, or `undefined`. @param {string} name */
function findDrawing(name) {
  return DRAWINGS.find(([word]) => word.test(name.toLowerCase()))?.[1];
}

/**
 * Draws a piece by its name. The two kinds of a game never get the same drawing.
 * @param {string} kind `hunter`, `prey`, `X` or `O`
 * @param {string} [name] the name of the piece
 * @param {string} [other] the name of the other side's piece
 */
export function drawPiece(kind, name = "", other = "") {
  if (kind === "X") return cross();
  if (kind === "O") return ring();
  const draw = findDrawing(name);
  if (kind === "hunter") return (draw ?? crowned)();
  return (draw && draw !== findDrawing(other) ? draw : disc)();
}

/** Draws a piece of a game, or a stack of pieces with its height. @param {State} state @param {string} kind @param {string} player @param {number} [count] */
export function drawPieceOf(state, kind, player, count = 1) {
  const piece = drawPiece(kind, pieceName(state, player).one, pieceName(state, player === "p1" ? "p2" : "p1").one);
  return count > 1 ? svg("g", {}, piece, svg("text", { class: "height", x: -30, y: 48 }, numberText(count))) : piece;
}

/** Draws a piece as an icon. @param {State} state @param {string} kind @param {string} player */
export function icon(state, kind, player) {
  return svg("svg", { viewBox: "-52 -52 104 104", class: "icon", "aria-hidden": "true" }, drawPieceOf(state, kind, player));
}
