// Lecture mode: the tree fills the screen, one sentence below, and the next step is the biggest control. Nothing that is answered is stored.

import { h, icon, put } from "/static/dom.js";
import { drawPicture } from "/static/picture.js";
import { sentence } from "/static/stepper.js";
import { legend } from "/static/tree-view.js";

const SPEEDS = [0.25, 0.5, 1, 2, 4];
const MOST_TICKS = 3000; // steps up to which the cuts are marked on the progress bar

/** <lecture-mode>: borrows a tree-view and its stepper, and gives them back. */
class LectureMode extends HTMLElement {
  constructor() {
    super();
    /** @type {any} */
    this.view = null;
    /** @type {any} */
    this.stepper = null;
    this.timer = 0;
    this.speed = 1;
    this.asking = false;
    /** @type {any} */
    this.question = null;
    /** @type {any} */
    this.facts = null;
    /** @type {any} where the tree comes from */
    this.home = null;
    /** @type {any} */
    this.sibling = null;
  }

  /** @param {any} view @param {any} stepper @param {{title: string, names: string[], zeroSum: boolean, chance: boolean, play: (node: number) => string | null, step: number | null}} facts */
  begin(view, stepper, facts) {
    Object.assign(this, { view, stepper, facts, home: view.parentElement, sibling: view.nextSibling });
    this.setAttribute("role", "dialog");
    this.setAttribute("aria-label", "Lecture mode");
    this.sentence = h("p", { class: "lecture-words", role: "status" });
    this.answers = h("div", { class: "lecture-answers" });
    this.count = h("span", { class: "lecture-count" });
    this.bar = h("div", { class: "lecture-bar", "aria-hidden": "true" }, h("i"));
    this.side = h("div", { class: "lecture-side" });
    this.next = h("button", { type: "button", class: "primary lecture-next", onclick: () => this.on() }, "Next step");
    this.play = h("button", { type: "button", class: "quiet", "aria-label": "Run by itself", onclick: () => this.run() }, icon("run"));
    this.pace = h("select", { "aria-label": "Speed", onchange: () => { this.speed = Number(this.pace.value); if (this.timer) { this.run(); this.run(); } } }, SPEEDS.map((speed) => h("option", { value: speed, selected: speed === 1 }, speed < 1 ? `every ${1 / speed} s` : `${speed} a second`)));
    this.asks = h("input", { type: "checkbox", onchange: () => { this.asking = this.asks.checked; } });
    this.stage = h("div", { class: "lecture-stage" });
    const button = (/** @type {string} */ name, /** @type {string} */ words, /** @type {() => void} */ act) => h("button", { type: "button", class: "quiet", "aria-label": words, title: words, onclick: act }, icon(name));
    put(this,
      h("div", { class: "lecture-top" }, document.querySelector(".brand svg")?.cloneNode(true), h("strong", null, "Zermelo"), h("span", { class: "lecture-title" }, facts.title), h("span", { class: "spacer" }), h("label", { class: "switch" }, this.asks, h("span", null, "Ask first")), h("button", { type: "button", class: "quiet", onclick: () => this.leave() }, "Leave lecture ", h("kbd", null, "Esc"))),
      h("div", { class: "lecture-main" }, this.stage, this.side),
      h("div", { class: "lecture-foot" }, this.sentence, this.answers, h("div", { class: "lecture-controls" }, button("first", "To the beginning", () => this.go(0)), button("back", "One step back", () => this.go(this.stepper.at - 1)), this.next, this.play, this.pace, this.bar, this.count)));
    document.body.append(this);
    this.stage.append(view);
    view.lecture = true;
    document.documentElement.classList.add("lecturing");
    this.keys = (/** @type {KeyboardEvent} */ event) => this.pressed(event);
    document.addEventListener("keydown", this.keys, true);
    this.heard = () => this.show();
    stepper.addEventListener("step", this.heard);
    view.addEventListener("select", this.heard);
    requestAnimationFrame(async () => {
      view.fit();
      await this.go(facts.step ?? 0);
      this.ticks();
      this.next.focus();
    });
  }

  leave() {
    clearInterval(this.timer);
    this.timer = 0;
    document.removeEventListener("keydown", /** @type {any} */ (this.keys), true);
    this.stepper.removeEventListener("step", this.heard);
    this.view.removeEventListener("select", this.heard);
    document.documentElement.classList.remove("lecturing");
    this.view.lecture = false;
    this.home.insertBefore(this.view, this.sibling);
    this.view.fit();
    this.remove();
    this.dispatchEvent(new CustomEvent("leave"));
  }

  /** @param {number} step */
  async go(step) {
    this.question = null;
    put(this.answers);
    await this.stepper.go(step);
    this.show();
  }

