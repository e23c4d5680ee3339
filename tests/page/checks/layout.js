// Checks of the layout: what is visible at each size of the window, and what may not move.

import assert from "node:assert/strict";
import { waitUntil } from "../support/visitor.js";

/** The windows that the page is made for. @type {{ width: number, height: number, touch: boolean }[]} */
const WINDOWS = [[1440, 900, false], [1024, 768, false], [390, 844, true], [844, 390, true], [320, 568, true]].map(([width, height, touch]) => ({ width, height, touch }));

/** Returns the name of a window. @param {{ width: number, height: number }} window */
const sizeName = ({ width, height }) => `${width}×${height}`;

const listFollows = { name: "list-follows", feature: "the list of moves shows the current move of a long game, and at least eight moves", async check(setup) {
  for (const window of WINDOWS) {
    const visitor = await setup.openPage({ ...window, game: "variant=tic-tac-toe" });
    // Nobody gets 19 in a row if the cells are filled in order.
    await visitor.page.evaluate(async () => {
      const { newGame, goToNode } = await globalThis.pageModule("actions.js");
      const { game } = globalThis.puli;
      newGame({ fen: `19 19 19 ${Array(19).fill(19).join("/")} x` });
      let node = game.tree.root;
      for (let at = 0; at < 300; at++) node = game.tree.addMove(node, `${String.fromCharCode(97 + (at % 19))}${1 + Math.floor(at / 19)}`);
      goToNode(node);
    });
    for (const [button, ply] of [[null, 300], ["back", 299], ["first", 0], ["next", 1], ["last", 300]]) {
      if (button) await visitor.page.locator(`[data-step="${button}"]`).click();
      await visitor.waitFor(`ply ${ply} is shown`, (page, expected) => page.game.tree.current.ply === expected, ply);
      const visible = () => visitor.page.evaluate(() => {
        const list = /** @type {Element} */ (document.querySelector("#list .moves")).getBoundingClientRect();
        const shown = [...document.querySelectorAll("#list .move")].filter((one) => {
          const { top, bottom } = one.getBoundingClientRect();
          return top >= list.top - 1 && bottom <= list.bottom + 1;
        });
        return { count: shown.length, hasCurrent: shown.some((one) => one.hasAttribute("aria-current")) };
      });
      await waitUntil(`${sizeName(window)}: the list shows ply ${ply}`, async () => ply === 0 || (await visible()).hasCurrent);
      const { count } = await visible();
      assert.ok(count >= 8, `${sizeName(window)}: ${count} moves are visible`);
    }
  }
} };

/** The parts of the page that may not move. */
const FIXED_PARTS = ["#above", "#above .player", "#board svg", "#below", "#below .player", "#line", "#controls", "#controls button", "#value", ".level .bar", ".graph-box", "#engine", "#engine .value", "#engine .words", ".lines li", ".lines .pv", "#tabs button", "#sheets", "#list", ".steps button"];

const stillWhileThinking = { name: "no-layout-shift-while-thinking", feature: "nothing moves, appears or vanishes while the engine thinks and moves, at all sizes; the board of a wide screen has the full height", async check(setup) {
  let frames = 0;
  for (const window of WINDOWS) {
    const visitor = await setup.openPage(window);
    await visitor.setPreference("engineOn", true);
    await visitor.setPreference("warn", false);
    await visitor.setPreference("ownLevel", { limit: "movetime", amount: 400, errs: 0, algorithm: "auto" });
    for (const variant of ["aadu-puli", "adugo", "five-in-a-row", "2048"]) {
      await visitor.openGame(variant === "five-in-a-row" ? "tic-tac-toe" : variant);
      const result = await visitor.page.evaluate(async ([parts, name]) => {
        const { newGame, playMove, setPlayer } = await globalThis.pageModule("actions.js");
        const { canMove, game } = globalThis.puli;
        if (name === "five-in-a-row") newGame({ fen: `9 9 5 ${Array(9).fill(9).join("/")} x` });
        if (game.players.p2 !== "chance") setPlayer("p2", "own");
        const positions = () => parts.flatMap((part) => [...document.querySelectorAll(part)].map((one, at) => {
          const { x, y, width, height } = one.getBoundingClientRect();
          // The lines of the engine and their moves may differ in number between positions, but not in place.
          return `${part} ${at}: ${[x + scrollX, y + scrollY, width, height].map(Math.round).join(" ")}`;
        }));
        const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
        const until = async (condition) => { while (!condition()) await frame(); };
        const isReady = () => game.tree.current.state && game.state === game.tree.current.state && canMove();
        const changes = new Set();
        let count = 0;
        for (let made = 0; made < 3; made++) {
          await until(isReady);
          for (let wait = 0; wait < 5; wait++) await frame();
          const before = positions();
          const { ply } = game.tree.current;
          const { moves } = game.state;
          playMove(moves[Math.floor(moves.length / 2)].move);
          for (let end = Infinity; performance.now() < end;) {
            await frame();
            count++;
            positions().forEach((place, at) => place !== before[at] && changes.add(`${before[at]} → ${place}`));
            if (end === Infinity && game.tree.current.ply > ply + 1 && isReady()) end = performance.now() + 300;
          }
        }
        return { changes: [...changes].slice(0, 8), count };
      }, [FIXED_PARTS, variant]);
      assert.deepEqual(result.changes, [], `${sizeName(window)}, ${variant}`);
      frames += result.count;
    }
    if (window.width >= 1440) {
      await visitor.openGame("aadu-puli");
      const { y, height } = /** @type {any} */ (await visitor.page.locator("#board svg").boundingBox());
      const below = /** @type {any} */ (await visitor.page.locator("#below").boundingBox());
      assert.ok(height > 690 && below.y + below.height <= window.height, `the board is ${height} high, from ${y}`);
    }
  }
  return `${frames} frames`;
} };

export const layoutChecks = [listFollows, stillWhileThinking];
