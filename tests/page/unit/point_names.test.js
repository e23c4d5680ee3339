import assert from "node:assert/strict";
import { test } from "node:test";
import { placeNames } from "../../../src/web/page/view/point_names.js";

/** Three points in a row with a line, 100 units apart. */
const spots = [{ name: "a1", x: 100, y: 100 }, { name: "a2", x: 200, y: 100 }, { name: "a3", x: 300, y: 100 }];
const field = { spots, segments: [[spots[0], spots[1]], [spots[1], spots[2]]], radiusOf: () => 45, gap: 2, dot: 5, width: 400, height: 200 };

test("names stand beside the pieces where there is room", () => {
  const places = placeNames(field, 14);
  assert.deepEqual(places.map(({ name, isInner }) => [name, isInner]), [["a1", false], ["a2", false], ["a3", false]]);
  for (const { name, x, y } of places) {
    const own = spots.find((spot) => spot.name === name);
    assert.ok(Math.hypot(x - own.x, y - own.y) > 45 && Math.abs(y - 100) > 45, `${name} is beside its piece`);
  }
});

test("names without room beside the pieces stand on their points", () => {
  const flat = { ...field, spots: spots.map(({ name, x }) => ({ name, x: x - 60, y: 40 })), radiusOf: () => 50, width: 280, height: 80 };
  flat.segments = [[flat.spots[0], flat.spots[2]]];
  const places = placeNames(flat, 14);
  assert.deepEqual(places.map(({ isInner }) => isInner), [true, true, true]);
  for (const { y } of places) assert.ok(Math.abs(y - 40) > 14 * 0.46, "the name is beside the line");
});

test("names that are too large are left out", () => {
  assert.deepEqual(placeNames(field, 120), []);
});