  /** One step on; where the class is asked first, a question comes before. */
  async on() {
    if (this.stepper.at >= this.stepper.total) return;
    if (this.asking && !this.question) {
      await this.stepper.fetch(this.stepper.at + 1);
      const asked = this.ask(this.stepper.steps[this.stepper.at]);
      if (asked) {
        this.question = asked;
        put(this.sentence, asked.words);
        put(this.answers, asked.choices.map((/** @type {string} */ choice) => h("button", { type: "button", onclick: (/** @type {any} */ event) => event.target.classList.add(choice === asked.right ? "right" : "wrong") }, choice)));
        return;
      }
    }
    await this.go(this.stepper.at + 1);
  }

  /** What can be asked before a step: what is cut, or what becomes of the window. @param {any} step */
  ask(step) {
    const kind = this.view.model.get(step.node)?.k;
    const before = this.stepper.steps[this.stepper.at - 1];
    const next = (/** @type {string} */ right) => ({ words: "What happens next at this node?", choices: ["the next child is searched", "the rest is cut"], right });
    if (step.step === "cutoff") return next("the rest is cut");
    if (before?.step === "child" && before.window && this.view.model.get(step.node)?.p === before.node) return next("the next child is searched");
    if (step.step === "child" && step.window && (kind === "max" || kind === "min")) {
      const place = kind === "max" ? 0 : 1;
      const old = this.stepper.known.get(step.node)?.window?.match(/^\[(.*), (.*)\]$/)?.[place + 1];
      const now = step.window[place];
      const choices = [...new Set([now, old, step.value].filter((each) => each !== undefined && each !== ""))].sort();
      if (choices.length > 1) return { words: `A child is worth ${step.value}. What does ${kind === "max" ? "α" : "β"} become here?`, choices, right: now };
    }
    return null;
  }

  show() {
    const { stepper, view } = this;
    const step = stepper.at > 0 ? stepper.steps[stepper.at - 1] : null;
    if (!this.question) put(this.sentence, step ? marked(step) : "Before the search: only the ends have a value.");
    const seen = stepper.steps.slice(0, stepper.at);
    const leaves = seen.filter((/** @type {any} */ each) => each.step === "leaf").length;
    const cut = seen.reduce((/** @type {number} */ sum, /** @type {any} */ each) => sum + (each.skipped?.length ?? 0), 0);
    put(this.count, `Step ${stepper.at} of ${stepper.total} · ${leaves} ${leaves === 1 ? "leaf" : "leaves"} seen, ${cut} cut`);
    /** @type {any} */ (this.bar.firstElementChild).style.width = `${(100 * stepper.at) / Math.max(1, stepper.total)}%`;
    this.next.disabled = stepper.at >= stepper.total;
    const node = view.model.get(view.selected);
    const address = node ? this.facts.play(node.i) : null;
    put(this.side, node?.b ? drawPicture(node.b, { label: "The position at this node" }) : null, node ? h("p", { class: "lecture-node" }, node.a ? `After ${node.a}` : "The root", node.y ? `, ${node.y} to move` : "") : null, address ? h("p", null, h("a", { href: address, onclick: () => this.leave() }, "Play from here")) : null, legend(this.facts.names, this.facts.zeroSum, this.facts.chance), h("p", { class: "lecture-cut" }, h("span", { "aria-hidden": "true" }, "//"), " cut, not searched"));
  }

  /** Ticks on the progress bar mark the cuts. */
  async ticks() {
    if (this.stepper.total > MOST_TICKS) return;
    await this.stepper.fetch(this.stepper.total);
    this.stepper.steps.forEach((/** @type {any} */ step, /** @type {number} */ index) => {
      if (step.step !== "cutoff") return;
      const tick = h("b");
      tick.style.left = `${(100 * (index + 1)) / this.stepper.total}%`;
      this.bar.append(tick);
    });
  }

  run() {
    if (this.timer) {
      clearInterval(this.timer);
      this.timer = 0;
    } else this.timer = setInterval(() => (this.stepper.at >= this.stepper.total ? this.run() : this.go(this.stepper.at + 1)), 1000 / this.speed);
    put(this.play, icon(this.timer ? "pause" : "run"));
    this.play.setAttribute("aria-label", this.timer ? "Pause" : "Run by itself");
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(SELECT|INPUT)$/.test(/** @type {any} */ (event.target).tagName) && event.key !== "Escape") return;
    if (event.key === " " && /** @type {any} */ (event.target).tagName === "BUTTON" && event.target !== this.next) return;
    const acts = /** @type {Record<string, () => void>} */ ({ ArrowRight: () => this.on(), " ": () => this.on(), ArrowLeft: () => this.go(this.stepper.at - 1), Home: () => this.go(0), End: () => this.go(this.stepper.total), Escape: () => this.leave(), p: () => this.run() });
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }
}

/** The sentence of a step; a cut stands out. @param {any} step */
function marked(step) {
  const words = sentence(step.words);
  return step.step === "cutoff" ? [h("b", { class: "lecture-now" }, "Cut: "), words] : [words];
}

customElements.define("lecture-mode", LectureMode);
