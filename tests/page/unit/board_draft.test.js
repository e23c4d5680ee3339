import assert from "node:assert/strict";
import { test } from "node:test";
import { emptyDraft, formatBoard, freePlaces, gridAround, idOf, namesOf, toggleLine, toggleMark, togglePiece, togglePoint } from "../../../src/web/page/board_file/draft.js";
import { readBoard } from "../../../src/web/page/board_file/reader.js";

/** Returns a board with points at these places. @param {...[number, number]} places */
function draftWith(...places) {
  const draft = emptyDraft();
  for (const [x, y] of places) togglePoint(draft, { x, y });
  return draft;
}

/** Returns the lines of a board by the names of their points. @param {import("../../../src/web/page/board_file/draft.js").BoardDraft} draft */
const linesOf = (draft) => draft.lines.map((line) => line.map((id) => namesOf(draft).get(id)).join(" ")).sort();

test("a line goes through the points on its way, joins what it continues, and is removed when drawn again", () => {
  const draft = draftWith([0, 0], [1, 0], [2, 0], [3, 0], [0, 2]);
  toggleLine(draft, "0,0", "2,0");
  assert.deepEqual(linesOf(draft), ["b1 b2 b3"]);
  toggleLine(draft, "3,0", "2,0");
  toggleLine(draft, "0,2", "0,0");
  assert.deepEqual(linesOf(draft).map((line) => line.split(" ").sort().join(" ")), ["a1 b1", "b1 b2 b3 b4"]);
  toggleLine(draft, "1,0", "2,0");
  assert.deepEqual(linesOf(draft).map((line) => line.split(" ").sort().join(" ")), ["a1 b1", "b1 b2", "b3 b4"]);
});

test("a new point joins the lines that it meets, and a removed one leaves them straight", () => {
  const draft = draftWith([0, 0], [2, 0], [1, 1], [1, -1]);
  toggleLine(draft, "0,0", "2,0");
  toggleLine(draft, "1,1", "1,-1");
  const before = linesOf(draft);
  togglePoint(draft, { x: 1, y: 0 });
  assert.deepEqual(linesOf(draft), ["a1 b2 c1", "b1 b2 b3"]);
  togglePoint(draft, { x: 1, y: 0 });
  assert.deepEqual(linesOf(draft), before);
  togglePoint(draft, { x: 2, y: 0 });
  assert.deepEqual(linesOf(draft), ["a1 c1"], "a line without its end is none");
});

test("a point holds one piece, and loses it with its marks", () => {
  const draft = draftWith([0, 0], [1, 0]);
  togglePiece(draft, "prey", "0,0");
  togglePiece(draft, "hunter", "0,0");
  toggleMark(draft, "prey-goal", "0,0");
  assert.match(formatBoard(draft), /^hunters 1 at a1\nprey 0\nprey-goal a1$/m);
  togglePoint(draft, { x: 0, y: 0 });
  assert.match(formatBoard(draft), /^hunters 0\nprey 0\n$/m);
});

test("free places are as far from the points as the points are from each other", () => {
  const draft = draftWith([0, 0], [0.4, 0.3], [5, 2]);
  const grid = gridAround(draft, 5);
  assert.deepEqual(grid, { left: 0, bottom: 0, columns: 11, rows: 5, step: 0.5 });
  const places = freePlaces(draft, grid);
  assert.ok(places.length > 40);
  for (const { x, y } of places) for (const point of draft.points.values()) assert.ok(Math.hypot(x - point.x, y - point.y) >= 0.47);
});

test("every drawn board is read back as it is, and only its contradictions are errors", () => {
  let seed = 7;
  const random = (/** @type {number} */ limit) => (seed = (seed * 16807) % 2147483647) % limit;
  for (let game = 0; game < 60; game++) {
    const draft = emptyDraft();
    for (let step = 0; step < 60; step++) {
      const ids = [...draft.points.keys()];
      const [one, other] = [ids[random(ids.length || 1)], ids[random(ids.length || 1)]];
      if (random(3) === 0 || ids.length < 3) togglePoint(draft, { x: random(5), y: random(5) });
      else if (one !== other) toggleLine(draft, one, other);
    }
    draft.pieces.hunter.hand = 1;
    draft.pieces.prey.hand = 1;
    const text = formatBoard(draft);
    const { draft: read, errors } = readBoard(text);
    assert.deepEqual(errors.filter((error) => !/on none|leap between|'line'/.test(error.text)), [], text);
    if (!read) continue;
    assert.equal(formatBoard(read), text);
    assert.deepEqual([...read.points.keys()].sort(), [...draft.points.values()].map(idOf).sort());
  }
});
