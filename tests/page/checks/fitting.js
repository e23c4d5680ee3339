// Checks that everything fits its window: without scrolling where the window is large enough, and with all columns and buttons.

import assert from "node:assert/strict";
import { mouse, waitUntil } from "../support/visitor.js";

/** The widths from the smallest phone to a wide screen. @type {[number, number][]} */
const SIZES = [[320, 568], [390, 844], [768, 1024], [1024, 768], [1280, 800], [1440, 900]];

const tabsFit = { name: "tabs-fit", feature: "at 1024×768 no tab scrolls by itself, and Play and Practice fit the window before the first move", async check(setup) {
  const visitor = await setup.openPage({ width: 1024, height: 768 });
  const { page } = visitor;
  const wrong = [];
  for (const { variant } of setup.slowCheckVariants) {
    await visitor.openGame(variant);
    for (const tab of await page.locator("#tabs button:not([hidden])").evaluateAll((all) => all.map((one) => one.getAttribute("data-tab")))) {
      await visitor.openTab(tab);
      await waitUntil("the tab is open", () => page.locator(`#sheet-${tab}`).isVisible());
      const { scrolling, height } = await page.evaluate(() => ({
        scrolling: [...document.querySelectorAll("#panel, #sheets, #sheets *")].filter((one) => one.scrollHeight > one.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(one).overflowY)).length,
        height: document.documentElement.scrollHeight,
      }));
      if (scrolling) wrong.push(`${variant}, ${tab}: scrolls by itself`);
      if (["play", "practice"].includes(tab) && height > 768) wrong.push(`${variant}, ${tab}: ${height} px high`);
    }
  }
  assert.deepEqual(wrong, []);
  // The list of moves stays in view below a long tab.
  await visitor.openGame("aadu-puli");
  await visitor.openTab("learn");
  await page.locator(".lesson-row").first().waitFor();
  const { y, height } = /** @type {any} */ (await page.locator("#list").boundingBox());
  assert.ok(y + height <= 769 && await page.evaluate(() => document.documentElement.scrollHeight > innerHeight), `the list ends at ${y + height}`);
} };

const buttonsAboveFold = { name: "buttons-above-fold", feature: "on a phone of 320×568 the board and all its buttons are in the window, in every game and after a move", async check(setup) {
  const visitor = await setup.openPage({ width: 320, height: 568, touch: true });
  const wrong = [];
  let most = 0;
  const measure = async (/** @type {string} */ name) => {
    const bottom = await visitor.page.evaluate(() => {
      scrollTo(0, 0);
      return Math.max(...[...document.querySelectorAll("#board svg, #controls button")].map((one) => one.getBoundingClientRect().bottom));
    });
    most = Math.max(most, bottom);
    if (bottom > 568) wrong.push(`${name}: ${bottom} px`);
  };
  for (const { variant } of setup.variants) {
    await visitor.openGame(variant);
    await measure(variant);
  }
  await visitor.openGame("bagh-chal");
  await visitor.play((await visitor.waitForTurn()).moves[5], mouse);
  await visitor.waitForTurn();
  await measure("bagh-chal after a move");
  assert.deepEqual(wrong, []);
  return `the buttons end at ${Math.round(most)} px`;
} };

const compareColumns = { name: "compare-columns", feature: "the comparison shows every column at every width, and its labels take one line", async check(setup) {
  const visitor = await setup.openPage({ width: 1440, height: 900 });
  const { page } = visitor;
  for (const variant of ["aadu-puli", "8-puzzle"]) {
    await visitor.openGame(variant);
    await visitor.openTab("learn");
    if (variant === "aadu-puli") await page.locator(".comparison").getByLabel("Depth").fill("2");
    await page.locator(".comparison").getByRole("button", { name: "Compare" }).click();
    await visitor.waitFor("all have finished", ({ analysis, comparison: { rows, plan } }) => analysis.task === null && plan.length > 0 && rows.length === plan.length && rows.every((row) => !row.running));
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      const wrong = await page.evaluate(() => {
        const { left, right } = /** @type {Element} */ (document.querySelector("#panel")).getBoundingClientRect();
        return [...document.querySelectorAll(".compare tr")].flatMap((row) => {
          const cells = [...row.children].filter((one) => one.textContent && (one.tagName === "TD" || !one.closest("thead") || one.previousElementSibling));
          return cells.flatMap((cell, at) => {
            const range = document.createRange();
            range.selectNodeContents(cell);
            const box = range.getBoundingClientRect();
            const next = cells[at + 1]?.getBoundingClientRect();
            const isCut = !box.width || box.left < left || box.right > right;
            return isCut || (next && next.top < box.bottom && next.left < box.right - 0.5 && next.bottom > box.top) ? [`${cell.textContent}: ${Math.round(box.left)} to ${Math.round(box.right)}`] : [];
          });
        });
      });
      assert.deepEqual(wrong, [], `${variant} at ${width}×${height}`);
      if (variant === "aadu-puli") assert.equal((await page.locator(".compare thead th:visible").allInnerTexts()).length, [320, 390, 1024].includes(width) ? 6 : 7, `headings at ${width}`);
      const label = page.locator("#sheet-learn .trace-place .check span");
      if (await label.isVisible()) assert.equal(await label.evaluate((one) => one.getClientRects().length), 1, `“With a transposition table” at ${width}`);
    }
  }
} };

