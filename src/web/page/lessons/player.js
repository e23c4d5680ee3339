// Plays a lesson in a dialog that fills the window: its sentences, the tree of the search after an event, and the questions.
// A lesson is data; all answers come from the events of the engine.

import { html, setAttributes, setShown, setText } from "../dom.js";
import { glyph } from "../glyphs.js";
import { translated } from "../language.js";
import { addDialog, leaveDialog } from "../page_history.js";
import { LESSON_LABELS, VERDICTS, choiceText, eventText, givenHint, notAskedText, seenText, soFarText, stepText, verdictText } from "../text/lessons.js";
import { CountsPicture } from "./counts_picture.js";
import { createForm } from "./answer_forms.js";
import { BoardPictures } from "./board_pictures.js";
import { PuzzleView } from "./puzzle_view.js";
import { createLessonDialog } from "./lesson_dialog.js";
import { LEGENDS } from "./legends.js";
import { countAnswer, finishRound, totalsOf } from "./progress.js";
import { answerWords, askedAt, besideMaterials, hintText, isRight, isToldByEvent, kindOf, markedPlace, promptText } from "./questions.js";
import { bestOrder, loadBeside, loadEvaluation, loadPerft, loadSearch } from "./searches.js";
import { SearchTreeView } from "./search_tree_view.js";
import { newTerms, setTermText, withTerms } from "./terms.js";

/** @import { PuzzleSearch } from "./puzzle_search.js" */
/** @import { AnswerForm } from "./answer_forms.js" */
/** @import { Question } from "./questions.js" */
/** @import { Material } from "./searches.js" */
/** @import { SearchEvents } from "./trace_events.js" */

/**
 * A step of a lesson. `boards` and `moves`: whether the boards after each move are shown, or the moves of a node; `order`: those of the root. `replay`: whether all
 * events but the last can be seen at once. `picture` is what is drawn in
 * place of the tree: the position of the event, or counts.
 * @typedef {{ sentence: string, material: Material, questions: Question[], note?: string, boards?: boolean, moves?: boolean, order?: boolean, replay?: boolean, picture?: string, switch?: string }} Step
 */
/** @typedef {{ title: string, goal: string, algorithm: string, rounds: Step[][], legend?: keyof typeof LEGENDS }} Lesson */

/** Misses after which a hint is shown, and after which the answer is. */
const HINT_MISSES = 2;
const MAX_MISSES = 3;
const EVENTS_PER_SECOND = 2;
/** What the view of puzzles draws. */
const PUZZLE_PICTURES = ["tiles", "strip", "rings", "ladder", "settled"];
/** Where the axis of counts ends while one of them is asked about: a power of ten above all of them. */
const ASKED_AXIS_END = 1e7;
/** Height of the tree where the page scrolls, in pixels. */
const NARROW_TREE_PX = 280;

export class LessonPlayer {
  /** @param {string} name the name of the lesson's file, without its extension @param {Lesson} lesson @param {() => void} onClose */
  constructor(name, lesson, onClose) {
    this.name = name;
    this.lesson = lesson;
    this.round = 0;
    this.step = 0;
    this.question = 0;
    /** The number of the last event that is shown, and of the last one that can be shown. */
    this.at = 0;
    this.limit = 0;
    /** @type {SearchEvents | null} */
    this.search = null;
    /** @type {AnswerForm | null} */
    this.form = null;
    /** The answers so far, in words, and as the form gives them. @type {string[]} */
    this.guesses = [];
    /** @type {any[]} */
    this.rawGuesses = [];
    this.misses = 0;
    this.isAnswered = false;
    /** The seeds of the generated trees of this round, by step. @type {number[]} */
    this.seeds = [];
    /** Counts the requests, so that a late answer of the engine is ignored. */
    this.request = 0;
    this.timer = 0;
    /** The words of each sentence that open the glossary, by round and step: those that no sentence before has. */
    this.terms = lesson.rounds.map((_, round) => newTerms(lesson.rounds.slice(0, round + 1).flat().map(({ sentence }) => translated(sentence))).slice(-lesson.rounds[round].length));
    /** The same for the sentences of the events. @type {{ search: SearchEvents | null, terms: Set<string>[] }} */
    this.eventTerms = { search: null, terms: [] };
    this.view = new SearchTreeView();
    this.pictures = new BoardPictures();
    this.counts = new CountsPicture();
    this.puzzle = new PuzzleView();
    this.parts = this.createParts(onClose);
  }

