// The drawings of the pieces: each in a square from -50 to 50, legible at 24 pixels.

import { s } from "../dom.js";

/** A tiger's head. */
export function tiger() {
  return s("g", { class: "tiger" },
    s("circle", { class: "ear", cx: -29, cy: -29, r: 15 }), s("circle", { class: "ear", cx: 29, cy: -29, r: 15 }),
    s("circle", { class: "inner", cx: -29, cy: -28, r: 7 }), s("circle", { class: "inner", cx: 29, cy: -28, r: 7 }),
    s("path", { class: "fur", d: "M0-40C27-40 43-22 43 2C43 12 48 16 45 22C38 38 20 44 0 44S-38 38-45 22C-48 16-43 12-43 2C-43-22-27-40 0-40Z" }),
    s("path", { class: "pale", d: "M0 8C10 2 30 8 30 22C30 36 14 43 0 43S-30 36-30 22C-30 8-10 2 0 8Z" }),
    s("path", { class: "stripe", d: "M0-40L-5-40L-2-20H2L5-40ZM-20-36L-12-22L-9-24L-14-38ZM20-36L12-22L9-24L14-38Z" }),
    s("path", { class: "stripe", d: "M-43-2L-28 1L-43 6ZM43-2L28 1L43 6ZM-45 14L-31 13L-46 21ZM45 14L31 13L46 21Z" }),
    s("path", { class: "eye", d: "M-27-8Q-18-18-8-5Q-18-1-27-8ZM27-8Q18-18 8-5Q18-1 27-8Z" }),
    s("circle", { class: "pupil", cx: -17, cy: -8, r: 4 }), s("circle", { class: "pupil", cx: 17, cy: -8, r: 4 }),
    s("path", { class: "nose", d: "M-11 10Q0 5 11 10Q8 20 0 21Q-8 20-11 10Z" }),
    s("path", { class: "mouth", d: "M0 20V27M0 27Q-8 35-16 29M0 27Q8 35 16 29" }));
}

/** A goat's head. */
export function goat() {
  return s("g", { class: "goat" },
    s("path", { class: "horn", d: "M-9-26C-12-42-26-50-40-45C-29-42-25-34-24-21ZM9-26C12-42 26-50 40-45C29-42 25-34 24-21Z" }),
    s("path", { class: "ear", d: "M-22-12C-34-20-46-14-48-4C-38 2-28 0-21-3ZM22-12C34-20 46-14 48-4C38 2 28 0 21-3Z" }),
    s("path", { class: "beard", d: "M-9 31L0 50L9 31Z" }),
    s("path", { class: "fur", d: "M0-30C15-30 25-22 25-8C25 4 20 12 18 22C16 33 9 38 0 38S-16 33-18 22C-20 12-25 4-25-8C-25-22-15-30 0-30Z" }),
    s("path", { class: "tuft", d: "M-10-28Q0-40 10-28Q5-20 0-13Q-5-20-10-28Z" }),
    s("ellipse", { class: "pupil", cx: -13, cy: -4, rx: 4.5, ry: 5 }), s("ellipse", { class: "pupil", cx: 13, cy: -4, rx: 4.5, ry: 5 }),
    s("path", { class: "muzzle", d: "M0 12C9 12 14 17 14 24S8 35 0 35S-14 31-14 24S-9 12 0 12Z" }),
    s("path", { class: "mouth", d: "M-6 19L0 23L6 19M0 23V28M-6 30Q0 27 6 30" }));
}

/** A cross. */
export function cross() {
  return s("path", { class: "cross", d: "M-30-30L30 30M30-30L-30 30" });
}

/** A ring. */
export function ring() {
  return s("circle", { class: "ring", r: 31 });
}

/** A person on the river: a missionary with a hat, a cannibal with a spiked crown. @param {string} kind */
export function person(kind) {
  const head = s("circle", { class: "skin", cy: -14, r: 15 });
  const face = s("path", { class: "face", d: "M-6-15V-12M6-15V-12M-6-5Q0-1 6-5" });
  if (kind === "missionary") {
    return s("g", { class: "missionary" },
      s("path", { class: "robe", d: "M0-2C16-2 24 12 24 44H-24C-24 12-16-2 0-2Z" }),
      s("path", { class: "sign", d: "M0 12V32M-7 19H7" }),
      head, face,
      s("path", { class: "hat", d: "M-27-22H27Q27-27 16-27C14-40 9-43 0-43S-14-40-16-27Q-27-27-27-22Z" }));
  }
  return s("g", { class: "cannibal" },
    s("path", { class: "robe", d: "M0-2C16-2 24 10 24 24L17 44L10 30L3 44L-4 30L-11 44L-18 30L-24 38V24C-24 10-16-2 0-2Z" }),
    s("path", { class: "sign", d: "M-10 10L-5 16L0 10L5 16L10 10" }),
    head, face,
    s("path", { class: "hat", d: "M-16-22L-22-42L-9-32L0-48L9-32L22-42L16-22Q0-30-16-22Z" }));
}

