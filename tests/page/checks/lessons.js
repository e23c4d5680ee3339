// Checks of the lessons: right, wrong and skipped answers, the three rounds, small windows.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { LESSONS } from "../../../src/web/page/lessons/lesson_list.js";
import { Learner } from "../support/learner.js";
import { drag, waitUntil } from "../support/visitor.js";
import { runAxe } from "./app.js";

const NAMES = LESSONS.map(([name]) => name);
/** The lessons whose first question comes before the search. The others first ask about an event or a whole search. */
const STARTS_BEFORE_SEARCH = NAMES.slice(0, 3);
/** Maximum number of questions of a round. */
const MAX_QUESTIONS = 20;
const HINT = /A hint: /;

/** What the page may send meanwhile: the engine looks at the game on the board. */
const ENGINE_COMMANDS = /^(setoption name \w+ value \S+|position (startpos|fen)|go |stop$|state$|isready$|solve)/;

/** Records in `globalThis.sent` what the page sends from now on. @param {any} page */
async function recordSending(page) {
  await page.evaluate(() => {
    /** @type {string[]} */
    const sent = [];
    globalThis.sent = sent;
    const { send } = WebSocket.prototype;
    WebSocket.prototype.send = function (data) {
      sent.push(...String(data).trim().split("\n"));
      send.call(this, data);
    };
    for (const [owner, name] of /** @type {[any, string][]} */ ([[globalThis, "fetch"], [navigator, "sendBeacon"], [XMLHttpRequest.prototype, "send"]])) {
      const original = owner[name];
      owner[name] = function (...values) {
        sent.push(`${name} ${values[0]}`);
        return original.apply(this, values);
      };
    }
  });
}

/** Opens a page with a learner. @param {any} setup @param {any} [options] */
async function openLearner(setup, options) {
  return new Learner(await setup.openPage(options));
}

/** Answers every question of a round. @param {Learner} learner @param {(at: number) => Promise<void>} answer @returns {Promise<number>} the number of questions */
async function goThrough(learner, answer) {
  for (let at = 0; at < MAX_QUESTIONS; at++) {
    await answer(at);
    await learner.next();
    if (await learner.isRoundDone()) return at + 1;
  }
  throw new Error(`the round does not end after ${MAX_QUESTIONS} questions`);
}

/** Answers wrong three times: a hint comes after the second miss, and the answer after the third. @param {Learner} learner */
async function answerWrong(learner) {
  const { visitor } = learner;
  const wrong = await learner.wrongAnswer();
  for (const expected of [/^Not yet\. Try once more\./, HINT, /^Not this time\.[\s\S]*The answer: [\s\S]*\S{3}/]) {
    await learner.fill(wrong);
    await learner.check();
    await learner.waitForVerdict(expected);
  }
  assert.doesNotMatch(await visitor.text(".lesson .feedback"), /undefined|null|NaN/);
}

/** Creates the check of a lesson. @param {string} name */
function lessonCheck(name) {
  return { name: `lesson-${name.slice(0, 2)}`, feature: `lesson ${Number(name.slice(0, 2))}: right, wrong and skipped answers are told and counted, and kept in the browser only`, async check(/** @type {any} */ setup) {
    const learner = await openLearner(setup);
    const { page, visitor } = learner;
    await learner.open(name);
    await recordSending(page);
    const count = await goThrough(learner, async (at) => {
      if (at === 0) {
        await answerWrong(learner);
        const sent = await page.evaluate(() => globalThis.sent);
        assert.deepEqual(sent.filter((/** @type {string} */ line) => !ENGINE_COMMANDS.test(line)), [], "answers are sent nowhere");
      } else if (at === 1) {
        await page.locator('[data-lesson="skip"]').click();
        await learner.waitForVerdict(/^Skipped\.\s+The answer: .*\s+\S/);
      } else await learner.answerRight();
    });
    await visitor.waitForText(".lesson .round-end", new RegExp(`Right ${count - 2} · wrong 1 · skipped 1\\.`));
    await learner.close();
    await page.reload();
    await visitor.waitUntilReady();
    await visitor.openTab("learn");
    await waitUntil("the list has the counts", async () => (await page.locator(`[data-lesson-name="${name}"]`).innerText().catch(() => "")).includes(`1 round of 3 done · Right ${count - 2} · wrong 1 · skipped 1`));
    return `${count} questions`;
  } };
}

