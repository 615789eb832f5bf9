// The tree lab: draw a tree, open one, or unfold a game; then watch a search go through it, step by step.

import { channel, games } from "/static/channel.js";
import { figure, h, icon, put, save, select, toast } from "/static/dom.js";
import { packed, unpacked } from "/static/link.js";
import { Work } from "/static/work.js";
import "/static/lecture.js";
import "/static/stepper.js";
import "/static/tree-editor.js";
import { legend } from "/static/tree-view.js";

const ALGORITHMS = /** @type {Array<[string, string]>} */ ([["auto", "what fits the tree"], ["minimax", "minimax"], ["alphabeta", "alpha-beta"], ["negamax", "negamax"], ["expectiminimax", "expectiminimax"], ["star1", "Star1"], ["star2", "Star2"], ["backward", "backward induction"], ["maxn", "max^n"], ["paranoid", "paranoid"], ["none", "no search"]]);
const ORDERS = /** @type {Array<[string, string]>} */ ([["drawn", "as drawn"], ["best", "best move first"], ["worst", "worst move first"], ["shuffled", "shuffled"]]);
const NEW = { title: "My tree", players: 2, total: 0, names: [], root: { player: "Max", actions: [{ name: "Left", node: { player: "Min", actions: [{ name: "a", node: { payoff: 3 } }, { name: "b", node: { payoff: 5 } }] } }, { name: "Right", node: { player: "Min", actions: [{ name: "a", node: { payoff: 2 } }, { name: "b", node: { payoff: 9 } }] } }] } };
const KEPT_TREE = "zermelo tree"; // in the tab's own storage: the tree that the equilibrium lab is asked about
const EVERYTHING = 250000; // nodes that "open everything" asks for at most

/** @param {number} count @param {string} kind */
const cuts = (count, kind) => `${count === 0 ? "no" : figure(count)} ${kind}-cut${count === 1 ? "" : "s"}`;

class TreePage extends HTMLElement {
  constructor() {
    super();
    /** @type {any} */
    this.source = { kind: "game", game: "pruning" };
    this.engine = "auto";
    this.order = "drawn";
    this.seed = 1;
    /** @type {any} */
    this.found = null;
    /** @type {URLSearchParams | null} the address that is being opened: it stays as it is until the tree is here */
    this.opening = null;
    /** @type {Promise<void>} until the tree that was asked for last is here */
    this.shown = Promise.resolve();
    this.work = new Work();
  }

  connectedCallback() {
    this.build();
    this.keys = (/** @type {KeyboardEvent} */ event) => {
      if (event.key.toLowerCase() === "l" && !event.ctrlKey && !event.metaKey && !/^(INPUT|SELECT|TEXTAREA)$/.test(/** @type {any} */ (event.target).tagName)) this.lecture();
    };
    document.addEventListener("keydown", this.keys);
    this.end = channel.on("connection", ({ state, again }) => state === "open" && again && this.run());
  }

  disconnectedCallback() {
    this.end?.();
    this.work.stop();
    if (this.keys) document.removeEventListener("keydown", this.keys);
    /** @type {any} */ (document.querySelector("lecture-mode"))?.leave();
  }

  /** The tree fills the screen. @param {number | null} [step] */
  lecture(step = null) {
    if (!this.found?.steps || document.querySelector("lecture-mode")) {
      if (this.found && !this.found.steps) toast("There is no search to step through: choose an algorithm.");
      return;
    }
    const engine = ALGORITHMS.find(([name]) => name === this.found.engine)?.[1] ?? this.found.engine;
    const mode = /** @type {any} */ (h("lecture-mode", { onleave: () => this.keep() }));
    mode.begin(this.view, this.stepper, { title: `${engine[0].toUpperCase()}${engine.slice(1)} on ${this.found.title || "a tree"}`, names: this.found.names, zeroSum: this.found.zeroSum, chance: this.found.nodes.some((/** @type {any} */ node) => node.k === "chance"), play: (/** @type {number} */ node) => this.playAddress(node), step });
  }

