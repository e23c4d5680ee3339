import assert from "node:assert/strict";
import { test } from "node:test";
import { Noun, capitalize, numberText, parsePattern, t, translated } from "../../../src/web/page/language.js";

const MODULE = new URL("../../../src/web/page/language.js", import.meta.url);

/** Loads the module as a page does. @param {string} hash @param {string[]} [languages] those of the browser @param {any} [file] the file of its language; `null` if there is none @returns {Promise<typeof import("../../../src/web/page/language.js")>} */
async function load(hash, languages = [], file = { messages: {}, nouns: {} }) {
  const before = Object.getOwnPropertyDescriptor(globalThis, "navigator");
  const { fetch } = globalThis;
  Object.assign(globalThis, { document: {}, location: { hash }, fetch: async () => ({ ok: file !== null, json: async () => file }) });
  Object.defineProperty(globalThis, "navigator", { value: { languages }, configurable: true });
  try {
    return await import(`${MODULE}?${hash}${languages}${file === null}`);
  } finally {
    globalThis.fetch = fetch;
    Reflect.deleteProperty(globalThis, "document");
    Reflect.deleteProperty(globalThis, "location");
    if (before) Object.defineProperty(globalThis, "navigator", before);
    else Reflect.deleteProperty(globalThis, "navigator");
  }
}

test("a pattern without a translation is worded in English", () => {
  assert.equal(t("Rules"), "Rules");
  assert.equal(t("{name} on {point}", { name: "x", point: "b2" }), "x on b2");
  assert.equal(translated("India"), "India");
  assert.deepEqual([numberText(1234567.25), numberText(0.5, { style: "percent" })], ["1,234,567.25", "50%"]);
  assert.deepEqual([capitalize("goats"), capitalize("")], ["Goats", ""]);
});

test("numbers choose a plural case, and # is the number", () => {
  const pattern = "{n, plural, =0 {none} one {# move} other {# moves by {who}}}";
  assert.deepEqual([0, 1, 2, 1500].map((n) => t(pattern, { n, who: "Max" })), ["none", "1 move", "2 moves by Max", "1,500 moves by Max"]);
  assert.equal(t("# {n}", { n: 2 }), "# 2");
});

test("words choose a case, and other stands for the rest", () => {
  const pattern = "{way, select, up {Up} down {Down {n, plural, one {#} other {#s}}} other {Away}}";
  assert.deepEqual(["up", "down", "left"].map((way) => t(pattern, { way, n: 3 })), ["Up", "Down 3s", "Away"]);
});

test("lists are joined by and or or", () => {
  const points = ["a1", "b2", "c3"];
  assert.equal(t("{points}", { points }), "a1, b2 and c3");
  assert.equal(t("{points, or}", { points: points.slice(1) }), "b2 or c3");
  assert.equal(t("{points}", { points: [] }), "");
});

test("nouns have forms, articles and capitals", () => {
  const [goat, otter] = [new Noun("goat", "goats"), new Noun("otter", "otters", { isMany: true })];
  assert.equal(t("{x}, {x.one}, {x.many}, {x.a}, {X.the}", { x: goat }), "goat, goat, goats, a goat, The goat");
  assert.equal(t("{x}, {x.one}, {x.a}, {x.the}, {X}", { x: otter }), "otters, otter, an otter, the otters, Otters");
  assert.equal(t("{x.number, select, one {wins} many {win}}", { x: otter }), "win");
  assert.equal(t("{x.a} {x.the}", { x: new Noun("Max", "Max", { hasArticle: false }) }), "Max Max");
  assert.equal(t("{x.none}", { x: goat }), "goat");
});

test("a translation reorders arguments and has forms of its own", async () => {
  const hindi = await load("#lang=hi", [], {
    messages: { "{piece.the} moves to {point}": "{point} पर {piece.dat} {n}", Rules: "नियम", "{n, plural, one {# move} other {# moves}}": "{n, plural, one {# चाल} other {# चालें}}" },
    nouns: { goat: { one: "बकरी", many: "बकरियाँ", dat: "बकरी को" } },
  });
  assert.equal(hindi.language, "hi");
  assert.equal(hindi.t("{piece.the} moves to {point}", { piece: new hindi.Noun("goat", "goats"), point: "b2", n: 100000 }), "b2 पर बकरी को 1,00,000");
  assert.deepEqual([hindi.t("Rules"), hindi.translated("Rules"), hindi.t("Hint")], ["नियम", "नियम", "Hint"]);
  // Hindi has the case one for 0, too.
  assert.deepEqual([0, 1, 2].map((n) => hindi.t("{n, plural, one {# move} other {# moves}}", { n })), ["0 चाल", "1 चाल", "2 चालें"]);
  assert.equal(hindi.t("{x.a}, {x.many}, {x.gen}", { x: new hindi.Noun("goat", "goats") }), "बकरी, बकरियाँ, बकरी");
  assert.equal(hindi.t("{x.a}", { x: new hindi.Noun("yak", "yaks") }), "yak");
  const chinese = await load("#lang=zh", [], { messages: { "{n, plural, one {# move} other {# moves}}": "{n, plural, other {#步}}" }, nouns: { goat: { one: "山羊" } } });
  assert.deepEqual([1, 2].map((n) => chinese.t("{n, plural, one {# move} other {# moves}}", { n })), ["1步", "2步"]);
  assert.equal(chinese.t("{x.many} {list}", { x: new chinese.Noun("goat", "goats"), list: ["a1", "b2", "c3"] }), "山羊 a1、b2和c3");
});

test("the language is that of the address, then that of the browser, and English without its file", async () => {
  const chosen = [await load("#variant=kaooa&lang=ta-IN", ["vi"]), await load("", ["fr", "ne-NP", "zh"]), await load("#lang=xx", ["de"]), await load("#lang=ta", [], null)];
  assert.deepEqual(chosen.map(({ language }) => language), ["ta", "ne", "en", "en"]);
});

test("a broken pattern is reported with its place", () => {
  for (const [pattern, error] of [
    ["a {b", "expected } at character 5 of 'a {b'"],
    ["a} b", "expected no } at character 2 of 'a} b'"],
    ["{}", "expected a name at character 2 of '{}'"],
    ["{1}", "expected a name at character 2 of '{1}'"],
    ["{n, plural, one {x}}", "expected the case other at character 21 of '{n, plural, one {x}}'"],
    ["{n, plural, one x}", "expected } at character 13 of '{n, plural, one x}'"],
    ["{n, plural, other {x}", "expected } at character 22 of '{n, plural, other {x}'"],
    ["{n, choice, other {x}}", "expected } at character 5 of '{n, choice, other {x}}'"],
  ]) assert.throws(() => parsePattern(pattern), { message: error }, pattern);
});
