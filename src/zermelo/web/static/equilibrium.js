// The equilibrium lab: a game with something hidden, its strategies while they are learnt, and its table of payoffs.

import { channel } from "/static/channel.js";
import { chart } from "/static/chart.js";
import { duration, figure, h, put, select, toast } from "/static/dom.js";
import { gamePicker } from "/static/picker.js";
import { legend } from "/static/tree-view.js";
import { COMPILING, Work } from "/static/work.js";

/** Words for the library's methods; one without words is shown by its name. @type {Record<string, string>} */
const WORDS = { cfr: "CFR: counterfactual regret minimization", "cfr+": "CFR+", lcfr: "linear CFR", dcfr: "discounted CFR", "pcfr+": "predictive CFR+", "pdcfr+": "predictive CFR+ that discounts", mccfr: "Monte Carlo CFR", lp: "linear program: exact, two players", auto: "what fits best" };

const SMALL = 8; // strategies a side of a table that is read as a whole
const KEPT_TREE = "zermelo tree"; // where the tree lab leaves its tree

class EquilibriumPage extends HTMLElement {
  constructor() {
    super();
    this.game = "kuhn";
    /** @type {any} a tree from the tree lab, instead of a game */
    this.source = null;
    this.method = "cfr";
    this.looking = new Work();
    this.solving = new Work(COMPILING);
    /** @type {any} */
    this.seen = null;
    /** @type {Array<{x: number, y: number}>} */
    this.points = [];
    this.chosen = 0; // which equilibrium of the table is shown
  }

  connectedCallback() {
    this.build();
    this.end = channel.on("connection", ({ state, again }) => state === "open" && again && this.look());
  }

  disconnectedCallback() {
    this.end?.();
    this.looking.stop();
    this.solving.stop();
  }

  /** @param {URLSearchParams} parameters */
  route(parameters) {
    const tree = parameters.has("tree") ? sessionStorage.getItem(KEPT_TREE) : null;
    this.source = tree === null ? null : JSON.parse(tree);
    this.game = this.source ? "the tree of the tree lab" : (parameters.get("game") ?? "kuhn");
    this.pick?.(this.game);
    this.look();
  }

  asked() {
    return this.source ? { source: this.source } : { game: this.game };
  }

  build() {
    this.heading = h("h1", null, "Equilibrium lab");
    this.pick = gamePicker("equilibrium", (game) => game.players > 1 && (game.hidden || game.kind === "matrix" || game.kind === "tree"));
    this.view = /** @type {any} */ (h("tree-view", { label: "Game tree with its information sets" }));
    this.iterations = h("input", { type: "number", min: 1, max: 10000000, value: 2000 });
    this.slow = h("input", { type: "checkbox", checked: true });
    this.go = h("button", { type: "button", class: "primary", onclick: () => this.run() }, "Run");
    this.methods = select("Method", [[this.method, WORDS[this.method]]], this.method, (value) => { this.method = value; });
    this.verdict = h("div", { class: "verdict", role: "status" });
    this.curve = h("div", { class: "curve" });
    this.bars = h("div", { class: "strategies" });
    this.table = h("div");
    this.forms = h("div");
    this.tablePanel = h("section", { class: "panel" }, h("h2", null, "Table of payoffs"), this.table);
    this.treePanel = h("section", { class: "panel", "aria-label": "Tree" }, this.view, this.forms, h("p", { class: "soft" }, "Dashed lines join positions that the player to move cannot tell apart. The wider a branch, the more often it is chosen."));
    put(this,
      h("div", { class: "page-head" }, this.heading), this.looking.element,
      h("div", { class: "lab even" },
        this.left = h("div", { class: "side" },
          h("section", { class: "panel" }, h("h2", null, "Learn"), h("div", { class: "controls" }, this.methods, h("label", { class: "field" }, h("span", null, "Iterations"), this.iterations), h("label", { class: "switch" }, this.slow, h("span", null, "slowly, to watch")), this.go), this.solving.element, this.verdict, this.curve),
          this.strategies = h("section", { class: "panel" }, h("h2", null, "Strategies"), this.bars)),
        this.right = h("div", { class: "side" }, this.treePanel)));
  }