  /** Where a node is played on from; nothing where the tree is of no game. @param {number} id */
  playAddress(id) {
    if (this.source.kind !== "game" || !("depth" in this.source)) return null;
    const names = [];
    for (let node = this.view.model.get(id); node && node.p >= 0; node = this.view.model.get(node.p)) names.unshift(node.a ?? "");
    const together = names.every((name) => name.length === 1) && !/\s/.test(this.source.moves);
    return `#/play?game=${encodeURIComponent(this.source.game)}&moves=${encodeURIComponent(together ? this.source.moves + names.join("") : [this.source.moves, ...names].filter(Boolean).join(" "))}`;
  }

  /** @param {URLSearchParams} parameters */
  async route(parameters) {
    this.opening = parameters;
    const example = parameters.get("example");
    const game = parameters.get("game");
    const tree = parameters.get("tree");
    this.engine = parameters.get("engine") ?? "auto";
    this.order = parameters.get("order") ?? "drawn";
    this.seed = Number(parameters.get("seed") ?? 1);
    this.pick(this.orderList, this.order);
    if (tree) {
      try {
        this.source = { kind: "data", data: await unpacked(tree) };
      } catch {
        toast("The tree in this address is cut off or of another version: here is an example instead.");
      }
    } else if (example) this.source = { kind: "game", game: example };
    else if (game) {
      const depth = parameters.get("depth");
      this.source = { kind: "game", game, moves: parameters.get("moves") ?? "", depth: depth === "all" ? null : Number(depth ?? 2) };
      this.choose(this.gameField, game);
      this.movesField.value = this.source.moves;
      this.depthField.value = depth ?? "2";
    }
    this.pick(this.engineList, this.engine);
    this.pick(this.example, example ?? (game ? "" : this.source.game ?? ""));
    const step = parameters.get("step");
    await this.run(true);
    if (this.opening !== parameters) return;
    this.opening = null;
    if (parameters.get("lecture")) this.lecture(step === null ? null : Number(step));
    else if (step !== null && this.found) this.stepper.go(Number(step));
    else if (this.found) this.keep();
  }

  /** Chooses a game in a list, with its parameters if it has some. @param {HTMLSelectElement} list @param {string} game */
  choose(list, game) {
    if (![...list.options].some((option) => option.value === game)) list.append(h("option", { value: game }, game));
    list.value = game;
  }

