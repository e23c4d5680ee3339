// A person at the page: what he sees, and his mouse, finger and keyboard.

import assert from "node:assert/strict";

/** No single wait takes longer than this, however busy the machine is. */
const PATIENCE = 45000;

/** Waits until something holds. @param {string} what @param {() => Promise<any>} holds @param {number} [patience] */
export async function until(what, holds, patience = PATIENCE) {
  const end = Date.now() + patience;
  for (;;) {
    const value = await holds();
    if (value) return value;
    if (Date.now() > end) throw new Error(`waited in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

export class Visitor {
  /** @param {import("playwright-core").Page} page @param {{ errors: string[], foreign: string[], frames: number, bytes: number }} seen */
  constructor(page, seen) {
    this.page = page;
    this.seen = seen;
  }

  /** Goes to an address and waits for the board. @param {string} url */
  async go(url) {
    await this.page.goto(url);
    await this.ready();
    return this;
  }

  async ready() {
    await this.page.evaluate(async () => {
      globalThis.puli = await import("/state.js");
    });
    await until("the engine answers", () => this.page.evaluate(() => globalThis.puli.page.link === "open" && globalThis.puli.page.game.current.state !== null));
  }

  /** Something of the page's own state. @template T @param {(page: any, argument: any) => T} read @param {any} [argument] @returns {Promise<T>} */
  see(read, argument) {
    return this.page.evaluate(`(${read})(globalThis.puli.page, ${JSON.stringify(argument ?? null)})`);
  }

  /** @param {string} what @param {(page: any, argument: any) => any} holds @param {any} [argument] */
  when(what, holds, argument) {
    return until(what, () => this.see(holds, argument)).catch(async (error) => {
      const status = await this.text("#status").catch(() => "?");
      throw new Error(`${error.message}; the line says: ${status}`);
    });
  }

  /** What is known of the position: a move is on the board a moment before. */
  state() {
    return this.when("the position is known", (page) => page.game.current.state);
  }

  async fen() {
    return (await this.state()).fen;
  }

  moves() {
    return this.see((page) => page.game.moves());
  }

  /** @param {string} selector */
  text(selector) {
    return this.page.locator(selector).first().innerText();
  }

  /** Waits until that is what stands there: the page draws what has changed a moment later. @param {string} selector @param {string | RegExp} expected */
  async shows(selector, expected) {
    /** @param {string} text */
    const fits = (text) => (typeof expected === "string" ? text === expected : expected.test(text));
    await until(`${selector} says ${expected}`, async () => fits(await this.text(selector))).catch(async (error) => {
      throw new Error(`${error.message}; it says: ${await this.text(selector)}`);
    });
  }

  /** Until a person may move, or the game is over. */
  async turn() {
    await this.when("it is a person's turn", (page) => page.game.current.state && (page.game.current.state.outcome !== null || globalThis.puli.live()));
    return this.state();
  }

  /** Until another position is looked at than that. @param {number} id */
  async moved(id) {
    await this.when("the move is on the board", (page, was) => page.game.current.id !== was && page.game.current.state !== null, id);
  }

  id() {
    return this.see((page) => page.game.current.id);
  }

  /** Plays a legal move with a hand. @param {any} move @param {Hand} hand */
  async play(move, hand) {
    const id = await this.id();
    const state = await this.state();
    await hand.play(this, state, move);
    await this.moved(id);
  }

  /** Where on the screen a place of the board is. @param {string} at */
  async spot(at) {
    const box = await this.page.locator(`#board [data-at="${at}"] .hit`).boundingBox();
    assert.ok(box, `the board has a place ${at}`);
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }

  /** Goes over to another game on the same page. @param {string} variant */
  async change(variant) {
    await this.page.evaluate(async (name) => (await import("/actions.js")).begin({ variant: name, fen: null }), variant);
    await this.when(`${variant} is on the board`, (page, name) => page.game.current.state?.variant === name && page.state?.variant === name, variant);
    // Two pictures later it is drawn.
    await this.page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  }

  /** Presses a button of the row under the board, by its name in the code. @param {string} name */
  async press(name) {
    await this.page.locator(`#controls [data-do="${name}"]`).click();
  }

  /** @param {string} name */
  async tab(name) {
    await this.page.locator(`[data-tab="${name}"]`).click();
  }

  /** Gives a side to a player. @param {"p1" | "p2"} side @param {string} who */
  async seat(side, who) {
    await this.tab("play");
    await this.page.locator(".seats select").nth(side === "p1" ? 0 : 1).selectOption(who);
  }
}

/**
 * A way to point at things.
 * @typedef {object} Hand
 * @property {string} name
 * @property {(visitor: Visitor, state: any, move: any) => Promise<void>} play
 */

/** The places that say a move, one after the other. @param {any} move */
function clicks(move) {
  return move.path ?? move.drops ?? [move.from, move.to].filter(Boolean);
}

/** @param {(visitor: Visitor, x: number, y: number) => Promise<void>} point @param {(visitor: Visitor, from: { x: number, y: number }, to: { x: number, y: number }) => Promise<void>} swipe @param {string} name @returns {Hand} */
function pointing(name, point, swipe) {
  /** @param {Visitor} visitor @param {string} selector */
  const at = async (visitor, selector) => {
    const target = visitor.page.locator(selector).first();
    await target.scrollIntoViewIfNeeded();
    const box = await target.boundingBox();
    assert.ok(box, `there is a ${selector}`);
    await point(visitor, box.x + box.width / 2, box.y + box.height / 2);
  };
  return { name, async play(visitor, state, move) {
    await visitor.page.locator("#board svg").scrollIntoViewIfNeeded();
    if (state.board.kind === "tree") return at(visitor, `#board [data-child="${move.move}"] .shape`);
    if (state.board.kind === "river") return cross(visitor, move, (selector) => at(visitor, selector));
    if (move.slides) {
      const box = /** @type {any} */ (await visitor.page.locator("#board svg").boundingBox());
      const centre = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
      const way = { left: [-90, 0], right: [90, 0], up: [0, -90], down: [0, 90] }[move.move] ?? [0, 0];
      return swipe(visitor, centre, { x: centre.x + way[0], y: centre.y + way[1] });
    }
    const places = state.board.slides === "one" ? [move.from] : clicks(move);
    for (const place of places) {
      const { x, y } = await visitor.spot(place);
      await point(visitor, x, y);
    }
    if (!places.length) await at(visitor, `#spoken [data-move="${move.move}"]`);
  } };
}

/** Lets a crew get in and the boat cross. @param {Visitor} visitor @param {any} move @param {(selector: string) => Promise<void>} press */
async function cross(visitor, move, press) {
  for (const [kind, count] of [["missionary", move.crew.missionaries], ["cannibal", move.crew.cannibals]]) {
    for (let one = 0; one < count; one++) {
      await press(`#board [data-person^="${move.from}-${kind}"]`);
      await until("someone is in the boat", () => visitor.page.locator(`#board [data-person="aboard-${kind}-${one}"]`).count());
    }
  }
  await press('#board [data-person="boat"]');
}

export const mouse = pointing("mouse", (visitor, x, y) => visitor.page.mouse.click(x, y), async (visitor, from, to) => {
  await visitor.page.mouse.move(from.x, from.y);
  await visitor.page.mouse.down();
  await visitor.page.mouse.move(to.x, to.y, { steps: 3 });
  await visitor.page.mouse.up();
});

/** Does what a hint says, and nothing else. @param {Visitor} visitor @param {string} words */
export async function obey(visitor, words) {
  const { page } = visitor;
  /** @param {string} at */
  const click = async (at) => {
    const { x, y } = await visitor.spot(at);
    await page.mouse.click(x, y);
  };
  /** @param {{ x: number, y: number }} from @param {string} way @param {number} far */
  const drag = async (from, way, far) => {
    const [dx, dy] = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] }[way];
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x + dx * far, from.y + dy * far, { steps: 6 });
    await page.mouse.up();
  };
  await page.locator("#board svg").scrollIntoViewIfNeeded();
  let said = words.match(/^Slide tile (\d+) (\w+)$/);
  if (said) {
    const tile = await page.locator("#board .piece").filter({ has: page.locator("text", { hasText: new RegExp(`^${said[1]}$`) }) }).first().getAttribute("data-on");
    const box = await page.locator(`#board [data-at="${tile}"] .hit`).boundingBox();
    return drag({ x: box.x + box.width / 2, y: box.y + box.height / 2 }, said[2], box.width);
  }
  said = words.match(/^Slide all tiles (\w+)$/);
  if (said) {
    const box = await page.locator("#board svg").boundingBox();
    return drag({ x: box.x + box.width / 2, y: box.y + box.height / 2 }, said[1], 90);
  }
  said = words.match(/^Choose child (\d+)$/);
  if (said) return page.locator(`#board [data-child="${said[1]}"] .shape`).click();
  said = words.match(/^Cross to the (?:left|right) bank with (.*)$/);
  if (said) {
    const count = (kind) => Number(said[1].match(new RegExp(`(\\d+|a) ${kind}`))?.[1].replace("a", "1") ?? 0);
    return cross(visitor, { from: await visitor.see((state) => state.state.board.boat), crew: { missionaries: count("missionar"), cannibals: count("cannibal") } }, (selector) => page.locator(selector).first().click());
  }
  said = words.match(/^Place (?:an? )?(\w+) on (.*)$/);
  if (said) {
    for (const at of said[2].split(/, | and /)) await click(at);
    if (/^\d+$/.test(said[1])) await page.locator("#answers button", { hasText: words }).click();
    return;
  }
  said = words.match(/^Move the .+ from (\w+) to ([^,]+(?:, then \w+)*)/);
  if (said) {
    const places = [said[1], ...said[2].split(", then ")];
    const id = await visitor.id();
    for (const at of places) await click(at);
    // A chain of leaps that could go on is ended by a second click.
    if (await visitor.see((state, was) => state.game.current.id === was && state.made.length > 0, id)) await click(/** @type {string} */ (places.at(-1)));
    return;
  }
  await page.locator("#spoken button", { hasText: words }).click();
}

