// A learner: opens lessons and answers their questions, by the forms of the page.

import { waitUntil } from "./visitor.js";

/** @typedef {import("./visitor.js").Visitor} Visitor */

export class Learner {
  /** @param {Visitor} visitor */
  constructor(visitor) {
    this.visitor = visitor;
    this.page = visitor.page;
  }

  /** Opens a lesson from the tab Learn, and a round. @param {string} name @param {number} [round] from 0 */
  async open(name, round = 0) {
    await this.visitor.openTab("learn");
    await this.page.locator(`[data-lesson-name="${name}"]`).click();
    await this.waitForQuestion();
    if (round) {
      await this.page.locator(`.lesson [data-round="${round}"]`).click();
      await waitUntil(`round ${round} is open`, () => this.player((player, wanted) => player.round === wanted && player.form !== null, round));
      await this.waitForQuestion();
    }
  }

  async close() {
    await this.page.locator('[data-lesson="close"]').click();
    await waitUntil("the lesson is closed", async () => (await this.page.locator("dialog.lesson").count()) === 0);
  }

  /** Reads the open player in the page. @template T @param {((player: any, argument: any, kinds: any) => T) | string} read @param {any} [argument] @returns {Promise<T>} */
  player(read, argument) {
    return this.page.evaluate(`(async () => (${read})((await globalThis.pageModule("lessons/lesson_list.js")).current.player, ${JSON.stringify(argument ?? null)}, await globalThis.pageModule("lessons/questions.js")))()`);
  }

  /** Waits until a question is asked, and returns its kind. */
  waitForQuestion() {
    return waitUntil("a question is asked", () => this.player((player) => player?.form && !player.isAnswered && player.currentQuestion.ask).catch(() => null));
  }

  /** Returns the answer that the engine's events give. */
  answer() {
    return this.player((player, _, questions) => questions.kindOf(player.currentQuestion).answer(player.search, player.currentQuestion));
  }

  /** Returns an answer that is not right. */
  async wrongAnswer() {
    return this.player((player, _, questions) => {
      const kind = questions.kindOf(player.currentQuestion);
      const answer = kind.answer(player.search, player.currentQuestion);
      const options = kind.options?.(player.search, player.currentQuestion) ?? [];
      if (kind.form === "number") return answer + 1;
      if (kind.form === "slider" || kind.form === "dot") {
        const { min, max } = kind.scale(player.search, player.currentQuestion);
        return [max, min].find((end) => !questions.isRight(end, player.search, player.currentQuestion)) ?? null;
      }
      if (kind.form === "weights") return [4, 1, 2];
      if (kind.form === "rank") return [...answer].reverse();
      if (kind.form === "test") return { ...answer, value: answer.value + 5 };
      if (kind.form === "ladder") return answer.map(({ bound, value }) => ({ bound, value: value + 1 }));
      if (kind.form === "several") return [options.find((option) => !answer.includes(option)) ?? options[0]];
      if (kind.form === "numbers") return [...answer, 99];
      if (kind.form === "cells") return options.join(" ");
      if (kind.form === "window") return [answer[0] === null ? 0 : null, answer[1]];
      if (kind.form === "leaves") return options.filter((path) => !answer.includes(path)).slice(0, 1);
      if (kind.form === "line") return player.search.leaves().find(({ path }) => path !== answer).path;
      if (kind.form === "labels") return Object.fromEntries(options.map((move) => [move, answer[move] === "p1" ? "p2" : "p1"]));
      return options.find((option) => option !== answer) ?? null;
    });
  }

