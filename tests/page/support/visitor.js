// A user of the page in a browser: reads the page, and plays by mouse, touch or keyboard.

import assert from "node:assert/strict";

/** Maximum duration of a wait, long enough for a busy machine. */
const MAX_WAIT_MS = 45000;
const POLL_INTERVAL_MS = 25;

/** Waits until `condition` returns a truthy value, and returns it. @param {string} description @param {() => Promise<any>} condition */
export async function waitUntil(description, condition) {
  const end = Date.now() + MAX_WAIT_MS;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > end) throw new Error(`timed out: ${description}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
}

export class Visitor {
  /** @param {import("playwright-core").Page} page @param {{ errors: string[], external: string[], frames: number, bytes: number }} log */
  constructor(page, log) {
    this.page = page;
    this.log = log;
  }

  /** Opens an address and waits for the board. @param {string} url */
  async open(url) {
    await this.page.goto(url);
    await this.waitUntilReady();
    return this;
  }

  /** Waits for the first state, and makes the page's state available as `globalThis.puli`. */
  async waitUntilReady() {
    // The site loads itself again on the first visit, which ends what is evaluated.
    await waitUntil("the engine answers", () => this.page.evaluate(async () => {
      globalThis.puli = await globalThis.pageModule("state.js");
      return globalThis.puli.server.status === "open" && globalThis.puli.game.tree.current.state !== null;
    }).catch((error) => {
      if (!/context was destroyed|navigat/i.test(String(error))) throw error;
    }));
  }

  /** Returns a part of the page's state: the exports of `state.js`. @template T @param {(page: any, argument: any) => T} select @param {any} [argument] @returns {Promise<T>} */
  read(select, argument) {
    return this.page.evaluate(`(${select})(globalThis.puli, ${JSON.stringify(argument ?? null)})`);
  }

  /** Waits for a condition on the page's state. @param {string} description @param {(page: any, argument: any) => any} condition @param {any} [argument] */
  waitFor(description, condition, argument) {
    return waitUntil(description, () => this.read(condition, argument)).catch(async (error) => {
      const status = await this.text("#status").catch(() => "?");
      throw new Error(`${error.message}; status line: ${status}`);
    });
  }

  /** Returns the state of the current position. A move is on the board a moment before its state is known. */
  state() {
    return this.waitFor("the state is known", (page) => page.game.tree.current.state);
  }

  async fen() {
    return (await this.state()).fen;
  }

  moves() {
    return this.read((page) => page.game.tree.moves());
  }

  /** @param {string} selector */
  text(selector) {
    return this.page.locator(selector).first().innerText();
  }

  /** Waits for a text. The page draws a change in its next frame. @param {string} selector @param {string | RegExp} expected */
  async waitForText(selector, expected) {
    /** @param {string} text */
    const matches = (text) => (typeof expected === "string" ? text === expected : expected.test(text));
    await waitUntil(`${selector} shows ${expected}`, async () => matches(await this.text(selector))).catch(async (error) => {
      throw new Error(`${error.message}; it shows: ${await this.text(selector)}`);
    });
  }

  /** Waits until a person may move or the game is over. */
  async waitForTurn() {
    await this.waitFor("a person may move", (page) => page.game.tree.current.state && (page.game.tree.current.state.outcome !== null || page.canMove()));
    return this.state();
  }

  /** Waits for another position than the node `id`. @param {number} id */
  async waitForMove(id) {
    await this.waitFor("the move is on the board", (page, before) => page.game.tree.current.id !== before && page.game.tree.current.state !== null, id);
  }

  /** Returns the id of the current node. */
  id() {
    return this.read((page) => page.game.tree.current.id);
  }

  /** Plays a legal move. @param {any} move @param {InputDevice} device */
  async play(move, device) {
    const id = await this.id();
    const state = await this.state();
    await device.play(this, state, move);
    await this.waitForMove(id);
  }

  /** Returns the center of a point or cell on the screen. @param {string} at */
  async spotCenter(at) {
    // While the board is drawn anew, its points have no box.
    const box = await waitUntil(`the board has the point ${at}`, () => this.page.locator(`#board [data-at="${at}"] .hit`).boundingBox());
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }

  /** Opens another game on the same page. @param {string} variant */
  async openGame(variant) {
    await this.page.evaluate(async (name) => (await globalThis.pageModule("actions.js")).newGame({ variant: name, fen: null }), variant);
    await this.waitFor(`${variant} is on the board`, (page, name) => page.game.tree.current.state?.variant === name && page.game.state?.variant === name, variant);
    // The second frame shows it.
    await this.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  }

  /** Clicks a button below the board. @param {string} name the value of `data-do` */
  async pressButton(name) {
    await this.page.locator(`#controls [data-do="${name}"]`).click();
  }

  /** @param {string} name @param {any} value */
  setPreference(name, value) {
    return this.page.evaluate(([key, setting]) => globalThis.puli.setPreference(key, setting), [name, value]);
  }

  /** @param {string} name */
  async openTab(name) {
    await this.page.locator(`[data-tab="${name}"]`).click();
  }

  /** Selects the player of a side. @param {"p1" | "p2"} side @param {string} player */
  async setPlayer(side, player) {
    await this.openTab("play");
    await this.page.locator(".players select").nth(side === "p1" ? 0 : 1).selectOption(player);
  }
}