/** Creates the check of a lesson's accessibility. @param {string} name */
const accessibleLesson = (name) => ({ name: `lessons-axe-${name.slice(0, 2)}`, feature: `lesson ${Number(name.slice(0, 2))} has no serious finding of axe, asked and answered, in light and dark`, async check(/** @type {any} */ setup) {
  let count = 0;
  for (const dark of [false, true]) {
    const learner = await openLearner(setup, { dark, still: true });
    await learner.page.evaluate(readFileSync(setup.axe, "utf8"));
    await learner.open(name);
    /** What has been examined. @type {Set<string>} */
    const examined = new Set();
    await goThrough(learner, async () => {
      const place = await learner.place();
      // The same kind of question below the same picture is built of the same parts.
      const parts = await learner.player((player) => `${player.currentQuestion.ask} ${player.currentStep.picture}`);
      const isExamined = !examined.has(parts);
      if (isExamined) count++;
      examined.add(parts);
      if (isExamined) assert.deepEqual((await runAxe(learner.page, ".lesson")).serious, [], `${name} ${place}, asked`);
      await learner.page.locator('[data-lesson="skip"]').click();
      await learner.waitForVerdict(/^Skipped\./);
      if (isExamined) assert.deepEqual((await runAxe(learner.page, ".lesson")).serious, [], `${name} ${place}, answered`);
    });
  }
  return `${count} questions`;
} });

/** Creates the check of a lesson's rounds. @param {string} name */
function threeRounds(name) {
  return { name: `three-rounds-${name.slice(0, 2)}`, feature: `lesson ${Number(name.slice(0, 2))} has three rounds: explained, a generated exercise that is partly worked out, and another with nothing worked out`, async check(/** @type {any} */ setup) {
    const learner = await openLearner(setup);
    let count = 0;
    /** @type {string[]} */
    const materials = [];
    for (const round of [1, 2]) {
      await learner.open(name, round);
      const known = await learner.player((player) => {
        const { progress } = player.search.stateAt(player.at);
        return [...player.search.places.values()].filter(({ path, kind }) => kind !== "leaf" && progress.get(path).status === "done").length;
      });
      assert.equal(known > 0, round === 1, `${name}, round ${round + 1}: ${known} nodes are worked out`);
      count += await goThrough(learner, async () => {
        const material = await learner.player((player) => player.search.begin.fen);
        if (!materials.includes(material)) materials.push(material);
        await learner.answerRight();
      });
      await learner.close();
    }
    assert.ok(materials.length >= 2, `${name} has other material: ${materials}`);
    const rounds = await learner.page.evaluate((lesson) => JSON.parse(localStorage.getItem("puli.lessons") ?? "{}")[lesson].rounds, name);
    assert.deepEqual(rounds, [1, 2]);
    return `${count} questions`;
  } };
}

const guessStays = { name: "guess-stays", feature: "a guess stays beside the answer, also when the lesson goes on; the keyboard is enough", async check(/** @type {any} */ setup) {
  const learner = await openLearner(setup);
  const { page, visitor } = learner;
  await learner.open("01-max-and-min");
  // The first field has the focus.
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await learner.waitForVerdict(/^Not yet/);
  assert.match(await visitor.text(".lesson .feedback"), /Your answer so far: Min\./);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await learner.waitForVerdict(/^Right\.\s+You said: Min; then Max\./);
  await page.keyboard.press("Enter");
  await learner.waitForQuestion();
  await visitor.waitForText(".lesson .answered", /Who moves at the root\?.*Right\..*You said: Min; then Max\./);
  // A wrong answer stays with the right one.
  await learner.answerRight();
  await learner.next();
  for (const guess of ["17", "20", "5"]) {
    await page.keyboard.press("Control+A");
    await page.keyboard.type(guess);
    await page.keyboard.press("Enter");
    await waitUntil(`${guess} is marked`, async () => (await visitor.text(".lesson .feedback")).includes(guess));
  }
  await learner.waitForVerdict(/You said: 17; then 20; then 5\. The answer: 3\./);
  assert.equal(await page.locator(".lesson fieldset input").inputValue(), "5");
  await page.keyboard.press("Escape");
  await waitUntil("Escape closes the lesson", async () => (await page.locator("dialog.lesson").count()) === 0);
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("data-lesson-name")), "01-max-and-min");
} };