  async look() {
    this.solving.drop(); // a run answers the question that was asked, and that was another one
    this.points = [];
    put(this.verdict);
    put(this.curve);
    put(this.bars, h("p", { class: "soft" }, "Run a method to see how often each choice is made."));
    put(this.table);
    this.seen = null;
    const seen = await this.looking.run("equilibrium.look", this.asked());
    if (!seen) return;
    this.seen = seen;
    this.chosen = 0;
    const list = /** @type {any} */ (this.methods?.querySelector("select"));
    put(list, seen.methods.map((/** @type {string} */ name) => h("option", { value: name }, WORDS[name] ?? name)));
    list.value = this.method;
    put(this.heading, seen.title);
    document.title = `${seen.title} · Zermelo`;
    this.treePanel.hidden = !seen.nodes;
    (seen.nodes ? this.left : this.right).append(this.strategies);
    put(this.forms, legend(seen.players, seen.opponents, Boolean(seen.nodes?.some((/** @type {any} */ node) => node.k === "chance"))));
    if (seen.nodes) this.view.load(seen.nodes);
    this.drawTable();
  }

  async run() {
    this.points = [];
    put(this.curve);
    put(this.verdict);
    const found = await this.solving.run("equilibrium.run", { ...this.asked(), method: this.method, iterations: Math.max(1, Math.round(Number(this.iterations.value) || 2000)), slow: this.slow.checked }, (progress) => {
      if (progress.point) {
        this.points.push({ x: progress.point[0], y: progress.point[2] });
        this.drawCurve();
        if (progress.rows) this.drawBars(progress);
        return `${progress.method}: ${figure(progress.point[0])} iterations, exploitability ${figure(progress.point[2], 3)}`;
      }
      return "";
    });
    if (!found) return;
    this.points = found.convergence.map((/** @type {number[]} */ point) => ({ x: point[0], y: point[2] }));
    this.drawCurve();
    this.drawBars(found);
    put(this.verdict,
      h("p", null, "Value ", found.value.map((/** @type {number} */ value, /** @type {number} */ seat) => [seat ? ", " : "", `${found.names[seat]} `, h("b", { class: `value value-${seat}` }, figure(Number(value.toFixed(5))))])),
      h("p", null, "Exploitability ", h("b", { class: "exploitability" }, figure(found.exploitability, 3)), ` after ${figure(found.iterations)} iterations of ${found.method} in ${duration(found.seconds)}${found.stopped === "interrupted" ? ", stopped" : ""}; ${figure(found.sets)} information sets${found.histories ? `, ${figure(found.histories)} histories` : ""}.`),
      h("p", { class: "soft" }, found.guarantee), found.notes.map((/** @type {string} */ note) => h("p", { class: "soft" }, note)));
  }

  drawCurve() {
    if (this.points.length < 2) return;
    put(this.curve, chart({ label: "Exploitability while it runs", series: [{ name: "exploitability", points: this.points }], x: "iterations", y: "exploitability", logX: true, logY: true, height: 210 }));
  }

  /** @param {any} found */
  drawBars(found) {
    const rows = found.rows.map((/** @type {any} */ row) => h("tr", null, h("th", { scope: "row" }, row.name), h("td", null, h("div", { class: "bars" }, row.actions.map((/** @type {[string, number]} */ [name, weight]) => bar(name, weight))))));
    put(this.bars, h("div", { class: "scroll tall", tabindex: 0, role: "region", "aria-label": "Strategies" }, h("table", { class: "bar-table" }, h("thead", { class: "unseen" }, h("tr", null, h("th", { scope: "col" }, "Information set"), h("th", { scope: "col" }, "Choices"))), h("tbody", null, rows))), found.rowsInAll > found.rows.length ? h("p", { class: "soft" }, `The first ${found.rows.length} of ${figure(found.rowsInAll)} information sets.`) : null);
    if (found.branches && this.seen?.nodes) {
      for (const [node, weight] of Object.entries(/** @type {Record<string, number>} */ (found.branches))) {
        const known = this.view.model.get(Number(node));
        if (known) {
          known.share = weight;
          known.q = figure(Number(weight.toFixed(2)), 2);
        }
      }
      this.view.model.changed = true; // names of branches have become longer
      this.view.draw();
    }
  }

