import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { layoutTree } from "../../../src/web/page/view/tree_layout.js";
import { tileFace } from "../../../src/web/page/view/tile_board.js";
import { matchPieces } from "../../../src/web/page/view/piece_matching.js";

const distance = (one, other) => Math.abs(one.charCodeAt(0) - other.charCodeAt(0));

test("a moved piece matches the nearest of its kind", () => {
  const before = [{ at: "a", kind: "hunter" }, { at: "c", kind: "prey" }, { at: "f", kind: "hunter" }];
  const after = [{ at: "f", kind: "hunter" }, { at: "b", kind: "hunter" }];
  assert.deepEqual(matchPieces(before, after, distance), [2, 0]);
});

test("new and captured pieces match nothing", () => {
  assert.deepEqual(matchPieces([{ at: "a", kind: "prey" }], [{ at: "a", kind: "prey" }, { at: "b", kind: "prey" }], distance), [0, -1]);
  assert.deepEqual(matchPieces([{ at: "a", kind: "prey" }], [{ at: "a", kind: "hunter" }], distance), [-1]);
});

test("tiles match by their numbers", () => {
  assert.deepEqual(matchPieces([{ at: "a", kind: "tile", value: 1 }, { at: "b", kind: "tile", value: 2 }], [{ at: "b", kind: "tile", value: 1 }], distance), [0]);
});

test("every tile of 2048 has its own color and room for digits", () => {
  const style = readFileSync(new URL("../../../src/web/page/style/board.css", import.meta.url), "utf8");
  for (let power = 1; power <= 17; power++) {
    const { rank, font } = tileFace(2 ** power);
    assert.equal(rank, power);
    // A bold digit is about 0.62 of the font height wide, and the tile 92.
    assert.ok(String(2 ** power).length * font * 0.62 <= 86, `${2 ** power} at ${font}`);
    assert.ok(power === 1 || style.includes(`.rank${power} .face`), `rank ${power}`);
  }
});

test("a node is above the middle of its children", () => {
  const tree = { a: ["b", "c"], b: ["d", "e"], c: [], d: [], e: [] };
  const { places, leaves, levels } = layoutTree("a", (node) => tree[node]);
  assert.equal(leaves, 3);
  assert.equal(levels, 3);
  assert.deepEqual(places.get("b"), { x: 0.5, level: 1 });
  assert.deepEqual(places.get("a"), { x: 1.25, level: 0 });
});
