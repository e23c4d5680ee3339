// Checks of the list of games.

import assert from "node:assert/strict";
import { waitUntil } from "../support/visitor.js";

const gameList = { name: "picker", feature: "the list of games, with a drawing of every board", async check(setup) {
  const visitor = await setup.openPage();
  for (const variant of setup.variants) {
    await visitor.page.locator("#games").click();
    assert.equal(await visitor.page.locator("dialog[open] .card svg").count(), setup.variants.length);
    await visitor.page.locator(`dialog[open] [data-variant="${variant.variant}"]`).click();
    await visitor.waitFor(`${variant.variant} is on the board`, (page, name) => page.game.tree.current.state?.variant === name, variant.variant);
  }
} };

/** Returns the variants of the cards that are shown, in order. @param {any} visitor @returns {Promise<string[]>} */
const shownGames = (visitor) => visitor.page.locator("dialog[open] .card:visible").evaluateAll((all) => all.map((one) => one.getAttribute("data-variant")));

/** Returns the variant of the focused card, or the name of the focused field. @param {any} visitor @returns {Promise<string>} */
const focused = (visitor) => visitor.page.evaluate(() => document.activeElement?.getAttribute("data-variant") ?? document.activeElement?.getAttribute("name"));

/** Returns the right end of the widest part of the dialog, beyond its own. @param {any} visitor @returns {Promise<number>} */
const overflow = (visitor) => visitor.page.evaluate(() => {
  const dialog = /** @type {Element} */ (document.querySelector("dialog[open]"));
  const parts = [...dialog.querySelectorAll("*")].map((one) => one.getBoundingClientRect().right);
  return Math.max(dialog.scrollWidth - dialog.clientWidth, document.documentElement.scrollWidth - innerWidth, ...parts.map((right) => right - dialog.getBoundingClientRect().right));
});

const filter = { name: "picker-filter", feature: "each game with its country, year and difficulty; search by name, country and difficulty, with the keyboard too", async check(setup) {
  const visitor = await setup.openPage();
  const { page } = visitor;
  const all = setup.variants.length;
  await page.keyboard.press("g");
  await waitUntil("the search has the focus", async () => (await focused(visitor)) === "search");
  assert.equal((await shownGames(visitor))[0], "aadu-puli", "the best known games come first");
  assert.equal(await visitor.text("dialog .find [role=status]"), `${all} games`);
  for (const { variant, title, origin, year, positions } of setup.variants) {
    const card = page.locator(`dialog [data-variant="${variant}"]`);
    const difficulty = positions === null ? null : positions <= 1e5 ? "Easy" : positions <= 1e9 ? "Medium" : "Hard";
    const shown = await card.locator("> span:not(.traditional)").allInnerTexts();
    assert.deepEqual(shown, [title, [origin, year].filter(Boolean).join(", "), ...(difficulty ? [difficulty] : [])], variant);
    const tooltip = `${year ? `Described in ${year}. ` : ""}${difficulty}: at most [\\d,.]+( × 10[⁰¹²³⁴⁵⁶⁷⁸⁹]+)? positions`;
    if (difficulty) assert.match(await card.getAttribute("title"), new RegExp(`^${tooltip}$`));
  }

  await page.keyboard.type("kaoo");
  assert.deepEqual(await shownGames(visitor), ["kaooa", "kaooa-chain"], "by name");
  await page.keyboard.press("Escape");
  assert.deepEqual([(await shownGames(visitor)).length, await page.locator("dialog[open]").count()], [all, 1], "Esc clears the search first");
  const search = page.getByRole("searchbox", { name: "Search" });
  for (const [text, expected] of [
    ["sri lanka", setup.variants.filter(({ origin }) => origin === "Sri Lanka")],
    ["1898", setup.variants.filter(({ year }) => year === 1898)],
    ["jaguar", setup.variants.filter(({ players }) => players.some((player) => player.startsWith("jaguar")))],
    ["TICTACTOE", setup.variants.filter(({ variant }) => variant === "tic-tac-toe")],
  ]) {
    await search.fill(text);
    assert.deepEqual((await shownGames(visitor)).sort(), expected.map(({ variant }) => variant).sort(), text);
    assert.ok(expected.length > 0, text);
  }
  await search.fill("india");
  await page.getByLabel("Difficulty").selectOption("easy");
  const easy = setup.variants.filter(({ origin, positions }) => origin === "India" && positions <= 1e5);
  assert.deepEqual((await shownGames(visitor)).sort(), easy.map(({ variant }) => variant).sort());
  assert.equal(await visitor.text("dialog .find [role=status]"), `${easy.length} of ${all} games`);

  // The arrow keys go to the cards and back, and Enter opens a game.
  await search.focus();
  await page.keyboard.press("ArrowDown");
  const [first, second] = await shownGames(visitor);
  assert.equal(await focused(visitor), first);
  await page.keyboard.press("ArrowRight");
  assert.equal(await focused(visitor), second);
  await page.keyboard.press("ArrowUp");
  assert.equal(await focused(visitor), "search");
  await page.keyboard.press("Enter");
  await visitor.waitFor("the first game found is on the board", (state, name) => state.game.tree.current.state?.variant === name, first);

  const phone = await setup.openPage({ width: 390, height: 844, touch: true });
  await phone.page.locator("#games").tap();
  assert.ok((await overflow(phone)) <= 0, "nothing is wider than the dialog");
  await phone.page.getByRole("searchbox").fill("there is no such game, whatever its name ".repeat(4));
  await phone.waitForText("dialog .nothing p", /^No game matches “there is no such game.+”\.$/);
  assert.equal((await shownGames(phone)).length, 0);
  assert.ok((await overflow(phone)) <= 0, "nothing is wider than the dialog");
  await phone.page.getByRole("button", { name: "Show all games" }).tap();
  assert.equal((await shownGames(phone)).length, all);
  assert.equal(await phone.page.locator("dialog .nothing:visible").count(), 0);
  return `${all} games, ${setup.variants.filter(({ origin }) => origin).length} with a country`;
} };

const traditionalNames = { name: "traditional-names", feature: "the traditional names in their own script in the list of games and above the rules, also at 320 px", async check(setup) {
  const visitor = await setup.openPage({ width: 320, height: 568, touch: true });
  const { page } = visitor;
  await page.locator("#games").tap();
  const names = await page.locator("dialog[open] .card .traditional").evaluateAll((all) => all.map((one) => [one.closest(".card")?.getAttribute("data-variant"), one.getAttribute("lang"), one.textContent]));
  assert.deepEqual(names.find(([variant]) => variant === "aadu-puli"), ["aadu-puli", "ta", "ஆடு புலி ஆட்டம்"]);
  assert.ok((await overflow(visitor)) <= 0, "nothing is wider than the dialog");
  for (const [variant, lang, name] of names) {
    await page.getByRole("searchbox").fill(String(name));
    assert.ok((await shownGames(visitor)).includes(String(variant)), `${name} is found`);
    await page.locator(`dialog [data-variant="${variant}"]`).tap();
    await visitor.waitFor("the game is on the board", (state, game) => state.game.tree.current.state?.variant === game, variant);
    await page.locator("#rules").tap();
    assert.equal(await page.locator(`dialog[open] p.traditional[lang=${lang}]`).textContent(), name);
    assert.ok((await overflow(visitor)) <= 0, "nothing is wider than the rules");
    await page.keyboard.press("Escape");
    await page.locator("#games").tap();
  }
  return names.map(([, , name]) => name).join(", ");
} };

export const choosingChecks = [gameList, filter, traditionalNames];
