// MCTS live: the tree grows while one watches; every move of the root shows its visits, its value and how sure that is.

import { duration, figure, h, icon, put, select } from "/static/dom.js";
import { gamePicker } from "/static/picker.js";
import { drawPicture } from "/static/picture.js";
import "/static/tree-view.js";
import { COMPILING, Work } from "/static/work.js";

const PACES = /** @type {Array<[string, string]>} */ ([["20", "20 playouts a second"], ["200", "200 a second"], ["2000", "2,000 a second"], ["20000", "20,000 a second"], ["0", "as fast as it can"]]);

const PHASES = ["Select", "Expand", "Simulate", "Carry back"];
const PHASE = 1100; // milliseconds for one phase of a playout
const NODE_ROOM = 20; // pixels of the picture's width for each node that is shown

class MctsPage extends HTMLElement {
  constructor() {
    super();
    this.game = "tictactoe";
    this.pace = "200";
    this.work = new Work(COMPILING);
    this.first = true;
    this.stepped = 0; // playouts that were shown one by one
  }

  connectedCallback() {
    this.heading = h("h1", null, "Playouts");
    this.pick = gamePicker("mcts", (game) => !game.hidden && game.kind !== "matrix");
    this.moves = h("input", { type: "text", placeholder: "moves so far", size: 10 });
    this.playouts = h("input", { type: "number", min: 1, max: 5000000, value: 5000 });
    this.exploration = h("input", { type: "number", min: 0, max: 100, step: 0.1, value: 0.7 });
    this.view = /** @type {any} */ (h("tree-view", { label: "The most visited part of the search tree", hidden: true }));
    this.empty = h("p", { class: "nothing-yet" }, "The tree grows here. Press Grow, and watch it lean towards the better moves.");
    this.status = h("p", { class: "step-words", role: "status" }, "Four steps make a playout: select a way down the tree, add a node, play the rest at random, and carry the result back up.");
    this.steps = h("ol", { class: "phases", role: "list" }, PHASES.map((name) => h("li", null, name)));
    this.table = h("div");
    this.place = h("div", { class: "mcts-board" });
    this.words = h("p", { class: "soft" });
    put(this,
      h("div", { class: "page-head" }, this.heading),
      this.work.element,
      h("div", { class: "lab" },
        h("section", { class: "tree-panel", "aria-label": "Tree" }, this.empty, this.view, h("p", { class: "soft" }, "Width: how often a branch was visited. Beside a node its visits, inside the first player’s mean payoff."), this.steps, this.status,
          h("div", { class: "step-row" }, h("button", { type: "button", class: "primary", onclick: () => this.one() }, icon("on"), "One playout"), h("button", { type: "button", onclick: () => this.run() }, icon("run"), "Grow"))),
        h("div", { class: "side" },
          h("section", { class: "panel", "aria-label": "Position" }, h("h2", null, "Position"), this.place, this.words),
          h("section", { class: "panel", "aria-label": "Moves of the root" }, h("h2", null, "Moves of the root"), this.table),
          h("section", { class: "panel", "aria-label": "Settings" }, h("h2", null, "Settings"), h("div", { class: "controls" }, h("label", { class: "field" }, h("span", null, "From"), this.moves), h("label", { class: "field" }, h("span", null, "Playouts"), this.playouts), select("Pace", PACES, this.pace, (value) => { this.pace = value; }), h("label", { class: "field small" }, h("span", null, "Exploration"), this.exploration))))));
  }

  disconnectedCallback() {
    this.work.stop();
  }

  /** @param {URLSearchParams} parameters */
  route(parameters) {
    this.work.drop();
    this.stepped = 0;
    put(this.table);
    put(this.place);
    put(this.words);
    this.phase(-1);
    this.view.hidden = true;
    this.empty.hidden = false;
    this.game = parameters.get("game") ?? "tictactoe";
    this.moves.value = parameters.get("moves") ?? "";
    this.pick?.(this.game);
    this.one(); // there is something to see at once
  }

  async run() {
    this.phase(-1);
    put(this.status, "The tree grows, and leans towards the better moves.");
    this.first = true;
    this.stepped = 0;
    const wanted = { game: this.game, moves: this.moves.value, playouts: Math.max(1, Math.round(Number(this.playouts.value) || 5000)), pace: Number(this.pace), exploration: Number(this.exploration.value) || 0, shown: Math.max(12, Math.min(100, Math.round((this.empty.parentElement?.clientWidth ?? 600) / NODE_ROOM))) };
    const found = await this.work.run("mcts.run", wanted, (progress) => {
      if (!progress.moves) return "";
      this.show(progress);
      return `${figure(progress.playouts)} playouts, ${figure(progress.size)} nodes`;
    });
    if (!found) return;
    this.show(found);
    this.position(found.picture, "From here every playout begins.");
    put(this.status, found.proven ? [h("b", null, "Proven"), `: the value is ${figure(found.value)}, after ${figure(found.playouts)} playouts.`] : `${figure(found.playouts)} playouts, ${figure(found.size)} nodes, ${figure(found.deepest)} deep, in ${duration(found.seconds)} (${found.backend}).`, found.notes.map((/** @type {string} */ note) => h("span", { class: "soft" }, ` ${note}`)));
  }

