// Compare: nodes and time of every computer move, for algorithms side by side, drawn while they are measured.

import { channel } from "/static/channel.js";
import { chart } from "/static/chart.js";
import { duration, figure, h, put, select, toast } from "/static/dom.js";
import { gamePicker } from "/static/picker.js";
import { Work } from "/static/work.js";

class ComparePage extends HTMLElement {
  constructor() {
    super();
    this.game = "tictactoe";
    this.work = new Work();
    this.repeat = "3";
    this.backend = "auto";
    this.plain = "plain";
    this.scale = "log";
    /** @type {Map<string, any[]>} */
    this.measured = new Map();
  }

  connectedCallback() {
    this.heading = h("h1", null, "Compare algorithms");
    this.pick = gamePicker("compare", (game) => !game.hidden && (game.kind === "game" || game.kind === "puzzle"));
    this.engines = h("fieldset", { class: "engines" }, h("legend", null, "Algorithms"));
    this.moves = h("input", { type: "text", placeholder: "moves so far", size: 12 });
    this.depth = h("input", { type: "number", min: 1, max: 100, placeholder: "all" });
    this.charts = h("div", { class: "charts" });
    this.nothing = h("p", { class: "nothing-yet" }, "Press Measure: two charts show how many positions each algorithm looks at for every move of a game, and how long that takes.");
    this.table = h("div");
    put(this,
      h("div", { class: "page-head" }, this.heading),
      h("p", { class: "soft" }, "The opponent moves first and always plays its first best move, so that every algorithm sees the same game. At each move of the computer every algorithm searches on its own."),
      h("section", { class: "panel" },
        h("div", { class: "controls" }, this.engines, select("Repeat", [["1", "once"], ["3", "3 times"], ["10", "10 times"]], this.repeat, (value) => { this.repeat = value; }), select("Who runs it", [["auto", "compiled"], ["reference", "plain Python"]], this.backend, (value) => { this.backend = value; }), select("Search", [["plain", "the textbook’s"], ["full", "with every score"]], this.plain, (value) => { this.plain = value; }), select("Charts", [["log", "logarithmic"], ["even", "even steps"]], this.scale, (value) => { this.scale = value; if (this.measured.size) this.draw(); }),
          h("label", { class: "field small" }, h("span", null, "Depth"), this.depth), h("label", { class: "field" }, h("span", null, "From"), this.moves), h("button", { type: "button", class: "primary", onclick: () => this.run() }, "Measure")),
        this.work.element),
      this.charts, this.table);
  }

  disconnectedCallback() {
    this.work.stop();
  }

  /** @param {URLSearchParams} parameters */
  async route(parameters) {
    this.work.drop();
    this.measured = new Map();
    put(this.table);
    put(this.charts, this.nothing);
    this.game = parameters.get("game") ?? "tictactoe";
    this.pick?.(this.game);
    this.moves.value = parameters.get("moves") ?? (this.game === "connect4" ? "4453512227" : "");
    try {
      const { engines, small } = await channel.ask("compare.engines", { game: this.game });
      const usual = engines.filter((/** @type {string} */ name) => ["minimax", "alphabeta", "expectiminimax", "star2", "maxn", "paranoid", "astar", "idastar"].includes(name)).slice(0, 3);
      put(this.engines, h("legend", null, "Algorithms"), engines.map((/** @type {string} */ name) => h("label", { class: "switch" }, h("input", { type: "checkbox", value: name, checked: usual.includes(name) }), h("span", null, name))));
      if (!engines.length) put(this.charts, h("p", { class: "nothing-yet" }, "No algorithm here searches this game move by move: something is hidden in it."));
      else if (small || this.moves.value) this.run();
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    }
  }

  async run() {
    const engines = [...this.engines.querySelectorAll("input:checked")].map((/** @type {any} */ box) => box.value);
    if (!engines.length) return toast("Choose at least one algorithm.");
    this.measured = new Map(engines.map((name) => [name, []]));
    this.draw();
    const depth = Number(this.depth.value);
    const found = await this.work.run("compare.run", { game: this.game, engines, moves: this.moves.value, repeat: Number(this.repeat), backend: this.backend, plain: this.plain === "plain", depth: depth > 0 ? Math.round(depth) : null }, (progress) => {
      if (progress.measurement) {
        this.measured.get(progress.engine)?.push(progress.measurement);
        this.draw();
      }
      return progress.words ? `Measuring ${progress.words}` : "";
    });
    if (found?.line?.length) this.table.append(h("p", { class: "soft" }, `The game: ${found.line.join(" ")}`));
  }

  draw() {
    const names = [...this.measured.keys()];
    const series = (/** @type {string} */ field) => names.map((name) => ({ name, points: (this.measured.get(name) ?? []).map((each) => ({ x: each.move, y: field === "seconds" ? each.seconds * 1000 : each.nodes })) }));
    if (!names.some((name) => this.measured.get(name)?.length)) {
      put(this.charts, this.nothing);
      put(this.table);
      return;
    }
    put(this.charts,
      h("section", { class: "panel" }, h("h2", null, "Nodes of each move"), chart({ label: "Nodes of each move", series: series("nodes"), x: "the computer’s move", y: "nodes", least: 1, logY: this.scale === "log" })),
      h("section", { class: "panel" }, h("h2", null, "Time of each move"), chart({ label: "Time of each move in milliseconds", series: series("seconds"), x: "the computer’s move", y: "milliseconds", least: 1, logY: this.scale === "log" })));
    const moves = Math.max(...names.map((name) => this.measured.get(name)?.length ?? 0));
    const rows = [];
    for (let move = 0; move < moves; move += 1) {
      const first = this.measured.get(names[0])?.[move];
      for (const name of names) {
        const each = this.measured.get(name)?.[move];
        if (!each) continue;
        rows.push(h("tr", null, h("td", null, name === names[0] ? each.move : ""), h("th", { scope: "row" }, name), h("td", null, figure(each.nodes)), h("td", null, duration(each.seconds)), names.length > 1 ? h("td", null, each === first || !first ? "" : `${figure(first.nodes / each.nodes, 3)}×`) : null, h("td", null, each.action), h("td", null, figure(Array.isArray(each.value) ? each.value[0] : each.value))));
      }
    }
    put(this.table, h("section", { class: "panel scroll", tabindex: 0, "aria-label": "Measurements" }, h("table", null, h("thead", null, h("tr", null, ["move", "algorithm", "nodes", "mean time", ...(names.length > 1 ? [`fewer nodes than ${names[0]}`] : []), "plays", "value"].map((words) => h("th", { scope: "col" }, words)))), h("tbody", null, rows))));
  }
}

customElements.define("compare-page", ComparePage);