  /** @param {() => void} onClose */
  createParts(onClose) {
    const parts = createLessonDialog(translated(this.lesson.title), LEGENDS[this.lesson.legend ?? "tree"], { tree: [this.view.element, this.counts.element, this.puzzle.element, this.pictures.board], question: [this.pictures.row] }, {
      close: () => this.parts.dialog.close(),
      openRound: (round) => void this.openRound(round),
      check: () => this.check(),
      skip: () => this.finish("skipped"),
      advance: () => void this.advance(),
      flipSwitch: () => void this.flipSwitch(),
      goTo: (at) => this.goTo(at),
      stepBy: (direction) => this.stepBy(direction),
      togglePlay: () => this.togglePlay(),
    });
    const { dialog, main } = parts;
    const onBack = () => dialog.close();
    addEventListener("popstate", onBack);
    const observer = new ResizeObserver(() => this.draw());
    observer.observe(main);
    dialog.addEventListener("close", () => {
      removeEventListener("popstate", onBack);
      observer.disconnect();
      clearInterval(this.timer);
      this.request++;
      dialog.remove();
      leaveDialog();
      onClose();
    });
    return parts;
  }

  /** Opens the dialog with a round. @param {number} round from 0 */
  async open(round = 0) {
    document.body.append(this.parts.dialog);
    this.parts.dialog.showModal();
    addDialog();
    await this.openRound(round);
  }

  /** @param {number} round */
  async openRound(round) {
    this.round = round;
    this.seeds = this.steps.map(() => Math.floor(Math.random() * 2 ** 31));
    await this.openStep(0);
  }

  get steps() {
    return this.lesson.rounds[this.round];
  }

  get currentStep() {
    return this.steps[this.step];
  }

  get currentQuestion() {
    return this.currentStep.questions[this.question];
  }

  /** @param {number} step */
  async openStep(step) {
    this.step = step;
    this.parts.answered.replaceChildren();
    setShown(this.parts.form, true);
    this.setSentence(translated(this.currentStep.sentence), this.terms[this.round][step]);
    setText(this.parts.stepLine, stepText(step, this.steps.length));
    setText(this.parts.note, translated(this.currentStep.note ?? ""));
    setShown(this.parts.note, Boolean(this.currentStep.note));
    this.parts.roundButtons.forEach((button, at) => setAttributes(button, { "aria-pressed": String(at === this.round) }));
    await this.openQuestion(0);
  }

  /** Shows the sentence of a step. `^` begins an exponent, up to the next blank. @param {string} text @param {Set<string>} terms */
  setSentence(text, terms) {
    /** @param {Node} node @returns {(Node | string)[]} */
    const withExponents = (node) => (node instanceof Text ? node.data.split(/(\^\S+)/).filter(Boolean).map((part) => (part.startsWith("^") ? html("sup", {}, part.slice(1)) : part)) : [node]);
    this.parts.sentence.replaceChildren(...withTerms(text, terms).flatMap((node) => withExponents(node)));
  }

  /** Shows the sentence of the last event that has one. @param {SearchEvents} search */
  drawEvent(search) {
    if (this.eventTerms.search !== search) this.eventTerms = { search, terms: newTerms(search.events.map((event) => search.sentence(event))) };
    const event = search.events.slice(0, this.at + 1).findLast(({ text }) => text) ?? search.begin;
    if (!this.isAnswered && this.at === this.limit && isToldByEvent(this.currentQuestion)) return setText(this.parts.eventLine, eventText(this.at, search.last, null));
    setTermText(this.parts.eventLine, eventText(this.at, search.last, search.sentence(event)), this.eventTerms.terms[event.i]);
  }

