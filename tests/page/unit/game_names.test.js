import assert from "node:assert/strict";
import { test } from "node:test";
import { GAME_NAMES, traditionalName } from "../../../src/web/page/text/game_names.js";

/** The script of each language of the names. */
const SCRIPTS = { ja: /^[\p{Script=Han}\p{Script=Hiragana}]+$/u, kn: /^[\p{Script=Kannada} ]+$/u, ne: /^[\p{Script=Devanagari} ]+$/u, si: /^[\p{Script=Sinhala} ]+$/u, ta: /^[\p{Script=Tamil} ]+$/u, te: /^[\p{Script=Telugu} ]+$/u };

test("a traditional name has the script of its language", () => {
  for (const [variant, [lang, name]] of Object.entries(GAME_NAMES)) assert.match(name, SCRIPTS[lang], variant);
});

test("the traditional name stands beside another title only", () => {
  assert.deepEqual(traditionalName({ variant: "bagh-chal", title: "Bagh Chal" }), { lang: "ne", name: "बाघ चाल" });
  assert.equal(traditionalName({ variant: "bagh-chal", title: "बाघ चाल" }), null);
  assert.equal(traditionalName({ variant: "kaooa", title: "Kaooa" }), null);
});