/**
 * A way to play moves.
 * @typedef {object} InputDevice
 * @property {string} name
 * @property {(visitor: Visitor, state: any, move: any) => Promise<void>} play
 */

/** @typedef {{ x: number, y: number }} Point */

const DIRECTIONS = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] };
/** Distance of a swipe. */
const SWIPE_PX = 90;

/** Returns the points of a move in the order of their clicks. @param {any} move */
function clickSequence(move) {
  return move.path ?? move.drops ?? [move.from, move.to].filter(Boolean);
}

/** Returns the center of an element on the screen. @param {Visitor} visitor @param {string} selector @returns {Promise<Point>} */
async function centerOf(visitor, selector) {
  const target = visitor.page.locator(selector).first();
  await target.scrollIntoViewIfNeeded();
  const box = await waitUntil(`there is a ${selector}`, () => target.boundingBox());
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/**
 * Creates a device that points at the board.
 * @param {string} name
 * @param {(visitor: Visitor, at: Point) => Promise<void>} click
 * @param {(visitor: Visitor, from: Point, to: Point) => Promise<void>} swipe
 * @returns {InputDevice}
 */
function pointingDevice(name, click, swipe) {
  /** @param {Visitor} visitor @param {string} selector */
  const clickElement = async (visitor, selector) => click(visitor, await centerOf(visitor, selector));
  return { name, async play(visitor, state, move) {
    await visitor.page.locator("#board svg").scrollIntoViewIfNeeded();
    if (state.board.kind === "tree") return clickElement(visitor, `#board [data-child="${move.move}"] .shape`);
    if (state.board.kind === "river") return cross(visitor, move, (selector) => clickElement(visitor, selector));
    if (move.slides) {
      const center = await centerOf(visitor, "#board svg");
      const [dx, dy] = DIRECTIONS[move.move];
      return swipe(visitor, center, { x: center.x + dx * SWIPE_PX, y: center.y + dy * SWIPE_PX });
    }
    const points = state.board.slides === "one" ? [move.from] : clickSequence(move);
    for (const point of points) await click(visitor, await visitor.spotCenter(point));
    if (!points.length) await clickElement(visitor, `#named [data-move="${move.move}"]`);
  } };
}

/** Puts the people of a move into the boat and crosses the river. @param {Visitor} visitor @param {any} move @param {(selector: string) => Promise<void>} press */
async function cross(visitor, move, press) {
  for (const [kind, count] of [["missionary", move.crew.missionaries], ["cannibal", move.crew.cannibals]]) {
    for (let at = 0; at < count; at++) {
      await press(`#board [data-person^="${move.from}-${kind}"]`);
      await waitUntil(`a ${kind} is in the boat`, () => visitor.page.locator(`#board [data-person="aboard-${kind}-${at}"]`).count());
    }
  }
  await press('#board [data-person="boat"]');
}

/** Drags with the mouse. @param {Visitor} visitor @param {Point} from @param {Point} to */
export async function drag({ page }, from, to) {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 6 });
  await page.mouse.up();
}

export const mouse = pointingDevice("mouse", (visitor, { x, y }) => visitor.page.mouse.click(x, y), drag);

/** Drags with a finger. @param {Visitor} visitor @param {Point} from @param {Point} to */
export async function swipe(visitor, from, to) {
  const devtools = await visitor.page.context().newCDPSession(visitor.page);
  const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  await devtools.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [from] });
  for (const at of [middle, to]) await devtools.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [at] });
  await devtools.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await devtools.detach();
}

export const touch = pointingDevice("touch", (visitor, { x, y }) => visitor.page.touchscreen.tap(x, y), swipe);