  /** @param {number} question */
  async openQuestion(question) {
    this.question = question;
    this.guesses = [];
    this.rawGuesses = [];
    this.misses = 0;
    this.isAnswered = false;
    this.parts.main.scrollTop = 0;
    this.stopPlaying();
    const before = question > 0 ? this.search : null;
    this.form = null;
    this.search = /** @type {SearchEvents | null} */ (null);
    this.parts.fields.replaceChildren();
    this.parts.feedback.replaceChildren();
    for (const element of [this.parts.switchRow, this.parts.nextButton]) setShown(element, false);
    for (const element of [this.parts.checkButton, this.parts.skipButton]) setShown(element, true);
    setText(this.parts.prompt, LESSON_LABELS.loading);
    if (!await this.load(this.currentQuestion)) return;
    const search = /** @type {SearchEvents} */ (this.search);
    // What earlier questions of the step have shown stays visible.
    this.at = Math.max(askedAt(search, this.currentQuestion), search === before ? this.limit : 0);
    this.limit = this.currentQuestion.ask === "order" ? search.last : this.currentStep.replay ? search.last - 1 : this.at;
    setText(this.parts.prompt, promptText(search, this.currentQuestion));
    this.createForm();
    await this.pictures.show(this.currentStep, search, this.currentQuestion);
    this.draw();
    // On a phone, a focused field would open the keyboard in front of the tree.
    if (matchMedia("(pointer: fine)").matches) /** @type {HTMLElement | null} */ (this.parts.fields.querySelector("input, button"))?.focus({ preventScroll: true });
  }

  /** Loads the search of a question. Returns `false` if another one was opened meanwhile, or if the engine has failed. @param {Question} question @param {Partial<Material>} [changes] */
  async load(question, changes = {}) {
    const request = ++this.request;
    const material = { algorithm: this.lesson.algorithm, ...this.currentStep.material, ...(question.tree ? { tree: question.tree, generate: undefined } : {}), ...(question.cutOn ? { cutOn: question.cutOn } : {}), ...question.search, ...changes };
    try {
      const search = await loadSearch(material, this.seeds[this.step]);
      search.beside = await loadBeside(besideMaterials(search, question));
      if (question.perft) search.perft = await loadPerft(search, question.perft);
      if (kindOf(question).evaluates) search.terms = await loadEvaluation(search);
      if (request !== this.request) return false;
      this.search = search;
      return true;
    } catch (error) {
      if (request === this.request) setText(this.parts.prompt, notAskedText(/** @type {Error} */ (error).message));
      return false;
    }
  }

  createForm() {
    const search = /** @type {SearchEvents} */ (this.search);
    const kind = kindOf(this.currentQuestion);
    this.form = createForm(kind.form, {
      search, question: this.currentQuestion, options: kind.options?.(search, this.currentQuestion) ?? [], labelId: "lesson-prompt",
      scale: kind.scale?.(search, this.currentQuestion) ?? { min: 0, max: 0, unit: "" },
      optionText: (word) => kind.optionText?.(word, search, this.currentQuestion) ?? choiceText(word),
      onChange: () => this.draw(),
      onReorder: (tree) => void this.reorder(tree),
    });
    this.parts.fields.replaceChildren(this.form.element);
    this.parts.fields.toggleAttribute("disabled", false);
  }

  /** Searches a reordered tree. @param {string} tree */
  async reorder(tree) {
    if (this.isAnswered || !await this.load(this.currentQuestion, { tree, generate: undefined })) return;
    this.at = 0;
    this.limit = /** @type {SearchEvents} */ (this.search).last;
    this.createForm();
    this.draw();
  }

  /** Marks the answer in the form. */
  check() {
    const { form, search } = this;
    if (!form || !search || this.isAnswered) return;
    const answer = form.read();
    if ("error" in answer) return this.say("miss", answer.error);
    const question = this.currentQuestion;
    this.guesses.push(answerWords(answer.guess, search, question));
    this.rawGuesses.push(answer.guess);
    if (isRight(answer.guess, search, question)) return this.finish(this.misses >= HINT_MISSES ? "hinted" : "right");
    this.misses++;
    this.draw();
    if (this.misses >= MAX_MISSES) return this.finish("wrong");
    const isHinted = this.misses >= HINT_MISSES;
    this.say("miss", isHinted ? VERDICTS.hinted : VERDICTS.miss, question.ask === "order" ? seenText(answer.guess, search.leaves().length) : "", isHinted ? givenHint(hintText(search, question)) : "", verdictText(this.guesses, "", "open"));
  }