  build() {
    this.heading = h("h1", null, "Tree lab");
    this.view = /** @type {any} */ (h("tree-view", { label: "Tree: arrow keys walk, enter opens and closes, plus and minus change the size", onselect: () => this.chosen(), onwanted: (/** @type {any} */ event) => this.fetch([event.detail], 60) }));
    this.stepper = /** @type {any} */ (h("search-stepper", { onstep: () => this.keep() }));
    this.editor = /** @type {any} */ (h("tree-editor", { onchange: (/** @type {any} */ event) => event.detail && this.edited(event.detail) }));
    this.facts = h("div", { class: "tree-facts" });
    this.forms = h("div");
    this.example = select("Example", [["", "choose…"]], "", (value) => { if (value) location.hash = `#/tree?example=${encodeURIComponent(value)}`; });
    this.gameField = h("select", { "aria-label": "Game to unfold" });
    this.movesField = h("input", { type: "text", "aria-label": "Moves so far", placeholder: "moves so far", size: 12 });
    this.depthField = h("select", { "aria-label": "Depth" }, ["1", "2", "3", "4", "5", "6", "8", "all"].map((depth) => h("option", { value: depth, selected: depth === "2" }, depth === "all" ? "to the end" : `${depth} deep`)));
    const file = h("input", { type: "file", accept: ".json,.efg", hidden: true, onchange: () => this.openFile(file) });
    this.engineList = select("Algorithm", ALGORITHMS, this.engine, (value) => { this.engine = value; this.run(); });
    this.orderList = select("Order of moves", ORDERS, this.order, (value) => { this.order = value; this.seed += 1; this.run(); });
    games().then((list) => {
      put(/** @type {any} */ (this.example?.querySelector("select")), h("option", { value: "" }, "choose…"), list.filter((game) => game.kind === "tree").map((game) => h("option", { value: game.name }, game.title)));
      put(this.gameField, list.filter((game) => game.kind === "game" || game.kind === "puzzle").map((game) => h("option", { value: game.name }, game.title)));
      const unfolded = this.source.kind === "game" && "depth" in this.source;
      this.choose(this.gameField, unfolded ? this.source.game : "tictactoe");
      if (!unfolded) this.pick(this.example, this.source.game ?? "");
    }, (error) => toast(error.message));
    const button = (/** @type {string} */ words, /** @type {() => void} */ act, kind = "") => h("button", { type: "button", class: kind, onclick: act }, words);
    const section = (/** @type {string} */ title, /** @type {any[]} */ ...children) => h("section", { class: "panel", "aria-label": title }, h("h2", null, title), children);
    put(this,
      h("div", { class: "page-head" }, this.heading, h("span", { class: "spacer" }),
        h("div", { class: "controls tree-tools" }, h("button", { type: "button", title: "Key: L", onclick: () => this.lecture() }, icon("screen"), "Lecture"), button("Save as a page", () => this.page(), "served"), button("Copy link", () => this.share(), "served"), h("details", { class: "menu served" }, h("summary", null, "Export"), h("div", { class: "menu-list" }, ["SVG", "PNG", "TikZ", "DOT", "JSON", "EFG"].map((form) => button(form, () => this.save(form.toLowerCase()))))))),
      this.work.element,
      h("div", { class: "lab" },
        h("section", { class: "tree-panel", "aria-label": "Tree" }, this.view,
          h("div", { class: "controls tree-sizes" }, this.forms, h("span", { class: "spacer" }), button("Whole tree", () => this.view.fitAll(), "quiet"), button("Readable", () => this.view.fit(), "quiet"), h("button", { type: "button", class: "quiet", "aria-label": "Larger", onclick: () => this.view.zoom(1.25) }, "+"), h("button", { type: "button", class: "quiet", "aria-label": "Smaller", onclick: () => this.view.zoom(0.8) }, "−"), button("Open everything", () => this.everything(), "quiet")),
          this.stepper),
        h("div", { class: "side" },
          h("section", { class: "panel served", "aria-label": "Search" }, h("h2", null, "Search"), h("div", { class: "controls" }, this.engineList, this.orderList)),
          section("What it found", this.facts),
          h("section", { class: "panel served", "aria-label": "Another tree" }, h("h2", null, "Another tree"), h("div", { class: "controls" }, this.example, button("Open a file…", () => file.click()), file, button("New tree", () => { this.source = { kind: "data", data: structuredClone(NEW) }; this.order = "drawn"; this.pick(this.example, ""); this.run(true); })),
            h("form", { class: "unfold", onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); this.unfold(); } }, h("span", { class: "soft" }, "Unfold a game"), this.gameField, this.movesField, this.depthField, h("button", { type: "submit" }, "Show"))),
          h("section", { class: "panel served", "aria-label": "Edit the chosen node" }, h("h2", null, "Edit the chosen node"), this.editor))));
  }

  /** @param {HTMLElement | undefined} field @param {string} value */
  pick(field, value) {
    const list = field?.querySelector("select");
    if (list) list.value = value;
  }

  unfold() {
    location.hash = `#/tree?game=${encodeURIComponent(this.gameField.value)}&moves=${encodeURIComponent(this.movesField.value)}&depth=${this.depthField.value}`;
  }

  /** Searches the tree as it is. @param {boolean} [fresh] @param {number[]} [path] the node to choose then */
  run(fresh = false, path = this.view.model.path(this.view.selected)) {
    this.shown = this.search(fresh, path);
    return this.shown;
  }

  /** @param {boolean} fresh @param {number[]} path */
  async search(fresh, path) {
    const found = await this.work.run("tree.run", { source: this.source, engine: this.engine, order: this.order, seed: this.seed }, (progress) => (progress.nodes ? `${figure(progress.nodes)} nodes` : ""));
    if (!found) return;
    this.found = found;
    this.keep();
    put(this.heading, found.title || "Tree lab");
    document.title = `${found.title || "Tree lab"} · Zermelo`;
    const { left, top, scale } = this.view;
    this.view.load(found.nodes);
    if (fresh) this.view.fold();
    if (!fresh) {
      Object.assign(this.view, { left, top, scale });
      this.view.selected = this.view.model.follow(path);
      this.view.draw();
    }
    put(this.forms, legend(found.names, found.zeroSum, found.nodes.some((/** @type {any} */ node) => node.k === "chance")));
    this.stepper.load(this.view, found.lab, found.steps);
    this.tell();
    this.chosen();
  }

  /** The address holds the tree and how it is searched. */
  async keep() {
    if (this.opening) return;
    const source = this.source;
    const parts = new URLSearchParams();
    if (source.kind === "game" && "depth" in source) for (const [name, value] of Object.entries({ game: source.game, moves: source.moves, depth: source.depth ?? "all" })) parts.set(name, String(value));
    else if (source.kind === "game") parts.set("example", source.game);
    else if (this.found.data) parts.set("tree", await packed(this.found.data));
    if (this.engine !== "auto") parts.set("engine", this.engine);
    if (this.order !== "drawn") parts.set("order", this.order);
    if (this.order === "shuffled") parts.set("seed", String(this.seed));
    if (this.stepper.started) parts.set("step", String(this.stepper.at));
    if (document.querySelector("lecture-mode")) parts.set("lecture", "1");
    if (this.source === source && this.isConnected) history.replaceState(null, "", `#/tree?${parts}`);
  }

  tell() {
    const found = this.found;
    const whole = found.whole;
    const row = (/** @type {string} */ words, /** @type {any} */ nodes, /** @type {any} */ leaves) => h("tr", null, h("th", { scope: "row" }, words), h("td", null, nodes), h("td", null, leaves));
    const rows = [row("the whole tree", figure(whole.nodes), figure(whole.leaves))];
    if (found.visited !== null) rows.push(row("this search", h("b", { class: "visited" }, figure(found.visited)), figure(found.statistics.leaves)));
    if (found.orders) {
      const { here, best, worst } = found.orders;
      rows.push(row("alpha-beta, in this order", figure(here.nodes), figure(here.leaves)), row("alpha-beta, best first", figure(best.nodes), figure(best.leaves)), row("alpha-beta, worst first", figure(worst.nodes), figure(worst.leaves)));
      rows.push(row("best case b^⌈d/2⌉ + b^⌊d/2⌋ − 1", "", figure(whole.best, 3)), row("worst case b^d", "", figure(whole.full, 3)));
    }
    const unsaid = found.data === null ? h("p", { class: "soft" }, `${figure(found.size)} nodes: subtrees are fetched when they are opened.`) : null;
    put(this.facts,
      found.value !== null ? h("p", { class: "verdict" }, "Value ", h("b", { class: "value" }, found.value), found.line.length ? [": ", h("span", { class: "line" }, found.line.join(", "))] : null) : h("p", null, "Drawn without a search: something is hidden, or none was asked for."),
      found.players > 1 ? h("p", null, h("a", { href: `#/equilibrium?tree=${found.lab}`, onclick: () => sessionStorage.setItem(KEPT_TREE, JSON.stringify(this.source)) }, "Find its equilibrium")) : null,
      h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Nodes visited" }, h("table", null, h("thead", null, h("tr", null, h("td", null, ""), h("th", { scope: "col" }, "nodes"), h("th", { scope: "col" }, "leaves"))), h("tbody", null, rows))),
      h("p", { class: "soft" }, `b = ${figure(whole.branching, 3)} moves a node, d = ${whole.depth} deep${found.cuts ? `; ${cuts(found.cuts[0], "α")}, ${cuts(found.cuts[1], "β")}` : ""}.`), unsaid,
      found.notes.map((/** @type {string} */ note) => h("p", { class: "soft" }, note)));
  }

  chosen() {
    if (this.found) this.editor.show(this.found.data, this.view.model.path(this.view.selected));
  }

  /** @param {{data: any, path: number[]}} change */
  async edited({ data, path }) {
    const before = this.source;
    const mine = { kind: "data", data };
    this.source = mine;
    this.order = "drawn";
    this.pick(this.orderList, "drawn");
    await this.run(false, path);
    if (!this.work.error || this.source !== mine) return;
    this.source = before;
    this.editor.refuse();
  }

  /** Fetches what is below some nodes; did it come? @param {number[]} open @param {number} budget */
  async fetch(open, budget) {
    try {
      const { nodes } = await channel.ask("tree.nodes", { lab: this.found.lab, open, budget });
      this.view.add(nodes);
      return true;
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
      return false;
    }
  }

  /** Fetches what is not there yet, piece by piece, so that the page stays awake and it can be stopped. */
  async everything() {
    await this.shown;
    const model = this.view.model;
    for (const node of model.nodes.values()) if (node.m && model.complete(node.i)) model.setOpen(node.i, true);
    await this.work.follow((going) => this.fetchAll(model, going));
    if (this.view.model !== model) return; // another tree has come in the meantime
    this.view.fitAll();
    if (model.nodes.size > EVERYTHING) toast(`The first ${figure(model.nodes.size)} nodes are shown; open subtrees to see the rest.`, "news");
  }

  /** @param {import("/static/tree-model.js").TreeModel} model @param {() => boolean} going */
  async fetchAll(model, going) {
    for (let before = -1; before < model.nodes.size; ) {
      before = model.nodes.size;
      const missing = [...model.nodes.values()].filter((node) => node.m && !model.complete(node.i)).map((node) => node.i);
      for (let from = 0; from < missing.length; from += 400) {
        const came = await this.fetch(missing.slice(from, from + 400), 4000);
        if (!came || !going() || this.view.model !== model || model.nodes.size > EVERYTHING) return;
      }
      this.work.say(`${figure(model.nodes.size)} nodes are here`);
      this.view.fitAll();
    }
  }

  /** @param {HTMLInputElement} input */
  async openFile(input) {
    const file = input.files?.[0];
    if (!file) return;
    if (file.size > 900000) toast("This file is too large for the page: start the workbench with it, as `zermelo web FILE`.");
    else {
      this.source = { kind: "text", name: file.name, text: await file.text() };
      this.order = "drawn";
      await this.run(true);
    }
    input.value = "";
  }

  /** @param {string} form */
  async save(form) {
    const answer = await fetch("/api/export", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ source: this.source, engine: this.found?.engine ?? "none", order: this.order, seed: this.seed, format: form === "png" ? "svg" : form }) }).catch(() => null);
    if (!answer) return toast("The workbench does not answer.");
    if (!answer.ok) return toast(await answer.text());
    const text = await answer.text();
    if (form === "png") return this.png(text);
    save(`tree.${form === "tikz" ? "tex" : form}`, new Blob([text], { type: form === "svg" ? "image/svg+xml" : "text/plain" }));
  }

  async page() {
    const answer = await fetch("/api/page", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ source: this.source, engine: this.found?.engine ?? "auto", order: this.order, seed: this.seed }) }).catch(() => null);
    if (!answer) return toast("The workbench does not answer.");
    if (!answer.ok) return toast(await answer.text());
    save(`${(this.found?.title || "tree").toLowerCase().replace(/\W+/g, "-")}.html`, await answer.blob());
  }

  async share() {
    await this.keep();
    const text = location.href.replace(/\?token=[^#]*/, "");
    await navigator.clipboard.writeText(text).then(() => toast("The address of this tree and this step is in the clipboard.", "news"), () => toast(`The address of this tree: ${text}`, "news"));
  }

  /** The SVG, painted by the browser at twice its size. @param {string} svg */
  async png(svg) {
    const [, width, height] = svg.match(/width="(\d+)" height="(\d+)"/) ?? ["", "1200", "800"];
    const scale = Math.min(2, 8000 / Math.max(Number(width), Number(height)));
    const image = new Image(Number(width), Number(height));
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
    try {
      await image.decode();
    } catch {
      return toast("This picture is too large for a PNG; the SVG can be of any size.");
    }
    const canvas = h("canvas", { width: Number(width) * scale, height: Number(height) * scale });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((/** @type {Blob | null} */ blob) => (blob ? save("tree.png", blob) : toast("This picture is too large for a PNG.")), "image/png");
  }
}

customElements.define("tree-page", TreePage);