const startsAtZero = { name: "learn-starts-at-zero", feature: "a drawn search and the first lessons begin before the first event, later lessons at their first question, and all stand still until started", async check(/** @type {any} */ setup) {
  const learner = await openLearner(setup, { game: "variant=tree" });
  const { page, visitor } = learner;
  const isStillOnce = async () => {
    const before = await page.locator("body").innerText();
    await new Promise((resolve) => setTimeout(resolve, 700));
    return (await page.locator("body").innerText()) === before;
  };
  // On a busy machine, the last text may arrive late. Events that play move for much longer.
  const isStill = async () => await isStillOnce() || isStillOnce();
  await visitor.openTab("learn");
  await page.getByRole("button", { name: "Draw the search" }).click();
  await visitor.waitFor("the search is drawn", (state) => state.trace.result !== null);
  await waitUntil("no node is visited", async () => (await page.locator(".log-tree .place").count()) > 0 && (await page.locator(".log-tree .place:not(.unseen)").count()) === 0);
  assert.ok(await isStill(), "the drawn search stands still");
  assert.deepEqual(await visitor.read((state) => [state.trace.step, state.trace.playing]), [0, false]);
  for (const name of NAMES) {
    await learner.open(name);
    const scrubber = page.getByLabel("Event of the search");
    if (STARTS_BEFORE_SEARCH.includes(name)) {
      assert.equal(await scrubber.inputValue(), "0");
      assert.equal(await page.locator(".search-tree .place:not(.unseen)").count(), 0, "no node is visited");
    } else assert.equal(await scrubber.inputValue(), String(await learner.player((player) => player.limit)));
    assert.ok(await isStill(), `${name} stands still`);
    await learner.close();
  }
  // Started, it runs to the question and no further.
  await learner.open("02-the-window", 1);
  const end = await learner.player((player) => player.at);
  await page.locator('[data-lesson="restart"]').click();
  await waitUntil("the start is shown", () => learner.player((player) => player.at === 0));
  await page.locator('[data-lesson="play"]').click();
  await waitUntil("the events play", () => learner.player((player) => player.at > 3));
  // On a busy machine, the events may have played to the question already, where there is nothing to pause.
  await page.getByRole("button", { name: "Pause" }).click({ timeout: 2000 }).catch(() => {});
  assert.equal(await learner.player((player) => player.timer), 0);
  for (let press = 0; press < 150 && await learner.player((player) => player.at < player.limit); press++) await page.locator('[data-lesson="forward"]').click();
  await page.locator('[data-lesson="forward"]').click();
  assert.equal(await learner.player((player) => player.at), end, "the events after the question are not shown");
} };