  /** Shows a verdict, and lines below it. @param {string} kind @param {...string} lines */
  say(kind, ...lines) {
    this.parts.feedback.replaceChildren(...lines.filter(Boolean).map((line) => html("p", { class: `verdict ${kind}` }, line)));
    this.parts.feedback.scrollIntoView({ block: "nearest" });
  }

  /** Ends the question: counts the result, and shows the answer and why. @param {"right" | "hinted" | "wrong" | "skipped"} outcome */
  finish(outcome) {
    const { search } = this;
    if (!search || this.isAnswered) return;
    const question = this.currentQuestion;
    const kind = kindOf(question);
    this.isAnswered = true;
    countAnswer(this.name, question.ask, outcome);
    const result = outcome === "hinted" ? "right" : outcome;
    const answer = answerWords(kind.answer(search, question), search, question);
    this.parts.fields.toggleAttribute("disabled", true);
    this.at = kind.shown(search, question);
    this.limit = this.at;
    this.say(result, VERDICTS[result], verdictText(this.guesses, answer, result), kind.why(search, question));
    for (const element of [this.parts.checkButton, this.parts.skipButton]) setShown(element, false);
    setShown(this.parts.nextButton, true);
    const isLast = this.question === this.currentStep.questions.length - 1;
    setShown(this.parts.switchRow, isLast && this.currentStep.switch !== undefined);
    this.parts.switchInput.checked = question.cutOn === "worse";
    this.draw();
    this.parts.nextButton.focus({ preventScroll: true });
    this.parts.nextButton.scrollIntoView({ block: "nearest" });
    if (question.ask === "order" && result !== "right") void this.showBestOrder();
  }

  /** Shows an order in which the fewest leaves are seen. */
  async showBestOrder() {
    if (!await this.load(this.currentQuestion, { tree: bestOrder(/** @type {SearchEvents} */ (this.search).begin.fen), generate: undefined })) return;
    this.createForm();
    this.parts.fields.toggleAttribute("disabled", true);
    this.goTo(this.limit = /** @type {SearchEvents} */ (this.search).last);
  }

  /** Searches again with the other condition of a cutoff, and shows the end of that search. */
  async flipSwitch() {
    if (!await this.load(this.currentQuestion, { cutOn: this.parts.switchInput.checked ? "worse" : "equal" })) return;
    const search = /** @type {SearchEvents} */ (this.search);
    this.say("right", seenText(search.end.counts.last.leaves, search.leaves().length));
    this.goTo(this.limit = search.last);
  }

  /** Keeps the answered question in the list, and goes on: to the next question, step, or the end of the round. */
  async advance() {
    this.parts.answered.append(html("li", {}, html("b", {}, this.parts.prompt.textContent), ...[...this.parts.feedback.children].slice(0, 2).map((line) => html("span", { class: line.className }, ` ${line.textContent}`))));
    if (this.question + 1 < this.currentStep.questions.length) return this.openQuestion(this.question + 1);
    if (this.step + 1 < this.steps.length) return this.openStep(this.step + 1);
    finishRound(this.name, this.round);
    this.showEnd();
  }

