import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { installFakeDom, shapes } from "../support/fake_dom.js";

installFakeDom();
const { drawPiece, person } = await import("../../../src/web/page/view/pieces.js");

const BOARDS = new URL("../../../src/games/hunt/boards/", import.meta.url);
const games = readdirSync(BOARDS).map((file) => {
  const [, hunters, prey] = readFileSync(new URL(file, BOARDS), "utf8").match(/^names (\S+) (\S+)$/m);
  return { file, hunters, prey };
});

test("the two kinds of every game have different shapes", () => {
  assert.ok(games.length > 30);
  for (const { file, hunters, prey } of games) {
    assert.notEqual(shapes(drawPiece("hunter", hunters, prey)), shapes(drawPiece("prey", prey, hunters)), `${file}: ${hunters} and ${prey}`);
  }
  assert.notEqual(shapes(drawPiece("X")), shapes(drawPiece("O")));
  assert.notEqual(shapes(person("missionary")), shapes(person("cannibal")));
});

test("every piece of a built-in game has its own drawing", () => {
  const plain = [drawPiece("hunter", "zzz"), drawPiece("prey", "zzz")].map(shapes);
  for (const { file, hunters, prey } of games) {
    assert.ok(!plain.includes(shapes(drawPiece("hunter", hunters, prey))), `${file}: ${hunters}`);
    assert.ok(!plain.includes(shapes(drawPiece("prey", prey, hunters))), `${file}: ${prey}`);
  }
});

test("singular and plural names have the same drawing", () => {
  for (const [singular, plural] of [["goose", "geese"], ["wolf", "wolves"], ["man", "men"], ["hare", "hares"], ["hen", "hens"], ["soldier", "soldiers"], ["sheep", "sheep"]]) {
    assert.equal(shapes(drawPiece("prey", singular)), shapes(drawPiece("prey", plural)));
  }
});

test("names with the same drawing still give two shapes", () => {
  assert.notEqual(shapes(drawPiece("hunter", "dogs", "hounds")), shapes(drawPiece("prey", "hounds", "dogs")));
  assert.notEqual(shapes(drawPiece("hunter", "zig", "zag")), shapes(drawPiece("prey", "zag", "zig")));
});

test("people on the river differ only by their hats", () => {
  const [one, other] = ["missionary", "cannibal"].map(person);
  assert.deepEqual(one.children.slice(0, -1).map(shapes), other.children.slice(0, -1).map(shapes));
});