const reorder = { name: "lessons-reorder", feature: "children are reordered by dragging; misses tell how many leaves are seen, and a skipped question shows a best order", async check(/** @type {any} */ setup) {
  const learner = await openLearner(setup);
  const { page, visitor } = learner;
  await learner.open("03-first-things-first");
  for (let question = 0; question < 3; question++) {
    await learner.answerRight();
    await learner.next();
  }
  const tree = () => learner.player((player) => player.search?.begin.fen);
  assert.equal(await tree(), "[[3,12,8],[2,4,6],[14,5,2]]");
  await learner.check();
  await learner.waitForVerdict(/^Not yet[\s\S]*Alpha-beta looks at 7 of 9 leaves\./);
  /** @param {string} path */
  const center = async (path) => {
    const box = await page.locator(`.search-tree [data-path="${path}"] .shape`).boundingBox();
    assert.ok(box);
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  const [from, to] = [await center("3 3"), await center("3 1")];
  await drag(visitor, from, { x: to.x - 2, y: to.y });
  await waitUntil("the last leaf is first in its node", async () => (await tree()) === "[[3,12,8],[2,4,6],[2,14,5]]");
  await learner.check();
  await learner.waitForVerdict(/^Right\./);
  await learner.close();
  await learner.open("03-first-things-first", 1);
  for (let question = 0; question < 2; question++) {
    await learner.answerRight();
    await learner.next();
  }
  const leaves = await learner.player((player) => player.search.end.counts.last.leaves);
  await page.locator('[data-lesson="skip"]').click();
  await waitUntil("a best order is shown", () => learner.player((player) => player.search?.end.counts.last.leaves === 5));
  return `${leaves} leaves become 5`;
} };

/** Returns what is wrong with the layout of the open lesson. @param {Learner} learner @returns {Promise<string[]>} */
function layoutFaults(learner) {
  return learner.page.evaluate(() => {
    const faults = [];
    const dialog = /** @type {HTMLElement} */ (document.querySelector("dialog.lesson"));
    for (const element of [document.documentElement, dialog, ...dialog.querySelectorAll(".lesson-main, .lesson-question, form, .tree-box")]) {
      if (element.scrollWidth > element.clientWidth + 1) faults.push(`${element.className || element.tagName} scrolls sideways: ${element.scrollWidth} > ${element.clientWidth}`);
    }
    for (const element of dialog.querySelectorAll(".sentence, .lesson-controls button, .lesson-controls input, [data-lesson=close]")) {
      const { left, top, right, bottom, width, height } = element.getBoundingClientRect();
      if (left < 0 || top < 0 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5) faults.push(`${element.className} ${element.getAttribute("data-lesson")} is not in view`);
      if (element.tagName === "BUTTON" && (width < 44 || height < 44)) faults.push(`${element.getAttribute("data-lesson")} has ${width}×${height}`);
    }
    for (const element of dialog.querySelectorAll("fieldset button, fieldset .option, fieldset input.number, form button")) {
      const { height, width } = element.getBoundingClientRect();
      if (width && (height < 43.5 || width < 43.5)) faults.push(`${element.textContent} has ${width}×${height}`);
    }
    for (const element of dialog.querySelectorAll("*")) {
      const text = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim());
      if (!text || !element.getClientRects().length) continue;
      const scale = element instanceof SVGGraphicsElement ? element.getScreenCTM()?.a ?? 1 : 1;
      const size = Number.parseFloat(getComputedStyle(element).fontSize) * scale;
      if (size < 11.95) faults.push(`${element.textContent} has ${size} px`);
      const { left, right } = element.getBoundingClientRect();
      if (element instanceof SVGGraphicsElement && (left < -0.5 || right > innerWidth + 0.5)) faults.push(`${element.textContent} is cut off`);
    }
    return faults;
  });
}

/** The narrow windows. */
const NARROW = [{ width: 390, height: 844 }, { width: 320, height: 568 }];

/** Creates the check of a lesson in narrow windows. @param {string} name */
function narrowCheck(name) {
  return { name: `lessons-at-390-and-320-${name.slice(0, 2)}`, feature: `lesson ${Number(name.slice(0, 2))} at 390 and 320 px: no sideways scroll, sentence and controls in view, text from 12 px, targets of 44 px`, async check(/** @type {any} */ setup) {
    const learner = await openLearner(setup, { ...NARROW[0], touch: true });
    const { page } = learner;
    const assertFits = async (/** @type {string} */ what) => {
      for (const window of NARROW) {
        await page.setViewportSize(window);
        // What is drawn anew is drawn by the second frame.
        await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
        assert.deepEqual(await layoutFaults(learner), [], `${what}, ${window.width} px`);
      }
    };
    let count = 0;
    for (const round of [0, 1, 2]) {
      await learner.open(name, round);
      await goThrough(learner, async () => {
        const place = `${name} ${await learner.place()}`;
        await assertFits(`${place}, asked`);
        await page.locator('[data-lesson="skip"]').click();
        await learner.waitForVerdict(/^Skipped\./);
        await assertFits(`${place}, answered`);
        count++;
      });
      await learner.close();
    }
    return `${count} questions`;
  } };
}