export const touch = pointing("touch", (visitor, x, y) => visitor.page.touchscreen.tap(x, y), async (visitor, from, to) => {
  const devtools = await visitor.page.context().newCDPSession(visitor.page);
  const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  await devtools.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [from] });
  for (const at of [middle, to]) await devtools.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [at] });
  await devtools.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await devtools.detach();
});

/** The keyboard alone: Tab to the board, arrows to the place, Enter. @type {Hand} */
export const keyboard = { name: "keyboard", async play(visitor, state, move) {
  const { page } = visitor;
  /** @param {string} selector */
  const tabTo = async (selector) => {
    for (let press = 0; press < 150; press++) {
      if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector)) return;
      await page.keyboard.press("Tab");
    }
    throw new Error(`Tab never comes to ${selector}`);
  };
  if (move.slides) return page.keyboard.press(`Arrow${move.move[0].toUpperCase()}${move.move.slice(1)}`);
  if (state.board.slides === "one") {
    // The arrow says where the tile goes, the move where the gap does.
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
  for (const place of clicks(move)) {
    await tabTo("#board .spot");
    for (const key of await way(visitor, place)) await page.keyboard.press(key);
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("data-at")), place);
    await page.keyboard.press("Enter");
  }
} };

/** The arrow keys from the place that has the keyboard to another. @param {Visitor} visitor @param {string} to @returns {Promise<string[]>} */
function way(visitor, to) {
  return visitor.page.evaluate(async (goal) => {
    const { beside } = await import("/view/drawing.js");
    const { scene } = await import("/view/scene.js");
    const { ARROWS } = await import("/view/board_keys.js");
    const drawn = scene(globalThis.puli.page.state.board, globalThis.puli.page.flip);
    const start = document.activeElement?.getAttribute("data-at") ?? "";
    const ways = new Map([[start, /** @type {string[]} */ ([])]]);
    for (const [place, keys] of ways) {
      if (place === goal) return keys;
      for (const [key, [, dx, dy]] of Object.entries(ARROWS)) {
        const next = beside(drawn, place, dx, dy);
        if (next && !ways.has(next.name)) ways.set(next.name, [...keys, key]);
      }
    }
    throw new Error(`no arrows lead from ${start} to ${goal}`);
  }, to);
}
