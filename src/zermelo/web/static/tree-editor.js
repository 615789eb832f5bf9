// A tree edited by hand: nested data in, nested data out. Every change makes a new copy, so that it can be taken back.

import { h, put, select } from "/static/dom.js";

const CHANGES_KEPT = 50;

/** <tree-editor>: shows the chosen node's parts; tells `change` with the new data and the path of the node to choose then. */
class TreeEditor extends HTMLElement {
  constructor() {
    super();
    /** @type {any} */
    this.data = null;
    /** @type {number[]} */
    this.path = [];
    /** @type {any[]} */
    this.past = [];
  }

  /** @param {any} data @param {number[]} path */
  show(data, path) {
    this.data = data;
    this.path = path;
    if (this.contains(document.activeElement) && document.activeElement?.tagName === "INPUT") return;
    this.draw();
  }

  /** @param {any} data @param {number[]} path */
  at(data, path) {
    return path.reduce((node, place) => node.actions[place].node, data.root);
  }

  draw() {
    if (!this.data) {
      put(this, h("p", { class: "soft" }, "This tree is too large to be edited here."));
      return;
    }
    let node;
    try {
      node = this.at(this.data, this.path);
    } catch {
      node = this.data.root;
      this.path = [];
    }
    const parent = this.path.length ? this.at(this.data, this.path.slice(0, -1)) : null;
    const place = this.path[this.path.length - 1];
    const end = !node.actions;
    const movers = /** @type {Array<[string, string]>} */ ([["Max", this.called(0)], ["Min", this.called(1)], ["Chance", "chance"], ["end", "nobody: the game ends"]]);
    for (let player = 3; player <= Math.max(3, this.data.players); player += 1) movers.splice(player - 1, 0, [String(player), this.called(player - 1)]);
    const field = (/** @type {string} */ words, /** @type {any} */ value, /** @type {(text: string) => void} */ change, /** @type {string} */ hint = "") => h("label", { class: "field" }, h("span", null, words), h("input", { type: "text", value: value ?? "", placeholder: hint, onchange: (/** @type {any} */ event) => change(event.target.value.trim()) }));
    const button = (/** @type {string} */ words, /** @type {() => void} */ act, /** @type {boolean} */ off = false) => h("button", { type: "button", disabled: off, onclick: act }, words);
    const action = parent?.actions[place];
    put(this,
      h("p", { class: "soft" }, this.path.length ? `After ${this.names().join(", ")}` : "The root"),
      h("div", { class: "controls" },
        select("Who moves", movers, end ? "end" : String(node.player), (value) => this.edit((data) => this.mover(data, value))),
        end ? field(Array.isArray(node.payoff) ? "Payoffs, one per player" : `Payoff for ${this.data.names?.[0] ?? "Max"}`, Array.isArray(node.payoff) ? node.payoff.join(", ") : node.payoff, (text) => this.edit((data) => { this.at(data, this.path).payoff = payoff(text); })) : field("Information set", node.information, (text) => this.edit((data) => { this.set(this.at(data, this.path), "information", text); }), "none"),
        field("Label", node.label, (text) => this.edit((data) => { this.set(this.at(data, this.path), "label", text); }), "none"),
        action ? field("Move that leads here", action.name, (text) => this.edit((data) => { this.at(data, this.path.slice(0, -1)).actions[place].name = text; })) : null,
        action && parent.player === "Chance" ? field("Probability or weight", action.weight ?? 1, (text) => this.edit((data) => { this.at(data, this.path.slice(0, -1)).actions[place].weight = numeral(text); })) : null),
      h("div", { class: "controls" },
        button("Add a move", () => this.edit((data) => this.grow(data), [...this.path, end ? 0 : node.actions.length])),
        button("Delete", () => this.edit((data) => this.prune(data), this.path.slice(0, -1)), !parent),
        button("Move left", () => this.shift(-1), !parent || place === 0),
        button("Move right", () => this.shift(1), !parent || place === parent.actions.length - 1),
        button("Take back", () => this.takeBack(), !this.past.length)));
  }

  /** A player as the list of movers says it: by the name that a file gives, or by number. @param {number} player */
  called(player) {
    const name = this.data.names?.[player] ?? (this.data.players <= 2 && this.data.total !== null ? ["Max", "Min"][player] : undefined);
    return name ? `${name}, player ${player + 1}` : `player ${player + 1}`;
  }

  names() {
    const names = [];
    let node = this.data.root;
    for (const place of this.path) {
      names.push(node.actions[place].name);
      node = node.actions[place].node;
    }
    return names;
  }

  /** @param {(data: any) => void} change @param {number[]} [then] */
  edit(change, then = this.path) {
    const copy = structuredClone(this.data);
    this.past = [...this.past, { data: this.data, path: this.path }].slice(-CHANGES_KEPT);
    change(copy);
    copy.total = sameTotal(copy);
    this.data = copy;
    this.path = then;
    this.dispatchEvent(new CustomEvent("change", { detail: { data: copy, path: then } }));
    this.draw();
  }