const chanceProbabilities = { name: "chance-probabilities", feature: "edges below a chance node show their probabilities, which add up to 1, and the node the sum so far", async check(/** @type {any} */ setup) {
  const learner = await openLearner(setup);
  const { page } = learner;
  await learner.open("08-the-other-player-is-a-coin");
  let count = 0;
  await goThrough(learner, async () => {
    await page.locator('[data-lesson="skip"]').click();
    await learner.waitForVerdict(/^Skipped\./);
    const nodes = await learner.player((player) => {
      const { search } = player;
      const drawn = (path) => [...document.querySelectorAll(".search-tree [data-path]")].find((one) => one.getAttribute("data-path") === path);
      const at = player.at;
      const found = [...search.places.values()].filter(({ kind }) => kind === "chance").map(({ path, children }) => {
        const chances = children.map((child) => search.place(child).p);
        const sums = search.events.filter(({ e, n, i, sum }) => e === "back" && n === search.nodes.get(path) && i < player.limit && sum !== undefined).map(({ i, sum }) => {
          player.goTo(i);
          return [sum, drawn(path).querySelector(".window")?.textContent ?? ""];
        });
        return { path, chances, isCircle: drawn(path).querySelector("circle.shape") !== null, sums };
      });
      player.goTo(at);
      const labels = [...document.querySelectorAll(".search-tree .way-to text")].map((one) => one.textContent);
      return { found, labels };
    });
    for (const { path, chances, isCircle, sums } of nodes.found) {
      assert.ok(Math.abs(chances.reduce((sum, p) => sum + p, 0) - 1) < 1e-9, `${path}: ${chances}`);
      assert.ok(isCircle, path);
      for (const p of chances) assert.ok(nodes.labels.includes(p === 0.5 ? "½" : String(p)), `${p} is one of ${nodes.labels}`);
      for (const [sum, text] of sums) assert.equal(text, `Σ ${sum}`, path);
      count += sums.length;
    }
  });
  assert.ok(count > 50, `${count} sums are shown`);
  return `${count} sums`;
} };

const scoutAgain = { name: "scout-again", feature: "a child that Scout searches again is marked, has its new window, and shows nothing of the first visit below it", async check(/** @type {any} */ setup) {
  const learner = await openLearner(setup);
  const { page } = learner;
  await learner.open("05-a-cheaper-question");
  for (let question = 0; question < 3; question++) {
    await learner.answerRight();
    await learner.next();
  }
  const node = page.locator('.search-tree [data-path="2"]');
  const leaves = page.locator('.search-tree .leaf.done[data-path^="2 "]');
  assert.equal(await node.locator(".value").textContent(), "≥7");
  assert.deepEqual([await node.locator(".sign").count(), await leaves.count()], [0, 2], "the first visit has seen both leaves");
  await learner.answerRight();
  await waitUntil("the node is marked", async () => (await node.locator(".sign").textContent()) === "↻");
  assert.equal(await node.locator(".window").textContent(), "(5, ∞)");
  assert.equal(await leaves.count(), 0, "the second visit has seen none of them");
  // A null window is shown as its question.
  const [{ i, window }] = await learner.player((player) => player.search.events.filter(({ e, purpose }) => e === "enter" && purpose === "null").slice(-2));
  await learner.player((player, at) => { player.limit = player.search.last; player.goTo(at); }, i);
  await waitUntil("the question is shown", async () => (await page.locator('.search-tree .place.current .window').textContent()) === `> ${window[0]}?`);
} };

