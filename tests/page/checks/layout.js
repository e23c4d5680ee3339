// Checks of the layout: what is visible at each size of the window, and what may not move.

import assert from "node:assert/strict";
import { mouse, waitUntil } from "../support/visitor.js";

/** The windows that the page is made for. @type {{ width: number, height: number, touch: boolean }[]} */
const WINDOWS = [[1440, 900, false], [1024, 768, false], [390, 844, true], [844, 390, true], [320, 568, true]].map(([width, height, touch]) => ({ width, height, touch }));

/** Returns the name of a window. @param {{ width: number, height: number }} window */
const sizeName = ({ width, height }) => `${width}×${height}`;

const listFollows = { name: "list-follows", feature: "the list of moves shows the current move of a long game, also after the window has changed its size, and at least eight moves", async check(setup) {
  /** @type {Map<boolean, any>} */
  const visitors = new Map();
  for (const window of WINDOWS) {
    const visitor = visitors.get(window.touch) ?? await setup.openPage({ ...window, game: "variant=tic-tac-toe" });
    if (visitors.has(window.touch)) await visitor.page.setViewportSize({ width: window.width, height: window.height });
    // Nobody gets 19 in a row if the cells are filled in order.
    else await visitor.page.evaluate(async () => {
      const { newGame, goToNode } = await globalThis.pageModule("actions.js");
      const { game } = globalThis.puli;
      newGame({ fen: `19 19 19 ${Array(19).fill(19).join("/")} x` });
      let node = game.tree.root;
      for (let at = 0; at < 300; at++) node = game.tree.addMove(node, `${String.fromCharCode(97 + (at % 19))}${1 + Math.floor(at / 19)}`);
      goToNode(node);
    });
    visitors.set(window.touch, visitor);
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
  // Most of the time the engine thinks, so all windows are open at the same time.
  await Promise.all(WINDOWS.map(async (window) => {
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
  }));
  return `${frames} frames`;
} };

/** Moves a finger in steps. @param {import("../support/visitor.js").Visitor} visitor @param {{ x: number, y: number }} from @param {number} dy */
async function dragFinger(visitor, from, dy) {
  const devtools = await visitor.page.context().newCDPSession(visitor.page);
  await devtools.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [from] });
  for (let step = 1; step <= 8; step++) await devtools.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [{ x: from.x, y: from.y + (dy * step) / 8 }] });
  await devtools.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await devtools.detach();
}

const landscapePhone = { name: "landscape-phone", feature: "a phone held sideways shows the board on the left, status and buttons on the right, nothing hidden; a drag that begins on no movable piece scrolls", async check(setup) {
  for (const [width, height] of [[844, 390], [667, 375]]) {
    const visitor = await setup.openPage({ width, height, touch: true, game: "variant=bagh-chal&fen=T3T/1G3/5/5/T3T+t+19" });
    const { page } = visitor;
    await visitor.setPlayer("p2", "person");
    await page.evaluate(() => scrollTo(0, 0));
    await visitor.waitForTurn();
    const scrolled = () => page.evaluate(() => scrollY);
    await dragFinger(visitor, await visitor.spotCenter("a1"), -80);
    assert.equal(await scrolled(), 0, "a drag of a tiger does not scroll");
    await dragFinger(visitor, await visitor.spotCenter("c2"), -80);
    await waitUntil("a drag on an empty point scrolls", async () => (await scrolled()) > 30);
    for (const variant of setup.slowCheckVariants) {
      await visitor.openGame(variant.variant);
      const wrong = await page.evaluate(() => {
        scrollTo(0, 0);
        /** @param {string} name */
        const box = (name) => /** @type {Element} */ (document.querySelector(name)).getBoundingClientRect();
        const board = box("#board svg");
        const parts = ["#board svg", "#above", "#below", "#line", "#controls button"].flatMap((name) => [...document.querySelectorAll(name)].map((one) => ({ name, place: one.getBoundingClientRect() })));
        const hidden = parts.filter(({ place }) => place.width && (place.left < 0 || place.top < 0 || place.right > innerWidth + 0.5 || place.bottom > innerHeight + 0.5)).map(({ name }) => name);
        const left = parts.filter(({ name, place }) => name !== "#board svg" && place.width && place.left < board.right).map(({ name }) => `${name} is beside the board`);
        return [...hidden, ...left];
      });
      assert.deepEqual(wrong, [], `${variant.variant} at ${width}×${height}`);
    }
  }
} };