/** A fox's head, which in grey is a wolf's. @param {string} name */
function fox(name) {
  return s("g", { class: name },
    s("path", { class: "ear", d: "M-40-44L-12-24L-36 2ZM40-44L12-24L36 2Z" }),
    s("path", { class: "fur", d: "M0-30C20-30 36-16 44 10C30 12 12 44 0 44S-30 12-44 10C-36-16-20-30 0-30Z" }),
    s("path", { class: "pale", d: "M0 20C-8 20-22 12-42 11C-28 16-12 44 0 44S28 16 42 11C22 12 8 20 0 20Z" }),
    s("circle", { class: "pupil", cx: -16, cy: -4, r: 5 }), s("circle", { class: "pupil", cx: 16, cy: -4, r: 5 }),
    s("circle", { class: "pupil", cy: 38, r: 7 }));
}

/** A dog's head, ears hanging. */
function dog() {
  return s("g", { class: "dog" },
    s("path", { class: "fur", d: "M0-36C22-36 30-20 28 4C27 26 18 42 0 42S-27 26-28 4C-30-20-22-36 0-36Z" }),
    s("path", { class: "ear", d: "M-20-34C-40-36-50-10-42 14C-34 20-26 8-24-8ZM20-34C40-36 50-10 42 14C34 20 26 8 24-8Z" }),
    s("ellipse", { class: "pale", cy: 24, rx: 17, ry: 16 }), s("ellipse", { class: "pupil", cy: 15, rx: 8, ry: 6 }),
    s("circle", { class: "pupil", cx: -12, cy: -6, r: 5 }), s("circle", { class: "pupil", cx: 12, cy: -6, r: 5 }),
    s("path", { class: "mouth", d: "M0 20V28M0 28Q-6 34-11 29M0 28Q6 34 11 29" }));
}

/** A bird's head, bill to the side. @param {string} name */
function bird(name) {
  return s("g", { class: name },
    s("path", { class: "bill", d: "M16-16L48-6L18 4Z" }),
    s("path", { class: "fur", d: "M-2-40C16-40 26-28 24-12C22 4 8 8 10 22C12 32 20 38 24 46H-26C-34 26-30 14-26 2C-24-20-22-40-2-40Z" }),
    s("circle", { class: "pupil", cx: 6, cy: -18, r: 5 }));
}

/** A hare's head, ears up. */
function hare() {
  return s("g", { class: "hare" },
    s("path", { class: "ear", d: "M-8-12C-30-20-30-48-18-50C-8-48-2-30-2-14ZM8-12C30-20 30-48 18-50C8-48 2-30 2-14Z" }),
    s("ellipse", { class: "fur", cy: 14, rx: 30, ry: 28 }),
    s("circle", { class: "pupil", cx: -13, cy: 6, r: 5 }), s("circle", { class: "pupil", cx: 13, cy: 6, r: 5 }),
    s("path", { class: "mouth", d: "M-6 20H6L0 26ZM0 26V32M0 32Q-7 37-12 32M0 32Q7 37 12 32" }));
}

/** A tiger's head in a jaguar's coat. */
function jaguar() {
  const spots = [[-26, -18], [0, -28], [26, -18], [-35, 4], [35, 4], [-12, -22], [12, -22]];
  const head = tiger();
  head.setAttribute("class", "jaguar");
  head.append(...spots.map(([cx, cy]) => s("circle", { class: "spot-mark", cx, cy, r: 4.5 })));
  return head;
}

/** Animals by what people call them: a board file may name any. @type {[RegExp, () => SVGElement][]} */
const ANIMALS = [
  [/tiger/, tiger], [/jaguar|leopard|panther|puma/, jaguar], [/wolf|coyote/, () => fox("wolf")], [/fox/, () => fox("fox")],
  [/dog|hound/, dog], [/goose|geese|hen|duck/, () => bird("goose")], [/crow|raven|bird|vulture/, () => bird("crow")], [/hare|rabbit/, hare], [/goat|sheep|lamb/, goat],
];

/** @type {Record<string, () => SVGElement>} */
const DRAWN = { hunter: tiger, prey: goat, X: cross, O: ring };

/**
 * The drawing of a piece: by what people call it where that is an animal drawn here, else by its kind.
 * @param {string} kind
 * @param {string} [name]
 */
export function drawing(kind, name = "") {
  const animal = kind === "hunter" || kind === "prey" ? ANIMALS.find(([word]) => word.test(name.toLowerCase()))?.[1] : undefined;
  return (animal ?? DRAWN[kind] ?? (() => s("circle", { class: "disc", r: 34 })))();
}

/** A piece as a small picture of its own. @param {string} kind @param {string} [name] */
export function icon(kind, name) {
  return s("svg", { viewBox: "-52 -52 104 104", class: "icon", "aria-hidden": "true" }, drawing(kind, name));
}