const mtdfLadder = { name: "mtdf-ladder", feature: "the ladder of MTD(f) has a rung for every pass that closes in; a wrong rung is a miss, and every pass begins with a new tree", async check(/** @type {any} */ setup) {
  const learner = await openLearner(setup);
  const { page } = learner;
  await learner.open("06-twenty-questions");
  while ((await learner.waitForQuestion()) !== "rungs") {
    await learner.answerRight();
    await learner.next();
  }
  const passes = await learner.player((player) => player.search.events.filter(({ e, why }) => e === "pass" && why === "close-in").map(({ i, test }) => ({ i, test })));
  assert.equal(await page.locator(".lesson .rung").count(), passes.length);
  await learner.check();
  await learner.waitForVerdict(/Choose ≥ or ≤ and type a value for every pass/);
  const ends = await learner.answer();
  await learner.fill([...ends.slice(0, -1), { ...ends.at(-1), bound: "lower" }]);
  await learner.check();
  await learner.waitForVerdict(/^Not yet[\s\S]*Your answer so far: ≥5, ≥7, ≥7\./);
  await learner.fill(ends);
  await learner.check();
  await learner.waitForVerdict(/^Right\.[\s\S]*“at least 0\?”, “more than 5\?” and “more than 7\?”/);
  for (const { i } of passes) {
    await learner.player((player, at) => player.goTo(at), i + 1);
    await waitUntil("the tree is new", async () => (await page.locator(".search-tree .place:not(.unseen)").count()) === 1);
  }
  return `${passes.length} rungs`;
} };

/** Goes to each event of the open question's search, from the start, and returns what `read` finds there. @template T @param {Learner} learner @param {(player: any) => T} read @returns {Promise<T[]>} */
function atEveryEvent(learner, read) {
  return learner.player(`(player) => { const found = []; const { at, limit } = player; player.limit = player.search.last; for (let i = 0; i <= player.search.last; i++) { player.goTo(i); found.push((${read})(player)); } player.limit = limit; player.goTo(at); return found; }`);
}

/** Skips questions until a step and a question are open. @param {Learner} learner @param {string} place the round, the step and the question */
async function skipTo(learner, place) {
  for (let count = 0; (await learner.place()) !== place; count++) {
    assert.ok(count < MAX_QUESTIONS, place);
    await learner.page.locator('[data-lesson="skip"]').click();
    await learner.waitForVerdict(/^Skipped\./);
    await learner.next();
  }
}

const openStripSorted = { name: "open-strip-sorted", feature: "the open list of A* is a strip of boards by f and tie-break, the next one first; while it is asked about, its order tells nothing", async check(/** @type {any} */ setup) {
  const learner = await openLearner(setup);
  const { page } = learner;
  await learner.open("11-a-star-and-the-honest-guess");
  await skipTo(learner, "0 1 0");
  const fens = () => learner.player((player) => [...document.querySelectorAll(".strip .one-state")].map((one) => player.search.state(Number(one.dataset.n)).fen));
  const asked = await fens();
  assert.deepEqual(asked, [...asked].sort());
  assert.equal(await page.locator(".strip [data-f]").count(), 0, "no f is shown");
  await page.locator('[data-lesson="skip"]').click();
  await learner.waitForVerdict(/^Skipped\./);
  const strips = await atEveryEvent(learner, (player) => {
    const next = player.search.events.slice(player.at + 1).find(({ e }) => e === "expand" || e === "open");
    return { fs: [...document.querySelectorAll(".strip .one-state")].map((one) => Number(one.dataset.f)), first: Number(document.querySelector(".strip .one-state")?.dataset.n ?? -1), next: next?.e === "expand" ? next.n : null };
  });
  for (const [at, { fs, first, next }] of strips.entries()) {
    assert.deepEqual(fs, [...fs].sort((one, other) => one - other), `event ${at}`);
    if (next !== null) assert.equal(first, next, `after event ${at} the first one is expanded`);
  }
  const expanded = strips.filter(({ next }) => next !== null).length;
  assert.ok(expanded > 10);
  return `${strips.length} events, ${expanded} before an expansion`;
} };