/** Does exactly what the text of a hint says. @param {Visitor} visitor @param {string} hint */
export async function followHint(visitor, hint) {
  const { page } = visitor;
  /** @param {string} at */
  const click = async (at) => {
    const { x, y } = await visitor.spotCenter(at);
    await page.mouse.click(x, y);
  };
  /** @param {Point} from @param {string} direction @param {number} distance */
  const dragFrom = (from, direction, distance) => {
    const [dx, dy] = DIRECTIONS[direction];
    return drag(visitor, from, { x: from.x + dx * distance, y: from.y + dy * distance });
  };
  await page.locator("#board svg").scrollIntoViewIfNeeded();
  let match = hint.match(/^Slide tile (\d+) (\w+)$/);
  if (match) {
    const tile = await page.locator("#board .piece").filter({ has: page.locator("text", { hasText: new RegExp(`^${match[1]}$`) }) }).first().getAttribute("data-on");
    const box = await page.locator(`#board [data-at="${tile}"] .hit`).boundingBox();
    return dragFrom({ x: box.x + box.width / 2, y: box.y + box.height / 2 }, match[2], box.width);
  }
  match = hint.match(/^Slide all tiles (\w+)$/);
  if (match) return dragFrom(await centerOf(visitor, "#board svg"), match[1], SWIPE_PX);
  match = hint.match(/^Choose child (\d+)$/);
  if (match) return page.locator(`#board [data-child="${match[1]}"] .shape`).click();
  match = hint.match(/^Cross to the (?:left|right) bank with (.*)$/);
  if (match) {
    const [, people] = match;
    const count = (kind) => Number(people.match(new RegExp(`(\\d+|a) ${kind}`))?.[1].replace("a", "1") ?? 0);
    return cross(visitor, { from: await visitor.read(({ game }) => game.state.board.boat), crew: { missionaries: count("missionar"), cannibals: count("cannibal") } }, (selector) => page.locator(selector).first().click());
  }
  match = hint.match(/^Place (?:an? )?(\w+) on (.*)$/);
  if (match) {
    for (const at of match[2].split(/, | and /)) await click(at);
    if (/^\d+$/.test(match[1])) await page.locator("#answers button", { hasText: hint }).click();
    return;
  }
  match = hint.match(/^Move the .+ from (\w+) to ([^,]+(?:, then \w+)*)/);
  if (match) {
    const points = [match[1], ...match[2].split(", then ")];
    const id = await visitor.id();
    for (const at of points) await click(at);
    // A second click ends a chain of jumps that could continue.
    if (await visitor.read(({ game, interaction }, before) => game.tree.current.id === before && interaction.clicks.length > 0, id)) await click(/** @type {string} */ (points.at(-1)));
    return;
  }
  await page.locator("#named button", { hasText: hint }).click();
}

/** Maximum number of Tab presses on the way to an element. */
const MAX_TABS = 150;

/** Plays with the keyboard only: Tab to the board, arrow keys to the point, Enter. @type {InputDevice} */
export const keyboard = { name: "keyboard", async play(visitor, state, move) {
  const { page } = visitor;
  /** @param {string} selector */
  const tabTo = async (selector) => {
    for (let press = 0; press < MAX_TABS; press++) {
      if (await page.evaluate((target) => document.activeElement?.matches(target) ?? false, selector)) return;
      await page.keyboard.press("Tab");
    }
    throw new Error(`Tab does not reach ${selector}`);
  };
  if (move.slides) return page.keyboard.press(`Arrow${move.move[0].toUpperCase()}${move.move.slice(1)}`);
  if (state.board.slides === "one") {
    // The arrow key is the direction of the tile, the move that of the gap.
    const opposite = { left: "Right", right: "Left", up: "Down", down: "Up" }[move.move];
    return page.keyboard.press(`Arrow${opposite}`);
  }
  if (state.board.kind === "tree") {
    await tabTo(`#board [data-child="${move.move}"]`);
    return page.keyboard.press("Enter");
  }
  if (state.board.kind === "river") {
    return cross(visitor, move, async (selector) => {
      await tabTo(selector);
      await page.keyboard.press("Enter");
    });
  }
  for (const point of clickSequence(move)) {
    await tabTo("#board .spot");
    for (const key of await arrowKeysTo(visitor, point)) await page.keyboard.press(key);
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("data-at")), point);
    await page.keyboard.press("Enter");
  }
} };

/** Returns the arrow keys from the focused point to another one. @param {Visitor} visitor @param {string} to @returns {Promise<string[]>} */
function arrowKeysTo(visitor, to) {
  return visitor.page.evaluate(async (target) => {
    const { spotInDirection } = await globalThis.pageModule("view/drawing.js");
    const { drawBoard } = await globalThis.pageModule("view/scene.js");
    const { ARROW_KEYS } = await globalThis.pageModule("view/board_keys.js");
    const drawing = drawBoard(globalThis.puli.game.state.board, globalThis.puli.display.flipped);
    const start = document.activeElement?.getAttribute("data-at") ?? "";
    const keysTo = new Map([[start, /** @type {string[]} */ ([])]]);
    for (const [point, keys] of keysTo) {
      if (point === target) return keys;
      for (const [key, [, dx, dy]] of Object.entries(ARROW_KEYS)) {
        const next = spotInDirection(drawing, point, dx, dy);
        if (next && !keysTo.has(next.name)) keysTo.set(next.name, [...keys, key]);
      }
    }
    throw new Error(`no arrow keys lead from ${start} to ${target}`);
  }, to);
}