  drawTable() {
    const table = this.seen?.table;
    if (table && table.rows.length <= SMALL && table.columns.length <= SMALL) this.left.prepend(this.tablePanel); // it is the game itself
    else this.left.append(this.tablePanel);
    this.tablePanel.hidden = !table;
    if (!table) return;
    const shown = table.equilibria[this.chosen];
    const share = (/** @type {number} */ player, /** @type {number} */ place) => shown?.strategies[player][place] ?? 0;
    const exactly = (/** @type {number} */ player, /** @type {number} */ place) => shown?.words[player]?.[place] ?? figure(share(player, place), 3);
    const head = h("tr", null, h("td", null, h("span", { class: "soft" }, `${table.names[0]} ↓  ${table.names[1]} →`)), table.columns.map((/** @type {string} */ name, /** @type {number} */ c) => h("th", { scope: "col", class: share(1, c) > 1e-9 ? "played" : "" }, name, share(1, c) > 1e-9 ? h("span", { class: "often" }, exactly(1, c)) : null)));
    const body = table.rows.map((/** @type {string} */ name, /** @type {number} */ r) => h("tr", null, h("th", { scope: "row", class: share(0, r) > 1e-9 ? "played" : "" }, name, share(0, r) > 1e-9 ? h("span", { class: "often" }, exactly(0, r)) : null),
      table.cells[r].map((/** @type {any} */ cell, /** @type {number} */ c) => {
        const both = cell.best[0] && cell.best[1];
        const weight = share(0, r) * share(1, c);
        return h("td", { class: `${both ? "stable" : ""}${weight > 1e-9 ? " played" : ""}`, title: both ? "an equilibrium: both answer best" : null }, h("span", { class: cell.best[0] ? "reply" : "" }, figure(cell.payoffs[0], 3)), ", ", h("span", { class: cell.best[1] ? "reply" : "" }, figure(cell.payoffs[1], 3)), both ? h("span", { class: "star" }, " ★", h("span", { class: "unseen" }, " equilibrium")) : null);
      })));
    const many = table.equilibria.length > 1 ? select("Equilibrium", table.equilibria.map((/** @type {any} */ each, /** @type {number} */ index) => [String(index), `${index + 1}: ${each.value.map((/** @type {number} */ value) => figure(value, 3)).join(", ")}`]), String(this.chosen), (value) => { this.chosen = Number(value); this.drawTable(); }) : null;
    put(this.table,
      h("p", null, table.equilibria.length === 1 ? (table.complete ? "One equilibrium" : "An equilibrium") : `${table.equilibria.length} equilibria${table.complete ? "" : " or more"}`, shown ? `: ${table.names.map((/** @type {string} */ name, /** @type {number} */ seat) => `${name} gets ${figure(shown.value[seat], 4)}`).join(", ")}${shown.exact ? ", proved in rational numbers" : ""}.` : "."),
      many, h("div", { class: "scroll tall", tabindex: 0, role: "region", "aria-label": "Table of payoffs" }, h("table", { class: "payoffs" }, h("thead", null, head), h("tbody", null, body))),
      h("p", { class: "soft" }, h("span", { class: "reply" }, "Underlined"), ": a best reply. ★: both reply best. Beside the names: how often a strategy is played in the equilibrium shown."));
  }
}

/** One choice as a bar with its number. @param {string} name @param {number} weight */
function bar(name, weight) {
  const fill = h("span", { class: "bar-fill" });
  fill.style.width = `${(weight * 100).toFixed(1)}%`;
  return h("span", { class: "bar" }, h("span", { class: "bar-name" }, name), h("span", { class: "bar-track", "aria-hidden": "true" }, fill), h("span", { class: "bar-number" }, weight.toFixed(3)));
}

customElements.define("equilibrium-page", EquilibriumPage);
