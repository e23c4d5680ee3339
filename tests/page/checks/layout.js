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

export const layoutChecks = [listFollows];