  showEnd() {
    const isLast = this.round === this.lesson.rounds.length - 1;
    const next = html("button.main", { type: "button", "data-lesson": "next-round", onclick: () => (isLast ? this.parts.dialog.close() : void this.openRound(this.round + 1)) }, isLast ? LESSON_LABELS.finish : LESSON_LABELS.nextRound);
    const again = this.round > 0 && html("button", { type: "button", onclick: () => void this.openRound(this.round) }, LESSON_LABELS.again);
    setShown(this.parts.form, false);
    this.parts.answered.append(html("li.round-end", {}, html("b", {}, LESSON_LABELS.answered), html("span", {}, ` ${soFarText(totalsOf(this.name))}`), html("div.row", {}, next, again)));
    this.draw();
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: "nearest" });
  }

  /** Shows the tree after an event, at most the last one that may be shown. @param {number} at */
  goTo(at) {
    this.at = Math.max(0, Math.min(this.limit, at));
    this.draw();
  }

  /** Goes to the next or previous event that has a sentence. @param {1 | -1} direction */
  stepBy(direction) {
    const events = this.search?.events ?? [];
    let at = this.at + direction;
    while (at > 0 && at < this.limit && !this.search?.texts.has(events[at])) at += direction;
    this.goTo(at);
  }

  togglePlay() {
    if (this.timer) return this.stopPlaying();
    if (this.at >= this.limit) this.goTo(0);
    this.timer = window.setInterval(() => {
      this.stepBy(1);
      if (this.at >= this.limit) this.stopPlaying();
    }, 1000 / EVENTS_PER_SECOND);
    this.drawPlayButton();
  }

  stopPlaying() {
    clearInterval(this.timer);
    this.timer = 0;
    this.drawPlayButton();
  }

  drawPlayButton() {
    const label = this.timer ? LESSON_LABELS.pause : LESSON_LABELS.play;
    if (this.parts.playButton.getAttribute("aria-label") === label) return;
    setAttributes(this.parts.playButton, { "aria-label": label, title: label });
    this.parts.playButton.replaceChildren(glyph(this.timer ? "pause" : "play"));
  }

  /** Draws the tree, and the state of the controls. */
  draw() {
    const { search, form } = this;
    if (!search || !this.parts.dialog.open) return;
    const picture = this.currentStep.moves ? "board" : this.currentQuestion.picture ?? this.currentStep.picture ?? "tree";
    const isPuzzle = PUZZLE_PICTURES.includes(picture);
    setShown(this.parts.naming, search.isTree);
    setShown(this.view.element, picture === "tree");
    setShown(this.counts.element, picture === "counts");
    setShown(this.puzzle.element, isPuzzle);
    setShown(this.parts.legend, picture === "tree" || picture === "board");
    setAttributes(this.parts.scrubber, { max: Math.max(1, this.limit), disabled: this.limit === 0 });
    this.parts.scrubber.value = String(this.at);
    this.drawEvent(search);
    if (picture === "board") return void this.pictures.follow(search, this.at, this.currentStep, this.currentQuestion, form?.chosenMove?.() ?? null);
    if (picture === "counts") return this.drawCounts(search);
    if (isPuzzle) return this.puzzle.render({ search: /** @type {PuzzleSearch} */ (search), at: this.at, picture, question: this.currentQuestion, isAsked: !this.isAnswered });
    const isNarrow = matchMedia("(max-width: 1000px)").matches;
    const picks = !this.isAnswered && form?.pick ? form.pick : null;
    this.view.render({
      search, at: this.at, marked: markedPlace(search, this.currentQuestion),
      chosen: form?.chosen?.() ?? new Set(), struck: form?.struck?.() ?? new Set(),
      isAsked: !this.isAnswered, showsWindows: !["minimax", "expectimax"].includes(search.begin.algorithm), onPick: picks, canPick: form?.canPick ?? null,
      onDrag: this.isAnswered ? null : form?.drag ?? null,
    }, this.parts.treeBox.clientWidth, isNarrow ? NARROW_TREE_PX : this.parts.treeBox.clientHeight);
  }
  /** Draws the counts of a question, with the guesses and, once it is answered, the answer. @param {SearchEvents} search */
  drawCounts(search) {
    const kind = kindOf(this.currentQuestion);
    const rows = kind.rows?.(search, this.currentQuestion, { isAnswered: this.isAnswered, guesses: this.rawGuesses }) ?? [];
    setText(this.parts.eventLine, "");
    const max = kind.form === "dot" ? kind.scale?.(search, this.currentQuestion).max : rows.some(({ value }) => value === null) ? ASKED_AXIS_END : 0;
    this.counts.render(rows, this.parts.treeBox.clientWidth, max);
  }
}
