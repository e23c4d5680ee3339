// Checks the page in every language that has a file: its main screens on a phone and on a wide screen, and the choice of the language.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { LANGUAGES } from "../../../src/web/page/language.js";
import { fileOf, translatedLanguages } from "../support/messages.js";
import { waitUntil } from "../support/visitor.js";

/** The windows in which the screens are looked at. @type {[number, number][]} */
const SIZES = [[390, 844], [1440, 900]];
/** Names that stay in all languages. */
const NAMES = ["Puli", "SVG", "PNG", "my-board", "alpha-beta", "minimax", "expectimax", "MTD(f)", "principal variation search"];
/** The widths between them in which only the header is measured. */
const HEADER_WIDTHS = [561, 768, 1024];

/** What is found on a screen: all its texts, and the elements whose text is cut or outside of the window. @typedef {{ texts: string[], cut: string[] }} Screen */

/**
 * Opens the main screens one after the other.
 * @param {any} setup @param {string} tag @param {[number, number]} size @param {(name: string, page: any) => Promise<void>} visit called on each screen
 */
export async function visitScreens(setup, tag, [width, height], visit) {
  const visitor = await setup.openPage({ game: `variant=aadu-puli&lang=${tag}`, width, height, touch: width < 500, still: true });
  const { page } = visitor;
  assert.equal(await page.evaluate(() => document.documentElement.lang), tag, "<html lang>");
  const dialog = page.locator("#dialog");
  const close = () => page.evaluate(() => document.querySelector("dialog")?.close());
  await visitor.waitForTurn();
  await visit("start", page);
  await page.locator(width < 500 ? "#menu" : "#language").click();
  await visit(width < 500 ? "menu" : "languages", page);
  await close();
  for (const id of ["rules", "position", "files"]) {
    await page.evaluate((/** @type {string} */ name) => document.getElementById(name)?.click(), id);
    await dialog.locator("h2").waitFor();
    if (id === "files") await dialog.locator("textarea").waitFor();
    await visit(id, page);
    await close();
  }
  await page.locator("#games").click();
  await visit("games", page);
  await dialog.locator(".row button").last().click();
  await page.locator(".board-editor svg .spot").first().waitFor();
  await visit("draw-board", page);
  await close();
  await visitor.openGame("kaooa");
  await visitor.openTab("analyze");
  await visitor.waitFor("exact values", ({ game }) => game.state.solved !== null);
  await page.locator("#sheet-analyze .known-move").first().waitFor();
  await visit("analyze", page);
  await visitor.openTab("practice");
  await visit("practice", page);
  await visitor.openTab("learn");
  await page.locator(".lesson-row").first().waitFor();
  await visit("learn", page);
  await page.locator(".lesson-row").first().click();
  await page.locator("dialog.lesson .sentence").waitFor();
  await visit("lesson", page);
}

/** Returns what the screen shows. Runs in the page. @returns {Screen} */
function measure() {
  /** @type {Screen} */
  const screen = { texts: [], cut: [] };
  const root = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
  /** @param {Element} element */
  const pathOf = (element) => {
    const names = [];
    for (let at = element; at !== document.body; at = /** @type {Element} */ (at.parentElement)) {
      if (at.id && !/\d/.test(at.id)) {
        names.unshift(`#${at.id}`);
        break;
      }
      names.unshift(`${at.localName}${[...at.classList].map((one) => `.${one}`).join("")}`);
    }
    return names.join(" > ");
  };
  const isScrolled = (/** @type {CSSStyleDeclaration} */ style) => /auto|scroll/.test(style.overflowX + style.overflowY);
  for (const element of [root, ...root.querySelectorAll("*")]) {
    // Names of languages, code and what a person has written are the same in all languages.
    if (element.closest("[lang]") !== document.documentElement || element.closest("code, kbd, textarea, script, noscript, .skip, .off-stage, .offstage")) continue;
    const isShown = element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    if (isShown) for (const name of ["aria-label", "title", "placeholder", "alt"]) if (element.getAttribute(name)) screen.texts.push(/** @type {string} */ (element.getAttribute(name)));
    const nodes = [...element.childNodes].filter((node) => node instanceof Text && node.data.trim());
    if (!nodes.length || element.localName === "option" || !isShown) {
      // Options that are their own values are names of the engine.
      if (element instanceof HTMLOptionElement && element.value !== element.text) screen.texts.push(element.text);
      continue;
    }
    for (const node of nodes) {
      const range = document.createRange();
      range.selectNodeContents(node);
      const box = range.getBoundingClientRect();
      screen.texts.push(/** @type {Text} */ (node).data.trim());
      if (!box.width) continue;
      let isCut = box.left < -1 || box.right > innerWidth + 1;
      for (let outer = element; outer && outer !== document.documentElement; outer = /** @type {any} */ (outer.parentElement)) {
        const style = getComputedStyle(outer);
        if (outer !== document.body && isScrolled(style)) {
          isCut &&= !/auto|scroll/.test(style.overflowX) || outer.scrollWidth <= outer.clientWidth + 1;
          break;
        }
        const holds = /hidden|clip/.test(style.overflowX + style.overflowY) || outer.matches("button, select, td, th, .card");
        const around = outer.getBoundingClientRect();
        if (holds && style.position !== "fixed" && around.width && (box.left < around.left - 1.5 || box.right > around.right + 1.5 || box.top < around.top - 3 || box.bottom > around.bottom + 3)) isCut = true;
      }
      if (isCut) screen.cut.push(`${pathOf(element)}|${/** @type {Text} */ (node).data.trim().slice(0, 60)}`);
    }
  }
  for (const select of root.querySelectorAll("select")) {
    // The text of a closed field is cut without a sign in its size.
    const context = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
    const style = getComputedStyle(select);
    context.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const text = select.selectedOptions[0]?.textContent ?? "";
    const room = select.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    if (select.checkVisibility() && context.measureText(text).width > room + 2) screen.cut.push(`${pathOf(select)}|${text}`);
  }
  return screen;
}