/** Returns the texts of the page that are cut off at the right, and parts that stick out. @param {import("../support/visitor.js").Visitor} visitor @returns {Promise<string[]>} */
function findCutTexts(visitor) {
  return visitor.page.evaluate(() => [...document.querySelectorAll("main *, header *")].flatMap((one) => {
    const box = one.getBoundingClientRect();
    // Names may end in dots; lines of the engine may be longer than the panel, and tables scroll.
    if (!box.width || one.closest("svg, .lines, .scroll, .picker, .player, .words, .effort, .off-stage")) return [];
    const isCut = one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== "visible";
    return isCut || box.right > document.documentElement.clientWidth + 0.5 ? [`${one.tagName} ${one.id || one.className} ${(one.textContent ?? "").slice(0, 30)}`] : [];
  }));
}

const zoom200 = { name: "zoom-200", feature: "at 200% zoom and at 320 px nothing is cut off in any tab, and nothing scrolls sideways", async check(setup) {
  // Zoom halves the size of the window in CSS pixels.
  const visitor = await setup.openPage();
  for (const variant of ["aadu-puli", "kaooa", "8-puzzle", "2048"]) {
    await visitor.openGame(variant);
    for (const [width, height] of [[720, 450], [640, 512], [512, 384], [320, 568]]) {
      await visitor.page.setViewportSize({ width, height });
      const tabs = await visitor.page.evaluate(() => [...document.querySelectorAll("#tabs button:not([hidden])")].map((one) => one.getAttribute("data-tab")));
      for (const tab of tabs) {
        await visitor.openTab(tab);
        await waitUntil("the tab is open", () => visitor.page.locator(`#sheet-${tab}`).isVisible());
        assert.deepEqual(await findCutTexts(visitor), [], `${variant}, ${tab} at ${width}×${height}`);
      }
      assert.ok(await visitor.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${variant} at ${width}×${height} scrolls sideways`);
    }
  }
} };

const forcedColors = { name: "forced-colors", feature: "with forced colors the engine switch, the value bar, the turn, the current move and the open tab stay visible", async check(setup) {
  for (const dark of [false, true]) {
    const context = await setup.browser.newContext({ viewport: { width: 1280, height: 860 }, forcedColors: "active", colorScheme: dark ? "dark" : "light" });
    await context.addInitScript(() => {
      globalThis.pageModule = (/** @type {string} */ name) => import(new URL(name, /** @type {HTMLScriptElement} */ (document.querySelector('script[type="module"]')).src).href);
    });
    const visitor = await setup.openPage({ context });
    const { page } = visitor;
    await visitor.play({ to: "c1" }, mouse);
    await visitor.waitForTurn();
    /** Returns the number of colors that differ clearly within an element, as it is shown. @param {string} selector @param {number} [side] margin in pixels */
    const contrast = async (selector, side = 1) => {
      const box = /** @type {any} */ (await page.locator(selector).first().boundingBox());
      const image = await page.screenshot({ clip: { x: box.x - side, y: box.y - side, width: box.width + 2 * side, height: box.height + 2 * side } });
      const blank = await context.newPage();
      const range = await blank.evaluate(async (data) => {
        const picture = new Image();
        picture.src = `data:image/png;base64,${data}`;
        await picture.decode();
        const canvas = new OffscreenCanvas(picture.width, picture.height);
        const pen = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d"));
        pen.drawImage(picture, 0, 0);
        const { data: pixels } = pen.getImageData(0, 0, picture.width, picture.height);
        let [low, high] = [255, 0];
        for (let at = 0; at < pixels.length; at += 4) {
          const light = pixels[at] * 0.3 + pixels[at + 1] * 0.59 + pixels[at + 2] * 0.11;
          [low, high] = [Math.min(low, light), Math.max(high, light)];
        }
        return high - low;
      }, image.toString("base64"));
      await blank.close();
      return range;
    };
    for (const part of [".switch input", ".level .bar", ".side-row.turn .name"]) assert.ok(await contrast(part) > 80, `${part} is visible`);
    /** @param {string} selector @param {string} property */
    const color = (selector, property) => page.locator(selector).first().evaluate((one, name) => getComputedStyle(one)[name], property);
    assert.notEqual(await color(".moves .move[aria-current]", "backgroundColor"), await color(".moves .move:not([aria-current])", "backgroundColor"));
    assert.notEqual(await color('#tabs [aria-selected="true"]', "borderBottomColor"), await color('#tabs [aria-selected="false"]', "borderBottomColor"));
    assert.equal(await color('#tabs [aria-selected="false"]', "color"), await color("body", "color"), "tabs have the color of the text");
    const off = await color(".switch input", "backgroundColor");
    await page.locator("#engine input[role=switch]").check();
    assert.notEqual(await color(".switch input", "backgroundColor"), off, "the switch shows that it is on");
    assert.equal(await page.locator(".side-row.turn .name").evaluate((one) => getComputedStyle(one, "::after").visibility), "visible");
    assert.notEqual(await page.locator(".side-row.turn .name").evaluate((one) => getComputedStyle(one, "::after").backgroundColor), await color("body", "backgroundColor"), "the dot of the turn is visible");
  }
} };

const regions = { name: "region-names", feature: "the regions of the page have distinct names; points tell screen readers what can be done", async check(setup) {
  const visitor = await setup.openPage({ game: "variant=bagh-chal&fen=T3T/1G3/5/5/T3T+t+19" });
  await visitor.setPlayer("p2", "person");
  for (const tab of ["play", "analyze", "learn"]) {
    await visitor.openTab(tab);
    const names = await visitor.page.evaluate(() => [...document.querySelectorAll("nav, section, [role=toolbar], [role=group], [role=tablist], ol[aria-label], [role=img]")].filter((one) => one.getBoundingClientRect().width > 0).map((one) => one.getAttribute("aria-label")).filter(Boolean));
    assert.equal(new Set(names).size, names.length, `in ${tab}: ${names.join(", ")}`);
  }
  /** @param {string} at */
  const label = (at) => visitor.page.locator(`#board [data-at="${at}"]`).getAttribute("aria-label");
  assert.equal(await label("a1"), "a1, tiger, can move");
  assert.equal(await label("c3"), "c3, empty");
  const { x, y } = await visitor.spotCenter("a1");
  await visitor.page.mouse.click(x, y);
  await waitUntil("the targets are told", async () => (await label("a2")) === "a2, empty, can be reached");
} };

/** The width of a name of three letters of 11 px, such as `b32`. */
const NAME_WIDTH_PX = 22;

const pointNames = { name: "point-names", feature: "on every board the names of points meet no line, no piece and no other name, are nearest to their own point, and have 11 px or more", async check(setup) {
  const counts = [];
  for (const [width, height, minShare] of [[1440, 900, 1], [390, 844, 0.9], [320, 568, 0.6]]) {
    const visitor = await setup.openPage({ width, height, touch: width < 500 });
    let [shown, total] = [0, 0];
    for (const { variant } of setup.variants.filter((one) => one.group === "hunts" || one.variant === "tic-tac-toe")) {
      await visitor.openGame(variant);
      const result = await visitor.page.evaluate(() => {
        const board = /** @type {SVGSVGElement} */ (document.querySelector("#board svg"));
        const scale = board.getScreenCTM()?.a ?? 0;
        /** @param {Element} one @param {string} name */
        const number = (one, name) => Number(one.getAttribute(name));
        const names = [...board.querySelectorAll(".name:not(.covered)")].map((one) => {
          const [font, text] = [number(one, "font-size"), /** @type {SVGTextElement} */ (one)];
          const [halfWidth, x, y] = [text.getComputedTextLength() / 2, number(one, "x"), number(one, "y") - font * 0.36];
          return { text: one.textContent ?? "", isInner: one.matches(".inner"), font, x, y, left: x - halfWidth, right: x + halfWidth, top: y - font * 0.38, bottom: y + font * 0.38 };
        });
        /** @param {{ left: number, right: number, top: number, bottom: number }} box @param {number} x @param {number} y @param {number} reach */
        const meets = (box, x, y, reach) => Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom)) < reach;
        const occupied = new Set([...board.querySelectorAll(".piece")].map((one) => one.getAttribute("data-on")));
        const spots = [...board.querySelectorAll(".spot")].map((one) => {
          const hit = /** @type {Element} */ (one.querySelector(".hit"));
          return { name: one.getAttribute("data-at") ?? "", x: number(hit, "cx"), y: number(hit, "cy"), radius: number(hit, "r") / 1.05 };
        });
        const isGraph = board.matches(".graph");
        // Walks along every line.
        const walks = [...board.querySelectorAll(".ground .line")].map((line) => {
          const path = /** @type {SVGPathElement} */ (line);
          return Array.from({ length: Math.floor(path.getTotalLength() / 2) + 1 }, (_, at) => path.getPointAtLength(2 * at));
        });
        const wrong = [];
        for (const name of names) {
          if (name.font * scale < 10.9) wrong.push(`${name.text} is ${name.font * scale} px high`);
          for (const other of names) if (other !== name && other.left < name.right && name.left < other.right && other.top < name.bottom && name.top < other.bottom) wrong.push(`${name.text} meets ${other.text}`);
          if (!isGraph) continue;
          for (const spot of spots) if ((occupied.has(spot.name) || !name.isInner) && meets(name, spot.x, spot.y, spot.radius)) wrong.push(`${name.text} meets the piece on ${spot.name}`);
          const nearest = [...spots].sort((one, other) => Math.hypot(one.x - name.x, one.y - name.y) - Math.hypot(other.x - name.x, other.y - name.y))[0];
          if (nearest.name !== name.text) wrong.push(`${name.text} is nearest to ${nearest.name}`);
          for (const points of walks) if (points.some(({ x, y }) => meets(name, x, y, 0.5))) wrong.push(`${name.text} meets a line`);
        }
        const distances = spots.flatMap((one, at) => spots.slice(at + 1).map((other) => Math.hypot(one.x - other.x, one.y - other.y) * scale));
        return { wrong, shown: board.querySelectorAll(".name").length, total: isGraph ? spots.length : 0, spacing: Math.min(...distances) };
      });
      assert.deepEqual(result.wrong, [], `${variant} at ${width}×${height}`);
      // Where all names are wanted, a row of points that are nearer than a name is wide has room for every second one.
      const room = minShare === 1 && result.spacing < NAME_WIDTH_PX ? result.total / 2 : result.total;
      if (result.total) [shown, total] = [shown + Math.min(result.shown, room), total + room];
    }
    assert.ok(shown >= total * minShare, `${shown} of ${total} names are shown at ${width}×${height}`);
    counts.push(`${shown} of ${total} at ${width} px`);
  }
  return counts.join(", ");
} };

export const layoutChecks = [listFollows, stillWhileThinking, landscapePhone, zoom200, forcedColors, pointNames, regions];
