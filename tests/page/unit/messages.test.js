import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileOf, findTexts, languageProblems, mergeTranslations, missingOf, patternProblems, scanDocument, scanGames, scanLesson, scanModule, translatedLanguages } from "../support/messages.js";

const found = await findTexts();

test("every text of the page can be translated", () => {
  assert.deepEqual(found.problems, []);
  assert.ok(found.texts.length > 300, `${found.texts.length} texts`);
});

for (const tag of translatedLanguages()) {
  test(`the file of ${tag} is complete`, () => {
    assert.deepEqual(languageProblems(tag, JSON.parse(readFileSync(fileOf(tag), "utf8")), found), []);
  });
}

const IMPORT = 'import { Noun, t, translated } from "../language.js";\n';

test("the texts of a module are found with their lines", () => {
  const { texts, nouns, problems } = scanModule("a.js", `${IMPORT}// t(wrong)
    t("one"); at("no"); list.t("no"); t(
      'a “second” {piece}', { piece: new Noun("goat", "goats") });
    t(\`third\`); translated(lesson.title); translated("fourth");`);
  assert.deepEqual(texts.map(({ text, place }) => [text, place]), [["one", "a.js:3"], ["a “second” {piece}", "a.js:3"], ["third", "a.js:5"], ["fourth", "a.js:5"]]);
  assert.deepEqual([nouns.map(({ text }) => text), problems], [["goat"], []]);
  assert.deepEqual(scanModule("b.js", "const t = (x) => x; t(5);").problems, []);
});

test("texts that are not written out and wrong arguments are reported with their lines", () => {
  const { problems } = scanModule("a.js", `${IMPORT}t(name); t("a" + b); t(\`\${c}\`);
    t("{x} and {y}", { x: f({ z: 1 }, \`\${[1, 2]}\`), y });
    t("{x} and {Y.the}", { x });
    t("{x}", { x, z: ")" });
    t("{x}");
    t("{x}", values);
    t("{x");`);
  assert.deepEqual(problems, [
    ...Array(3).fill("a.js:2: expected a text written out as the first argument of t"),
    "a.js:4: '{x} and {Y.the}' needs the arguments y",
    "a.js:5: '{x}' does not use the arguments z",
    "a.js:6: '{x}' needs the arguments x",
    "a.js:8: expected } at character 3 of '{x'",
  ]);
});

test("the texts of the document, the lessons and the games are found", () => {
  const document = '<meta name="description" content="About" data-t><p data-t>\n Text </p><p>Name</p><section aria-label="Board" data-t-label><b data-t data-t-label aria-label="L">T</b>';
  assert.deepEqual(scanDocument(document).map(({ text }) => text), ["About", "Text", "Board", "T", "L"]);
  const lesson = scanLesson("x.json", { title: "T", rounds: [[{ note: "N", material: { tree: "[1]" }, odd: "what" }]] });
  assert.deepEqual(lesson.texts.map(({ text }) => text), ["T", "N"]);
  assert.match(lesson.problems[0], /^x\.json: list the key 'odd'/);
  const games = scanGames([{ variant: "a", title: "A", origin: null, differences: ["D"], each: ["goat", "tiger"] }, { variant: "b", title: "B", origin: "India", each: ["X", "O"] }]);
  assert.deepEqual([games.texts.map(({ text }) => text), games.nouns.map(({ text }) => text)], [["A", "D", "B", "India"], ["goat", "tiger"]]);
});

const SAMPLE = {
  texts: [["{n, plural, one {# move} other {# moves}} of {side.the}", true], ["{way, select, up {Up} other {Down}}", true], ["Rules", false], ["FEN", false], ["{a}: {b}", true]].map(([text, isPattern]) => ({ text: String(text), place: "x.js:1", isPattern: Boolean(isPattern) })),
  nouns: [{ text: "goat", place: "game a", isPattern: false }], problems: [],
};
const [MOVES, WAY] = SAMPLE.texts.map(({ text }) => text);
const NOUNS = { goat: { one: "bakri", many: "bakriyan" } };

test("a file must have every text with words, and nothing else", () => {
  const complete = { same: ["FEN"], messages: { [MOVES]: "{side.gen}: {n}", [WAY]: "{way, select, up {Upar} other {Niche}}", Rules: "Niyam" }, nouns: { goat: { ...NOUNS.goat, gen: "bakri ki" } } };
  assert.deepEqual(languageProblems("hi", complete, SAMPLE), []);
  const wrong = { extra: 1, messages: { [MOVES]: "{side.dat}: {n}", Rules: "Rules", Old: "Purana" }, nouns: { goat: { one: "bakri" }, yak: NOUNS.goat } };
  assert.deepEqual(languageProblems("hi", /** @type {any} */ (wrong), SAMPLE), [
    "unknown key 'extra'", `missing: '${WAY}' (x.js:1)`, "missing: 'FEN' (x.js:1)", "missing: the forms one and many of the noun 'goat' (game a)",
    "unused: 'Old'", "unused: the noun 'yak'", `'${MOVES}': no noun has the form dat`, "'Rules': not translated",
  ]);
  assert.deepEqual(missingOf("zh", { messages: {}, nouns: { goat: { one: "山羊" } } }, SAMPLE).nouns, []);
});

test("a translation has the arguments and cases of its pattern", () => {
  assert.deepEqual(patternProblems("hi", MOVES, "{side}"), ["the argument n is missing"]);
  assert.deepEqual(patternProblems("hi", MOVES, "{side} {n} {m}"), ["there is no argument m"]);
  assert.deepEqual(patternProblems("vi", MOVES, "{n, plural, one {#} =2 {#} other {#}} {side.number, select, one {a} many {b}}"), ["there is no case one of n"]);
  assert.deepEqual(patternProblems("hi", WAY, "{way, select, upp {a} other {b}}"), ["there is no case upp of way"]);
  assert.deepEqual(patternProblems("hi", WAY, "{way, select, up {a}}"), ["expected the case other at character 22 of '{way, select, up {a}}'"]);
});

test("added translations have the order of the sources", () => {
  const file = { about: "Who", messages: { Rules: "Niyam", Old: "Purana" }, nouns: { yak: NOUNS.goat } };
  const merged = mergeTranslations(file, { same: ["FEN"], messages: { Rules: "", [WAY]: "W" }, nouns: NOUNS }, SAMPLE);
  assert.equal(JSON.stringify(merged), JSON.stringify({ about: "Who", same: ["FEN"], messages: { [WAY]: "W", Rules: "Niyam" }, nouns: NOUNS }));
});
