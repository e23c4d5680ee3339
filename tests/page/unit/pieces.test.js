import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { shapes, spreadPaper } from "../support/fake_dom.js";

spreadPaper();
const { drawing, person } = await import("../../../src/web/page/view/pieces.js");

const BOARDS = new URL("../../../src/games/hunt/boards/", import.meta.url);
const games = readdirSync(BOARDS).map((file) => {
  const [, hunters, prey] = readFileSync(new URL(file, BOARDS), "utf8").match(/^names (\S+) (\S+)$/m);
  return { file, hunters, prey };
});

test("the two kinds of pieces of every game have different shapes", () => {
  assert.ok(games.length > 30);
  for (const { file, hunters, prey } of games) {
    assert.notEqual(shapes(drawing("hunter", hunters, prey)), shapes(drawing("prey", prey, hunters)), `${file}: ${hunters} and ${prey}`);
  }
  assert.notEqual(shapes(drawing("X")), shapes(drawing("O")));
  assert.notEqual(shapes(person("missionary")), shapes(person("cannibal")));
});

test("every name of a built-in game has a drawing of its own", () => {
  const plain = [drawing("hunter", "zzz"), drawing("prey", "zzz")].map(shapes);
  for (const { file, hunters, prey } of games) {
    assert.ok(!plain.includes(shapes(drawing("hunter", hunters, prey))), `${file}: ${hunters}`);
    assert.ok(!plain.includes(shapes(drawing("prey", prey, hunters))), `${file}: ${prey}`);
  }
});

test("one and many of a name have the same drawing", () => {
  for (const [one, many] of [["goose", "geese"], ["wolf", "wolves"], ["man", "men"], ["hare", "hares"], ["hen", "hens"], ["soldier", "soldiers"], ["sheep", "sheep"]]) {
    assert.equal(shapes(drawing("prey", one)), shapes(drawing("prey", many)));
  }
});

test("names that mean the same piece still get two drawings", () => {
  assert.notEqual(shapes(drawing("hunter", "dogs", "hounds")), shapes(drawing("prey", "hounds", "dogs")));
  assert.notEqual(shapes(drawing("hunter", "zig", "zag")), shapes(drawing("prey", "zag", "zig")));
});

test("people on the river differ by nothing but their hats", () => {
  const [one, other] = ["missionary", "cannibal"].map(person);
  assert.deepEqual(one.children.slice(0, -1).map(shapes), other.children.slice(0, -1).map(shapes));
});