/** The screens in English by width, which the others are compared with. @type {Map<number, Promise<Map<string, Screen>>>} */
const english = new Map();

/** @param {any} setup @param {string} tag @param {[number, number]} size */
async function readScreens(setup, tag, size) {
  /** @type {Map<string, Screen>} */
  const screens = new Map();
  await visitScreens(setup, tag, size, async (name, page) => {
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    screens.set(name, await page.evaluate(measure));
  });
  return screens;
}

/** Returns `true` if a text of the English page has words, so that another language should have others. @param {string} text @param {string[]} same words that stay */
function isEnglish(text, same) {
  return !same.includes(text) && (text.match(/\p{L}{3,}/gu) ?? []).some((word) => !same.includes(word));
}

const fits = translatedLanguages().map((tag) => ({ name: `languages-${tag}`, feature: `the main screens in ${LANGUAGES[tag]} at 390 and 1440 px have no English, and no cut text`, async check(/** @type {any} */ setup) {
  const same = [...NAMES, ...(JSON.parse(readFileSync(fileOf(tag), "utf8")).same ?? [])];
  const wrong = (await Promise.all(SIZES.map(async (size) => {
    const [width] = size;
    if (!english.has(width)) english.set(width, readScreens(setup, "en", size));
    const [source, screens] = await Promise.all([english.get(width), readScreens(setup, tag, size)]);
    return [...screens].flatMap(([name, { texts, cut }]) => {
      const shown = source?.get(name);
      // What is cut in English, too, is cut on purpose: the name of a long game in the header.
      const cutInEnglish = new Set(shown?.cut.map((one) => one.split("|")[0]));
      return [
        ...cut.filter((one) => !cutInEnglish.has(one.split("|")[0])).map((one) => `${name}, ${width} px: cut: ${one.replace("|", ": ")}`),
        ...[...new Set(texts)].filter((text) => shown?.texts.includes(text) && isEnglish(text, same)).map((text) => `${name}, ${width} px: English: ${text}`),
      ];
    });
  }))).flat();
  const visitor = await setup.openPage({ game: `lang=${tag}` });
  for (const width of HEADER_WIDTHS) {
    await visitor.page.setViewportSize({ width, height: 800 });
    const right = await visitor.page.evaluate(() => Math.max(...[...document.querySelectorAll("header button")].map((one) => one.getBoundingClientRect().right)));
    const [picker] = await visitor.page.evaluate(() => [document.querySelector("#games")?.getBoundingClientRect().width ?? 0]);
    if (right > width || picker < 60) wrong.push(`header, ${width} px: ends at ${Math.round(right)}, the name of the game has ${Math.round(picker)} px`);
  }
  assert.equal(wrong.length, 0, wrong.join("\n"));
} }));

const choice = { name: "language-choice", feature: "a language is chosen in the header, in the menu and by the address; it is kept, and so is the game", async check(setup) {
  const rules = existsSync(fileOf("ta")) ? JSON.parse(readFileSync(fileOf("ta"), "utf8")).messages.Rules : "விதிகள்";
  const visitor = await setup.openPage({ game: "variant=bagh-chal" });
  const { page } = visitor;
  if (!existsSync(fileOf("ta"))) await page.context().route("**/messages/ta.json", (/** @type {any} */ route) => route.fulfill({ json: { messages: { Rules: rules }, nouns: {} } }));
  const reloaded = (/** @type {string} */ tag) => waitUntil(`the page is in ${tag}`, () => page.evaluate((wanted) => document.documentElement.lang === wanted && document.readyState === "complete", tag).catch(() => false)).then(() => visitor.waitUntilReady());
  await visitor.setPlayer("p2", "person");
  await page.evaluate(async () => (await globalThis.pageModule("actions.js")).playMove(globalThis.puli.game.state.moves[0].move));
  await visitor.waitForTurn();
  const moves = await visitor.moves();
  assert.equal(await page.locator("#language").innerText(), "English");
  await page.locator("#language").click();
  assert.deepEqual(await page.locator("#dialog [lang]").evaluateAll((all) => all.map((one) => [one.getAttribute("lang"), one.textContent])), Object.entries(LANGUAGES));
  assert.equal(await page.locator("#dialog [aria-pressed=true]").innerText(), "English");
  await page.getByRole("button", { name: "தமிழ்" }).click();
  await reloaded("ta");
  assert.equal(await page.locator("#rules").innerText(), rules);
  assert.deepEqual([await visitor.moves(), await visitor.read(({ game }) => [game.variant, game.players.p2])], [moves, ["bagh-chal", "person"]]);
  assert.equal(await page.locator("dialog[open]").count(), 0);
  assert.doesNotMatch(page.url(), /lang=/);
  // The address wins over the choice, and keeps its language until another one is chosen.
  await page.goto(`${page.url().replace(/#.*/, "")}#variant=kaooa&lang=en`);
  await reloaded("en");
  await visitor.openGame("adugo");
  await waitUntil("the address has the game and the language", async () => /#variant=adugo&lang=en$/.test(page.url()));
  await page.setViewportSize({ width: 390, height: 844 });
  await page.locator("#menu").click();
  await page.locator("#dialog button", { has: page.locator("svg.glyph") }).last().click();
  await page.getByRole("button", { name: "தமிழ்" }).click();
  await reloaded("ta");
  await waitUntil("the address has the new language", async () => /#variant=adugo&lang=ta$/.test(page.url()));
} };

export const languageChecks = [choice, ...fits];