  /** One playout in its four phases, one after the other. */
  async one() {
    const before = this.stepped;
    const found = await this.work.run("mcts.one", { game: this.game, moves: this.moves.value, before, exploration: Number(this.exploration.value) || 0 });
    if (!found) return;
    this.stepped = before + 1;
    this.empty.hidden = true;
    this.view.hidden = false;
    this.view.load(found.nodes.filter((/** @type {any} */ node) => node.i !== found.added));
    const name = (/** @type {number} */ id) => found.nodes[id]?.a ?? "the root";
    const known = found.path.filter((/** @type {number} */ id) => id !== found.added);
    const phases = /** @type {Array<[string, string, () => void]>} */ ([
      [PHASES[0], `down the tree by the best bound${known.length > 1 ? `: ${known.slice(1).map(name).join(", ")}` : ""}.`, () => { this.light(known); this.position(found.boards[0], "From here every playout begins."); }],
      [PHASES[1], found.added === null ? "nothing is added: the game ends here." : `${name(found.added)} becomes a node.`, () => { if (found.added !== null) this.view.add([found.nodes[found.added]]); this.view.fit(); this.light(found.added === null ? known.slice(-1) : [found.added]); this.position(found.boards[1], "The new node: from here the game is played to its end at random."); }],
      [PHASES[2], `the rest is played at random: ${figure(found.payoff)} for the first player.`, () => this.light(found.path.slice(-1))],
      [PHASES[3], "every node on the way counts one visit more, and its mean moves.", () => { this.view.refresh(found.nodes); this.light(found.path); this.drawMoves(found); }],
    ]);
    const pause = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : PHASE;
    for (const [number, [title, words, show]] of phases.entries()) {
      if (this.stepped !== before + 1 || !this.isConnected) return;
      show();
      this.phase(number);
      put(this.status, h("b", null, `${title}: `), words, h("span", { class: "soft" }, ` Playout ${before + 1}.`));
      await new Promise((go) => setTimeout(go, pause));
    }
  }

  /** Which of the four phases is shown; -1: none. @param {number} now */
  phase(now) {
    [...this.steps.children].forEach((item, number) => (number === now ? item.setAttribute("aria-current", "step") : item.removeAttribute("aria-current")));
  }

  /** @param {any} picture @param {string} words */
  position(picture, words) {
    put(this.place, picture ? drawPicture(picture, { label: words }) : null);
    put(this.words, picture ? words : "");
  }

  /** Lights the nodes up that a phase is about. @param {number[]} nodes */
  light(nodes) {
    this.view.known = null;
    this.view.current = nodes[nodes.length - 1] ?? -1;
    for (const node of this.view.model.nodes.values()) node.c = nodes.includes(node.i);
    this.view.draw();
  }

  /** @param {any} state */
  show(state) {
    this.empty.hidden = true;
    this.view.hidden = false;
    if (this.first) this.view.load(state.nodes);
    else this.view.refresh(state.nodes);
    this.first = false;
    if (state.moves.length) this.drawMoves(state);
  }

  /** @param {any} state */
  drawMoves(state) {
    const most = Math.max(1, ...state.moves.map((/** @type {any} */ move) => move.visits));
    const ends = state.moves.flatMap((/** @type {any} */ move) => move.interval ?? []);
    const [low, high] = state.payoffs ?? [Math.min(0, ...ends), Math.max(1, ...ends)];
    const at = (/** @type {number} */ value) => `${(Math.max(0, Math.min(1, (value - low) / (high - low || 1))) * 100).toFixed(1)}%`;
    const rows = [...state.moves].sort((a, b) => b.visits - a.visits).slice(0, 60).map((move) => {
      const fill = h("span", { class: "bar-fill" });
      fill.style.width = `${((100 * move.visits) / most).toFixed(1)}%`;
      const span = h("span", { class: "span-fill" });
      const dot = h("span", { class: "span-dot" });
      if (move.interval) {
        span.style.left = at(move.interval[0]);
        span.style.width = `calc(${at(move.interval[1])} - ${at(move.interval[0])})`;
        dot.style.left = at(move.mean);
      }
      return h("tr", null, h("th", { scope: "row" }, move.name), h("td", null, figure(move.visits), h("span", { class: "bar-track slim", "aria-hidden": "true" }, fill)),
        h("td", null, move.mean === null ? "–" : figure(Number(move.mean.toFixed(3)))), h("td", null, move.proven !== null ? h("b", null, `proven ${figure(move.proven)}`) : move.interval ? [h("span", { class: "unseen" }, `${figure(move.interval[0], 3)} to ${figure(move.interval[1], 3)}`), h("span", { class: "span-track", "aria-hidden": "true", title: `${figure(move.interval[0], 3)} … ${figure(move.interval[1], 3)}` }, span, dot)] : ""));
    });
    put(this.table, h("div", { class: "scroll tall", tabindex: 0, role: "region", "aria-label": "Visits and means" }, h("table", { class: "mcts-table" }, h("thead", null, h("tr", null, h("th", { scope: "col" }, "move"), h("th", { scope: "col" }, "visits"), h("th", { scope: "col", title: `For ${state.mover}` }, "mean"), h("th", { scope: "col", title: `From ${figure(low)} to ${figure(high)}` }, "95 % sure"))), h("tbody", null, rows))));
  }
}

customElements.define("mcts-page", MctsPage);