const idaLadder = { name: "ida-ladder", feature: "IDA*'s bounds are a ladder: a rung a bound, with its states and the least f beyond", async check(/** @type {any} */ setup) {
  const learner = await openLearner(setup);
  await learner.open("12-parity-and-the-ladder");
  await skipTo(learner, "0 3 0");
  const last = await learner.page.locator(".bounds-ladder .bounds-rung").last().innerText();
  assert.match(last, /f ≤ 4[\s\S]*2 states made, turned away: f 6 \(2×\)/);
  const texts = await atEveryEvent(learner, () => [...document.querySelectorAll(".bounds-ladder .bounds-rung")].map((one) => one.textContent));
  assert.ok(texts.every((rungs, at) => rungs.length >= (texts[at - 1]?.length ?? 0)), "no rung goes away");
  assert.equal(texts.at(-1)?.length, 3);
  await learner.page.locator('[data-lesson="skip"]').click();
  await learner.waitForVerdict(/The answer: 6\./);
  const rungs = await atEveryEvent(learner, () => [...document.querySelectorAll(".bounds-ladder .bounds-rung")].map((one) => one.textContent));
  assert.deepEqual(rungs.at(-1), ["f ≤ 42 states made, turned away from f 6 on", "f ≤ 69 states made, turned away from f 8 on", "f ≤ 823 states made, turned away from f 10 on"]);
  return `${rungs.length} events`;
} };

const riverQueue = { name: "river-queue", feature: "river states stand in rings by crossings; the oldest of the queue is expanded next; a known state is named", async check(/** @type {any} */ setup) {
  const learner = await openLearner(setup);
  const { page } = learner;
  await learner.open("10-states-not-paths");
  await skipTo(learner, "0 1 1");
  assert.deepEqual(await page.locator(".ring-states").evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll("[data-n]")].map((one) => Number(one.dataset.n)))), [[0], [1, 2, 3], [4]]);
  assert.deepEqual(await page.locator(".one-state.open, .one-state.current").evaluateAll((states) => states.map((one) => Number(one.dataset.n))), [3, 4]);
  assert.deepEqual((await page.locator("[data-state]").evaluateAll((states) => states.map((one) => Number(one.dataset.state)))).sort(), [3, 4], "the queue can be chosen from");
  assert.match(await page.locator('.one-state[data-n="4"]').getAttribute("aria-label") ?? "", /^state 4: 3 missionaries and 2 cannibals on the left, 0 missionaries and 1 cannibal on the right, the boat on the left$/);
  await learner.answerRight();
  await learner.next();
  await skipTo(learner, "0 2 1");
  await learner.answerRight();
  assert.equal(await page.locator(".one-state.current figcaption").innerText(), "state 5 = state 4");
  await learner.next();
  await skipTo(learner, "0 4 0");
  assert.equal(await page.locator(".ring-states").count(), 12, "eleven crossings have twelve rings");
  assert.equal(await page.locator(".one-state.on-way").count(), 12);
} };

const backwardRings = { name: "backward-rings", feature: "positions settled backwards stand in rings by plies, as many as the events up to the present one have settled", async check(/** @type {any} */ setup) {
  const learner = await openLearner(setup);
  await learner.open("09-backwards-from-the-end");
  await skipTo(learner, "0 3 0");
  const read = () => learner.page.locator(".settled tbody tr").evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => Number(cell.textContent.replace("–", "0")))));
  const all = await read();
  const sum = (/** @type {number[][]} */ rows) => rows.reduce((total, [, one, other]) => total + one + other, 0);
  const settled = await learner.player((player) => player.search.end.counts.all.settled);
  assert.equal(sum(all), settled);
  assert.equal(all.findLast(([, one]) => one > 0)?.[0], await learner.answer());
  assert.deepEqual(all.map(([plies]) => plies), [...all.map(([plies]) => plies)].sort((one, other) => one - other));
  for (const at of [1, 500, 1500]) {
    await learner.player((player, to) => player.goTo(to), at);
    assert.equal(sum(await read()), at, `after event ${at}`);
  }
  return `${settled} positions in ${all.length} rings`;
} };

export const lessonChecks = [...NAMES.map(lessonCheck), ...NAMES.map(accessibleLesson), ...NAMES.map(threeRounds), guessStays, startsAtZero, reorder, scoutAgain, mtdfLadder, chanceProbabilities, openStripSorted, idaLadder, riverQueue, backwardRings, ...NAMES.map(narrowCheck)];