const beginning = { name: "before-the-first-move", feature: "before the first move the list says how pieces are captured and how to begin, and no empty graph takes room", async check(setup) {
  for (const [width, height] of [[1440, 900], [1024, 768], [390, 844]]) {
    const visitor = await setup.openPage({ width, height, touch: width < 500 });
    const { page } = visitor;
    for (const { variant, group } of setup.slowCheckVariants.filter((one) => !["2048", "tree"].includes(one.variant))) {
      await visitor.openGame(variant);
      const { rules } = await visitor.waitForTurn();
      await visitor.waitForText(".moves .none", /Click the board to begin\. Moves are listed here: click one to go back to it\.$/);
      const hasCaptures = group === "hunts" && rules.every((/** @type {string} */ rule) => !rule.includes("no captures"));
      assert.equal(/^An? \w+ captures an? \w+ by leaping over it, .*\. Click/.test(await visitor.text(".moves .none")), hasCaptures, variant);
      assert.ok(await page.locator(".moves").evaluate((one) => one.scrollHeight <= one.clientHeight + 1), `${variant}: the list scrolls`);
      const tabs = await page.locator("#tabs button:not([hidden])").evaluateAll((all) => all.map((one) => one.getAttribute("data-tab")));
      for (const tab of tabs) {
        await visitor.openTab(tab);
        assert.equal(await page.locator(".graph-box:visible").count(), 0, `${variant}, ${tab}`);
      }
    }
    await visitor.openGame("tic-tac-toe");
    await visitor.openTab("analyze");
    await page.locator(".type input").fill("b2");
    await page.keyboard.press("Enter");
    await waitUntil("the graph is there", () => page.locator(".graph-box").isVisible());
    assert.equal(await page.locator(".moves .none").count(), 0);
  }
} };

const phoneMenu = { name: "phone-menu", feature: "on a phone Position, Files, Share, Keys, a new game and the colors are one tap away in every tab", async check(setup) {
  for (const width of [320, 390]) {
    const visitor = await setup.openPage({ width, height: 700, touch: true });
    const { page } = visitor;
    const open = async (/** @type {string} */ name) => {
      await page.getByRole("button", { name: "Menu", exact: true }).tap();
      await page.locator("#dialog").getByRole("button", { name, exact: true }).tap();
    };
    for (const tab of ["play", "learn"]) {
      await visitor.openTab(tab);
      await page.evaluate(() => scrollTo(0, 0));
      for (const name of ["Position", "Files", "Share", "Keys"]) {
        await open(name);
        await visitor.waitForText("#dialog-title", name);
        await page.getByRole("button", { name: "Close" }).tap();
      }
    }
    await visitor.play({ to: "c1" }, mouse);
    await visitor.waitForTurn();
    await open("New game");
    await visitor.waitFor("a new game", ({ game }) => game.tree.nodes.size === 1);
    assert.equal(await page.locator("dialog[open]").count(), 0);
    await open("Dark colors");
    await waitUntil("it is dark", () => page.evaluate(() => document.documentElement.classList.contains("dark")));
  }
  const wide = await setup.openPage();
  assert.equal(await wide.page.getByRole("button", { name: "Menu", exact: true }).count(), 0, "a wide screen has the buttons themselves");
} };

const longSolution = { name: "long-solution", feature: "57 moves of the 15-puzzle take at most 20 rows on a phone, and the next one is readable", async check(setup) {
  const visitor = await setup.openPage({ width: 390, height: 844, touch: true, game: "variant=15-puzzle&fen=14,13,15,7/11,12,9,5/6,0,2,1/4,8,10,3" });
  const { page } = visitor;
  await visitor.openTab("solve");
  await page.locator("#sheet-solve").getByRole("button", { name: "Solve", exact: true }).click();
  await visitor.waitFor("it is solved", ({ solution, analysis }) => analysis.task === null && solution.moves.length > 0);
  const count = await visitor.read(({ solution }) => solution.moves.length);
  const boxes = await page.locator(".solution li").evaluateAll((all) => all.map((one) => ({ text: one.textContent ?? "", top: one.getBoundingClientRect().top, lines: one.getBoundingClientRect().height / parseFloat(getComputedStyle(one).lineHeight) })));
  assert.equal(boxes.length, count);
  for (const { text, lines } of boxes) assert.ok(/^\d+ (left|right|up|down)$/.test(text) && lines < 1.5, text);
  const rows = new Set(boxes.map(({ top }) => Math.round(top))).size;
  assert.ok(rows <= 20, `${rows} rows`);
  await visitor.waitForText("#sheet-solve .hint:visible", "Slide these tiles, in this order:");
  return `${count} moves in ${rows} rows`;
} };

export const fittingChecks = [tabsFit, buttonsAboveFold, compareColumns, beginning, phoneMenu, longSolution];