  /** The last change made no tree: it never happened. */
  refuse() {
    const last = this.past.pop();
    if (!last) return;
    Object.assign(this, last);
    this.draw();
  }

  takeBack() {
    const last = this.past.pop();
    if (!last) return;
    Object.assign(this, last);
    this.dispatchEvent(new CustomEvent("change", { detail: last }));
    this.draw();
  }

  /** @param {any} node @param {string} name @param {string} text */
  set(node, name, text) {
    if (text) node[name] = text;
    else delete node[name];
  }

  /** @param {any} data @param {string} value */
  mover(data, value) {
    const node = this.at(data, this.path);
    if (value === "end") {
      const many = data.players > 2 || data.total === null;
      replace(node, { payoff: many ? Array(data.players).fill(0) : 0, label: node.label });
      return;
    }
    const player = /^\d+$/.test(value) ? Number(value) : value;
    if (typeof player === "number" && player > data.players) widen(data, player);
    if (!node.actions) replace(node, { label: node.label, actions: [{ name: "a", node: { payoff: node.payoff } }, { name: "b", node: { payoff: structuredClone(node.payoff) } }] });
    node.player = player;
    for (const action of node.actions) {
      if (player === "Chance") action.weight ??= 1;
      else delete action.weight;
    }
    if (player === "Chance") delete node.information;
  }

  /** @param {any} data */
  grow(data) {
    const node = this.at(data, this.path);
    if (!node.actions) {
      const kept = node.payoff;
      const above = this.path.length ? this.at(data, this.path.slice(0, -1)).player : "Min";
      replace(node, { label: node.label, player: above === "Max" ? "Min" : "Max", actions: [{ name: "a", node: { payoff: kept } }] });
      return;
    }
    const taken = new Set(node.actions.map((/** @type {any} */ action) => action.name));
    const name = [..."abcdefghijklmnopqrstuvwxyz"].find((letter) => !taken.has(letter)) ?? `move ${node.actions.length + 1}`;
    const many = data.players > 2 || data.total === null;
    node.actions.push({ name, ...(node.player === "Chance" ? { weight: 1 } : {}), node: { payoff: many ? Array(data.players).fill(0) : 0 } });
  }

  /** @param {any} data */
  prune(data) {
    const parent = this.at(data, this.path.slice(0, -1));
    parent.actions.splice(this.path[this.path.length - 1], 1);
    if (!parent.actions.length) replace(parent, { payoff: data.players > 2 || data.total === null ? Array(data.players).fill(0) : 0, label: parent.label });
  }

  /** @param {number} step */
  shift(step) {
    const place = this.path[this.path.length - 1];
    this.edit((data) => {
      const actions = this.at(data, this.path.slice(0, -1)).actions;
      [actions[place], actions[place + step]] = [actions[place + step], actions[place]];
    }, [...this.path.slice(0, -1), place + step]);
  }
}

/** @param {any} node @param {any} other */
function replace(node, other) {
  for (const name of Object.keys(node)) delete node[name];
  for (const [name, value] of Object.entries(other)) if (value !== undefined) node[name] = value;
}

/** A number as the server reads it: whole numbers, decimals, or a fraction such as 1/3. @param {string} text */
function numeral(text) {
  const plain = text.replace("−", "-");
  return plain !== "" && Number.isFinite(Number(plain)) ? Number(plain) : plain;
}

/** @param {string} text */
function payoff(text) {
  const parts = text.replace(/[()[\]]/g, "").split(/[,;\s]+/).filter(Boolean);
  return parts.length > 1 ? parts.map(numeral) : numeral(parts[0] ?? "");
}

/** @param {any} node @param {(leaf: any) => void} visit */
function leaves(node, visit) {
  if (!node.actions) visit(node);
  else for (const action of node.actions) leaves(action.node, visit);
}

/** One more player: every end gets a payoff for each. @param {any} data @param {number} players */
function widen(data, players) {
  leaves(data.root, (leaf) => {
    const known = Array.isArray(leaf.payoff) ? leaf.payoff : [leaf.payoff, -leaf.payoff || 0];
    leaf.payoff = [...known, ...Array(players - known.length).fill(0)];
  });
  data.players = players;
  data.total = null;
  if (data.names?.length) data.names = [];
}

/** Payoffs that are single numbers are Max's, with the total that the tree has; lists have a total where they all add up to it. @param {any} data */
function sameTotal(data) {
  let lists = false;
  let singles = false;
  leaves(data.root, (leaf) => { if (Array.isArray(leaf.payoff)) lists = true; else singles = true; });
  if (!lists) return data.players <= 2 ? (data.total ?? 0) : null;
  if (singles) leaves(data.root, (leaf) => { if (!Array.isArray(leaf.payoff)) leaf.payoff = [leaf.payoff, typeof leaf.payoff === "number" ? -leaf.payoff : 0]; });
  return null;
}

customElements.define("tree-editor", TreeEditor);
