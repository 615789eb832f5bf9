// Step by step through a search: forward, back, at a chosen speed; what is known at each step is worked out here from the steps themselves.

import { channel } from "/static/channel.js";
import { announce, h, icon, put, toast } from "/static/dom.js";

const PAGE = 400; // steps asked for at once
const SPEEDS = [0.5, 1, 2, 4, 8, 16, 32];

/** <search-stepper>: belongs to one tree-view. */
class SearchStepper extends HTMLElement {
  constructor() {
    super();
    /** @type {any} */
    this.view = null;
    this.lab = "";
    this.total = 0;
    this.at = 0; // steps done
    /** @type {any[]} */
    this.steps = [];
    /** @type {Array<Array<[number, any]>>} what each step has changed, for the way back */
    this.changes = [];
    /** @type {Map<number, any>} */
    this.known = new Map();
    this.timer = 0;
    this.speed = 2;
    this.visited = 0;
    this.busy = false;
  }

  connectedCallback() {
    if (this.words) return;
    this.hidden = true;  // until there is a search to step through
    const button = (/** @type {string} */ name, /** @type {string} */ words, /** @type {() => void} */ act, kind = "") => h("button", { type: "button", class: `quiet ${kind}`, "aria-label": words, title: words, onclick: act }, icon(name));
    this.words = h("p", { class: "step-words", role: "status" });
    this.count = h("p", { class: "soft step-count" });
    this.range = h("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "Step", oninput: () => this.go(Number(this.range.value)) });
    this.playing = h("button", { type: "button", class: "primary step-play", onclick: () => (this.timer ? this.pause() : this.play()) });
    this.sign();
    this.pace = h("input", { type: "range", min: 0, max: SPEEDS.length - 1, value: 2, "aria-label": "Speed", oninput: () => { this.speed = SPEEDS[Number(this.pace.value)]; put(this.paceWords, `${this.speed} steps a second`); if (this.timer) { this.pause(); this.play(); } } });
    this.paceWords = h("span", { class: "soft" }, "2 steps a second");
    put(this, this.words,
      h("div", { class: "step-row" }, button("first", "To the beginning", () => this.go(0), "step-first"), button("back", "One step back", () => this.go(this.at - 1), "step-back"), this.playing, button("on", "One step on", () => this.go(this.at + 1), "step-on"), button("last", "To the end", () => this.go(this.total), "step-last"), h("button", { type: "button", class: "step-cut", onclick: () => this.nextCut() }, "Next cut"), this.range),
      h("div", { class: "step-row" }, this.count, h("span", { class: "spacer" }), h("label", { class: "speed" }, h("span", { class: "soft" }, "Speed"), this.pace, this.paceWords)));
  }

  /** What the button for running by itself does now. */
  sign() {
    put(this.playing, icon(this.timer ? "pause" : "run"), this.timer ? "Pause" : "Play");
  }

  /** @param {any} view @param {string} lab @param {number} total */
  load(view, lab, total) {
    this.pause();
    Object.assign(this, { view, lab, total, at: total, steps: [], changes: [], visited: 0 });
    this.known = new Map();
    this.started = false;
    this.range.max = String(total);
    this.range.value = String(total);
    this.hidden = total === 0;
    put(this.words, "The whole search is shown. Go to the beginning and step through it.");
    put(this.count, `${total.toLocaleString("en")} steps`);
  }

  /** Steps up to a number are there. @param {number} wanted */
  async fetch(wanted) {
    while (this.steps.length < wanted) {
      const page = await channel.ask("tree.steps", { lab: this.lab, from: this.steps.length, count: PAGE });
      if (!page.steps.length) return;
      this.view.model.add(page.nodes, false);
      this.steps.push(...page.steps);
    }
  }

  /** @param {number} wanted */
  async go(wanted) {
    wanted = Math.max(0, Math.min(this.total, wanted));
    if (this.busy) return;
    this.busy = true;
    try {
      await this.fetch(Math.min(this.total, wanted + 1));
      if (!this.started) {
        this.started = true;
        this.at = 0;
      }
      while (this.at < wanted && this.at < this.steps.length) this.forward(this.steps[this.at++]);
      while (this.at > wanted) this.back(this.steps[--this.at]);
      this.show();
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
      this.pause();
    } finally {
      this.busy = false;
    }
  }

  /** @param {any} step */
  forward(step) {
    /** @type {Array<[number, any]>} */
    const before = [];
    const change = (/** @type {number} */ node, /** @type {any} */ fields) => {
      before.push([node, this.known.get(node)]);
      this.known.set(node, { ...this.known.get(node), ...fields });
    };
    const window = step.window ? `[${step.window[0]}, ${step.window[1]}]` : undefined;
    if (step.step === "enter") {
      this.visited += 1;
      change(step.node, { status: "entered", value: "", window: window ?? "" });
    } else if (step.step === "leaf") change(step.node, { status: "done", value: step.value });
    else if (step.step === "child") change(step.node, { value: step.value, ...(window ? { window } : {}) });
    else if (step.step === "cutoff") {
      change(step.node, { note: { alpha: "α-cut", beta: "β-cut", sum: "sum-cut" }[/** @type {"alpha"} */ (step.reason)] });
      for (const child of step.skipped ?? []) change(child, { status: "pruned", value: "", cut: true });
    } else if (step.step === "leave") change(step.node, { status: "done", value: step.value });
    this.changes.push(before);
  }

  /** @param {any} step */
  back(step) {
    if (step.step === "enter") this.visited -= 1;
    for (const [node, state] of (this.changes.pop() ?? []).reverse()) {
      if (state === undefined) this.known.delete(node);
      else this.known.set(node, state);
    }
  }

  show() {
    const step = this.at > 0 ? this.steps[this.at - 1] : null;
    this.view.known = this.at >= this.total ? null : this.known;
    this.view.current = step ? step.node : -1;
    if (step) {
      this.view.selected = step.node;
      this.view.show(step.node);
    }
    this.view.draw();
    this.range.value = String(this.at);
    const words = step ? sentence(step.words) : "Before the search: only the ends have a value.";
    put(this.words, step ? h("b", { class: `step-kind ${step.step}` }, { enter: "enter", leaf: "value", child: "back up", cutoff: "cut", leave: "done" }[/** @type {"enter"} */ (step.step)]) : null, " ", words);
    if (!this.timer) announce(words);
    put(this.count, `Step ${this.at.toLocaleString("en")} of ${this.total.toLocaleString("en")} · ${this.visited.toLocaleString("en")} nodes visited`);
    this.dispatchEvent(new CustomEvent("step", { detail: { at: this.at, visited: this.visited } }));
  }

  async nextCut() {
    this.pause();
    if (!this.started || this.at >= this.total) await this.go(0);
    for (let number = this.at; number < this.total; number += 1) {
      await this.fetch(number + 1);
      if (this.steps[number].step === "cutoff") {
        await this.go(number + 1);
        return;
      }
    }
    toast("There is no further cut in this search.", "news");
  }

  async play() {
    if (this.at >= this.total || !this.started) await this.go(0);
    this.timer = setInterval(() => {
      if (this.at >= this.total) this.pause();
      else this.go(this.at + 1);
    }, 1000 / this.speed);
    this.sign();
  }

  pause() {
    clearInterval(this.timer);
    this.timer = 0;
    this.sign();
  }

  disconnectedCallback() {
    clearInterval(this.timer);
  }
}

/** The words of a step, closed as a sentence. @param {string} words */
export const sentence = (words) => (/[.!?…]$/.test(words) ? words : `${words}.`);

customElements.define("search-stepper", SearchStepper);
