// Exercises: one question at a time, with one right answer; nothing that is answered is kept.

import { channel } from "/static/channel.js";
import { announce, figure, h, put, select } from "/static/dom.js";
import "/static/tree-view.js";

const KINDS = /** @type {Array<[string, string]>} */ ([["minimax", "minimax values"], ["cutoffs", "cut-offs"], ["expectimax", "expected values"], ["induction", "backward induction"], ["mixed", "a mixed equilibrium"]]);
const LEVELS = /** @type {Array<[string, string]>} */ ([["1", "first steps"], ["2", "larger"], ["3", "hard"]]);
const HINTS = /** @type {Record<string, string>} */ ({ value: "a number, such as −2 or 3/4", move: "a letter", leaves: "letters in order, such as C E F", moves: "letters in order", payoffs: "two numbers", rows: "fractions, such as 1/3 2/3", columns: "fractions, such as 1/4 3/4" });

class ExercisesPage extends HTMLElement {
  constructor() {
    super();
    this.kind = "minimax";
    this.level = "1";
    this.seed = 1;
    /** @type {any} */
    this.made = null;
    /** @type {Record<string, any>} */
    this.fields = {};
  }

  connectedCallback() {
    this.heading = h("h1", null, "Exercises");
    this.kinds = select("Kind", KINDS, this.kind, (value) => this.to(value, this.level, this.seed));
    this.levels = select("Difficulty", LEVELS, this.level, (value) => this.to(this.kind, value, this.seed));
    this.number = h("input", { type: "number", min: 0, max: 1000000, value: 1, onchange: () => this.to(this.kind, this.level, Number(this.number.value) || 1) });
    this.question = h("p", { class: "why-words" });
    this.view = /** @type {any} */ (h("tree-view", { label: "The tree of the exercise" }));
    this.view.lecture = true;
    this.table = h("div");
    this.form = h("form", { class: "exercise-form", onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); this.judge(false); } });
    this.verdict = h("p", { class: "verdict", role: "status" });
    put(this, h("div", { class: "page-head" }, this.heading, this.kinds, this.levels, h("label", { class: "field small" }, h("span", null, "Number"), this.number), h("button", { type: "button", onclick: () => this.to(this.kind, this.level, this.seed + 1) }, "Another one")),
      this.question, h("div", { class: "exercise-picture" }, this.view, this.table), this.form, this.verdict,
      h("p", { class: "soft" }, "As a sheet to print, with solutions: ", h("code", { class: "sheet-command" })));
  }

  /** @param {string} kind @param {string} level @param {number} seed */
  to(kind, level, seed) {
    location.hash = `#/exercises?kind=${kind}&level=${level}&seed=${seed}`;
  }

  /** @param {URLSearchParams} parameters */
  async route(parameters) {
    this.kind = parameters.get("kind") ?? "minimax";
    this.level = parameters.get("level") ?? "1";
    this.seed = Math.max(0, Math.round(Number(parameters.get("seed") ?? 1)) || 0);
    const wanted = { kind: this.kind, level: Number(this.level), seed: this.seed };
    /** @type {any} */ (this.kinds?.querySelector("select")).value = this.kind;
    /** @type {any} */ (this.levels?.querySelector("select")).value = this.level;
    this.number.value = String(this.seed);
    put(/** @type {any} */ (this.querySelector(".sheet-command")), `zermelo exercise ${this.kind} --level ${this.level} --seed ${this.seed} --count 6 --sheet sheet.html`);
    put(this.verdict);
    try {
      const made = await channel.ask("exercise.make", wanted);
      if (wanted.seed !== this.seed || wanted.kind !== this.kind || String(wanted.level) !== this.level) return;
      this.show(made);
    } catch (error) {
      put(this.heading, "Exercises");
      put(this.question, h("span", { class: "problem" }, /** @type {Error} */ (error).message));
      put(this.form);
      put(this.table);
      this.view.hidden = true;
    }
  }

  /** @param {any} made */
  show(made) {
    this.made = made;
    put(this.heading, made.title);
    put(this.question, made.question);
    this.view.hidden = !made.nodes;
    if (made.nodes) this.view.load(made.nodes);
    put(this.table, made.table ? h("table", { class: "payoffs exercise-table" }, h("thead", null, h("tr", null, h("td", null, h("span", { class: "soft" }, "row ↓  column →")), made.table[0].map((/** @type {any} */ _, /** @type {number} */ column) => h("th", { scope: "col" }, String(column + 1))))), h("tbody", null, made.table.map((/** @type {number[][]} */ row, /** @type {number} */ number) => h("tr", null, h("th", { scope: "row" }, String(number + 1)), row.map((cell) => h("td", null, cell.map((each) => figure(each)).join(", "))))))) : null);
    const fields = Object.fromEntries(made.fields.map((/** @type {string} */ name) => [name, h("input", { type: "text", autocomplete: "off", placeholder: HINTS[name] ?? "", size: 24 })]));
    this.fields = fields;
    put(this.form, made.fields.map((/** @type {string} */ name) => h("label", { class: "field" }, h("span", null, name), fields[name])), h("button", { type: "submit", class: "primary" }, "Check"), h("button", { type: "button", onclick: () => this.judge(true) }, "Show the solution"));
  }

  /** @param {boolean} tell */
  async judge(tell) {
    const answers = Object.fromEntries(Object.entries(this.fields).map(([name, field]) => [name, /** @type {any} */ (field).value]));
    const found = await channel.ask("exercise.judge", { kind: this.kind, level: Number(this.level), seed: this.seed, answers, tell });
    for (const [name, right] of Object.entries(found.right)) {
      const field = /** @type {any} */ (this.fields[name]);
      field.classList.toggle("right", right);
      field.classList.toggle("wrong", !right && Boolean(field.value));
      field.setAttribute("aria-invalid", String(!right));
    }
    const all = Object.values(found.right).every(Boolean);
    const words = all ? `Right. ${found.solution}` : tell ? found.solution : "Not yet: look again at what is marked.";
    put(this.verdict, h("b", { class: all ? "is-right" : "" }, all ? "✓ " : ""), words);
    announce(words);
  }
}

customElements.define("exercises-page", ExercisesPage);