  /** Fills in the form. For the order of children, moves them until few enough leaves are seen if `guess` is a number. @param {any} guess */
  async fill(guess) {
    const form = await this.player((player, _, questions) => questions.kindOf(player.currentQuestion).form);
    const fields = this.page.locator(".lesson fieldset");
    if (form === "choice") await fields.locator(`input[value="${guess}"]`).check();
    else if (form === "number") await fields.locator("input").fill(String(guess));
    else if (form === "slider" || form === "dot") await fields.locator("input.number").fill(String(guess));
    else if (form === "several") {
      for (const box of await fields.locator("input").all()) await box.setChecked(guess.includes(await box.getAttribute("value")));
    } else if (form === "weights") {
      for (const [at, weight] of guess.entries()) await fields.locator(`[data-weight="${at}"]`).fill(String(weight));
    } else if (form === "state") await fields.locator(`[data-state="${guess}"]`).click();
    else if (form === "numbers") await fields.locator("input").fill(guess.join(", "));
    else if (form === "rank") await this.sortList(guess);
    else if (form === "test") {
      await fields.locator(`input[value="${guess.relation}"]`).check();
      await fields.locator("input.number").fill(String(guess.value));
    } else if (form === "ladder") {
      for (const [at, { bound, value }] of guess.entries()) {
        const rung = fields.locator(`[data-rung="${at + 1}"]`);
        await rung.locator(`input[value="${bound}"]`).check();
        await rung.locator("input.number").fill(String(value));
      }
    } else if (form === "cells") {
      const undo = fields.locator('[data-move="undo"]');
      for (const _ of guess.split(" ")) await undo.click();
      for (const cell of guess.split(" ")) await fields.locator(`[data-cell="${cell}"]`).click();
    } else if (form === "window") {
      const text = (value, infinity) => (value === null ? infinity : String(value));
      await fields.locator("input").nth(0).fill(text(guess[0], "−∞"));
      await fields.locator("input").nth(1).fill(text(guess[1], "∞"));
    } else if (form === "leaf" || form === "leaves") {
      const wanted = form === "leaf" ? [guess] : guess;
      for (const path of await this.player((player) => [...(player.form.struck?.() ?? [])])) if (!wanted.includes(path)) await this.leaf(path).click();
      for (const path of wanted) if ((await this.leaf(path).getAttribute("aria-pressed")) !== "true") await this.leaf(path).click();
    } else if (form === "line") {
      const moves = guess.split(" ");
      for (let at = 1; at <= moves.length; at++) await fields.locator(`input[value="${moves.slice(0, at).join(" ")}"]`).check();
    } else if (form === "labels") {
      for (const [move, word] of Object.entries(guess)) await fields.locator(`[aria-label="${move}"] input[value="${word}"]`).check();
    } else if (typeof guess === "number") await this.sortTree();
  }

  /** Moves the items of a list into an order. @param {string[]} order */
  async sortList(order) {
    const items = this.page.locator(".lesson .rank li");
    for (const [at, item] of order.entries()) {
      const place = async () => (await items.evaluateAll((all) => all.map((one) => one.getAttribute("data-item")))).indexOf(item);
      for (let now = await place(); now > at; now = await place()) await items.nth(now).locator('[data-move="up"]').click();
    }
  }

  /** @param {string} path */
  leaf(path) {
    return this.page.locator(`.lesson fieldset button[aria-label^="leaf ${path},"]`);
  }

  /** Moves the children of a tree of two levels into the best order, by the buttons. */
  async sortTree() {
    const tree = async () => JSON.parse(await this.player((player) => player.search.begin.fen));
    const move = async (label) => {
      const before = JSON.stringify(await tree());
      await this.page.locator(`.lesson fieldset button[aria-label^="${label}"]`).click();
      await this.page.locator('[data-move="left"]').click();
      await waitUntil(`${label} has moved`, async () => JSON.stringify(await tree()) !== before);
    };
    for (let child = 1; child <= (await tree()).length; child++) {
      const least = async () => { const leaves = (await tree())[child - 1]; return leaves.indexOf(Math.min(...leaves)) + 1; };
      for (let at = await least(); at > 1; at = await least()) await move(`leaf ${child} ${at},`);
    }
    const best = async () => { const values = (await tree()).map((leaves) => Math.min(...leaves)); return values.indexOf(Math.max(...values)) + 1; };
    for (let at = await best(); at > 1; at = await best()) await move(`node ${at}`);
  }

  async check() {
    await this.page.locator('[data-lesson="check"]').click();
  }

  /** Answers right. */
  async answerRight() {
    await this.fill(await this.answer());
    await this.check();
    await this.waitForVerdict(/^Right\./);
  }

  /** @param {RegExp} expected */
  async waitForVerdict(expected) {
    await this.visitor.waitForText(".lesson .feedback", expected);
  }

  async next() {
    const before = await this.place();
    await this.page.locator('[data-lesson="next"]').click();
    await waitUntil("the lesson goes on", async () => (await this.place()) !== before || (await this.page.locator('[data-lesson="next-round"]').count()) > 0);
    if (!(await this.isRoundDone())) await this.waitForQuestion();
  }

  async isRoundDone() {
    return (await this.page.locator('[data-lesson="next-round"]').count()) > 0;
  }

  /** Returns the round, the step and the question. */
  place() {
    return this.player((player) => [player.round, player.step, player.question].join(" "));
  }
}
