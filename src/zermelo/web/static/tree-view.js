// <tree-view>: a tree that can be walked through with mouse, finger or keyboard. Only what is seen is drawn, so that its size does not matter.

import { drawPicture } from "/static/picture.js";
import { h, s, put } from "/static/dom.js";
import { TreeModel, shortName } from "/static/tree-model.js";

/** @typedef {import("/static/tree-model.js").TreeNode} TreeNode */

const PHONE = 720; // pixels of the width below which the sentence needs its part of the screen
const SHAPE = 17; // half the height of a node
const MOST_DRAWN = 900; // nodes in the picture at once
const SMALL = 0.34; // below this scale nodes are points
const READABLE = 0.6; // from this scale on what stands at the nodes can be read

class TreeView extends HTMLElement {
  constructor() {
    super();
    this.model = new TreeModel();
    this.label = "Tree";
    this.selected = 0;
    /** @type {Map<number, any> | null} what a search knows at its present step; null: all of it */
    this.known = null;
    this.current = -1;
    this.scale = 1;
    this.least = READABLE; // the smallest scale that `fit` chooses
    this.left = 0;
    this.top = 0;
    this.moved = false;
    this.touched = false; // has somebody moved the picture?
    this.waiting = false;
    this.drawn = 0;
    this.lecture = false; // as large as it goes, without boards in the nodes, windows as tags
    /** @type {Map<number, [number, number]>} */
    this.fingers = new Map();
  }

  connectedCallback() {
    if (this.svg) return;
    this.layer = s("g");
    this.svg = s("svg", { class: "tree-canvas", role: "tree", tabindex: 0, "aria-label": this.label, onkeydown: (/** @type {KeyboardEvent} */ event) => this.pressed(event) }, this.layer);
    this.append(this.svg);
    this.svg.addEventListener("wheel", (/** @type {WheelEvent} */ event) => this.wheel(event), { passive: false });
    this.svg.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => this.down(event));
    this.svg.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => this.drag(event));
    for (const end of ["pointerup", "pointercancel"]) this.svg.addEventListener(end, (/** @type {PointerEvent} */ event) => this.fingers.delete(event.pointerId));
    this.svg.addEventListener("click", (/** @type {MouseEvent} */ event) => this.clicked(event));
    new ResizeObserver(() => this.draw()).observe(this);
  }

  /** Shows another tree. @param {TreeNode[]} nodes */
  load(nodes) {
    this.touched = false;
    this.model = new TreeModel();
    this.model.add(nodes);
    this.selected = 0;
    this.known = null;
    this.current = -1;
    this.fit();
  }

  /** Another state of a tree that grows; the picture stays where somebody has moved it to. @param {TreeNode[]} nodes */
  refresh(nodes) {
    this.model = new TreeModel();
    this.model.add(nodes);
    if (this.touched) this.draw();
    else this.fit();
  }

  /** More of the tree has come. @param {TreeNode[]} nodes @param {boolean} [open] */
  add(nodes, open = true) {
    this.model.add(nodes, open);
    this.draw();
  }

  /** As much of the tree as can be read; the root in sight. */
  fit() {
    if (this.model.bare !== this.lecture) Object.assign(this.model, { bare: this.lecture, changed: true });
    this.svg?.classList.toggle("lecture", this.lecture);
    this.model.layout();
    if (this.lecture) this.style.height = "100%";
    const [width, height] = [this.clientWidth || 600, this.clientHeight || 400];
    const tall = this.model.rows.length * this.model.rowHeight + (this.lecture ? 44 : 30);
    this.scale = Math.max(this.least, Math.min(this.lecture ? 2.6 : 1.25, (width - (this.lecture ? 60 : 20)) / Math.max(this.model.width, 1), (height - 10) / tall));
    const root = this.model.places.get(0)?.x ?? 0;
    if (!this.lecture) this.style.height = `max(300px, min(${innerWidth < PHONE ? 44 : 58}vh, ${Math.ceil(1.4 * tall * this.scale + 30)}px))`;
    this.left = this.model.width * this.scale <= width ? (this.model.width - width / this.scale) / 2 : root - width / this.scale / 2;
    this.top = -26;
    this.draw();
  }

  /** Closes what would be too wide to be read side by side. The row below the root stays open, and so does best play. */
  fold() {
    const wide = (1.2 * (this.clientWidth || 600)) / READABLE;
    let narrow = false;
    for (let row = this.model.children(0), below; row.length; row = below) {
      below = row.flatMap((id) => this.model.children(id));
      narrow ||= below.reduce((sum, id) => sum + this.model.room(/** @type {TreeNode} */ (this.model.get(id))), 0) > wide;
      if (!narrow) continue;
      for (const id of row) if (!this.model.get(id)?.c) this.model.setOpen(id, false);
      below = row.flatMap((id) => this.model.children(id));
    }
    this.fit();
  }

  /** The whole tree, however small. */
  fitAll() {
    this.model.layout();
    this.style.height = "";
    this.scale = Math.min(1.25, (this.clientWidth - 20) / Math.max(this.model.width, 1));
    this.left = (this.model.width - this.clientWidth / this.scale) / 2;
    this.top = -20 / this.scale;
    this.draw();
  }

  /** Draws at the next picture of the screen. */
  draw() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.paint();
    });
  }

  paint() {
    if (!this.svg) return;
    this.model.layout();
    const [width, height] = [this.clientWidth || 600, this.clientHeight || 400];
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.layer.setAttribute("transform", `scale(${this.scale}) translate(${-this.left} ${-this.top})`);
    const seen = this.seen(width, height);
    const small = this.scale < SMALL;
    this.svg.classList.toggle("far", small);
    const edges = [];
    const nodes = [];
    const labels = [];
    for (const node of seen) {
      const place = /** @type {any} */ (this.model.places.get(node.i));
      if (node.p >= 0) {
        edges.push(this.edge(node));
        if (!small) labels.push(this.edgeLabel(node));
      }
      nodes.push(small ? s("circle", { class: `tree-point ${node.k}${node.c ? " chosen" : ""}`, cx: place.x, cy: this.y(node), r: 2.2 / this.scale }) : this.node(node, place.x));
    }
    this.drawn = seen.length;
    put(this.layer, edges, small ? null : this.sets(seen), nodes, labels);
    if (seen.some((node) => node.i === this.selected) && !small) this.svg.setAttribute("aria-activedescendant", `tree-node-${this.selected}`);
    else this.svg.removeAttribute("aria-activedescendant");
  }

  /** The nodes in sight, thinned where they are too close to be told apart. @param {number} width @param {number} height @returns {TreeNode[]} */
  seen(width, height) {
    const margin = 80;
    const [from, to] = [this.left - margin, this.left + width / this.scale + margin];
    const rowHeight = this.row;
    const first = Math.max(0, Math.floor(this.top / rowHeight) - 1);
    const last = Math.min(this.model.rows.length - 1, Math.ceil((this.top + height / this.scale) / rowHeight));
    const found = [];
    const least = this.scale < SMALL ? 2.4 / this.scale : 0;
    const room = Math.max(40, Math.floor(MOST_DRAWN / Math.max(1, last - first + 1)));
    for (let depth = first; depth <= last; depth += 1) {
      const row = this.model.rows[depth];
      let [low, high] = [0, row.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (/** @type {any} */ (this.model.places.get(row[middle].i)).x < from) low = middle + 1;
        else high = middle;
      }
      const span = Math.max(least, (to - from) / room);
      const dense = low + room < row.length && /** @type {any} */ (this.model.places.get(row[low + room].i)).x <= to;
      let before = -Infinity;
      for (let index = low; index < row.length; index += 1) {
        const x = /** @type {any} */ (this.model.places.get(row[index].i)).x;
        if (x > to) break;
        if (x - before < (dense ? span : least) && !row[index].c && row[index].i !== this.selected) continue;
        before = x;
        found.push(row[index]);
      }
    }
    return found;
  }

  /** From one row to the next: as the nodes need it; far out, where nodes are points, as the picture has room. */
  get row() {
    const need = this.model.rowHeight;
    if (this.lecture) return Math.max(need, Math.min(2 * need, ((this.clientHeight || 400) / this.scale - 70) / Math.max(1, this.model.rows.length - 1)));
    if (this.scale >= SMALL) return Math.max(need, Math.min(1.5 * need, ((this.clientHeight || 400) / this.scale - 44) / Math.max(1, this.model.rows.length)));
    return Math.max(need, ((this.clientHeight || 400) - 40) / this.scale / Math.max(1, this.model.rows.length));
  }

  /** @param {TreeNode} node */
  y(node) {
    const depth = this.model.places.get(node.i)?.depth ?? 0;
    return depth * this.row + (this.model.boards && !this.model.bare ? 78 : 0) + SHAPE;
  }

  /** What is known about a node now: "" before the search has come there. @param {TreeNode} node */
  stateOf(node) {
    if (!this.known) return { status: node.x ? "pruned" : "done", value: node.v ?? "", window: node.w ?? "" };
    const state = this.known.get(node.i);
    if (state) return state;
    return { status: "ahead", value: node.k === "end" || node.k === "judged" ? (node.v ?? "") : "", window: "" };
  }

  /** @param {TreeNode} node */
  edge(node) {
    const [above, here] = [this.model.places.get(node.p), this.model.places.get(node.i)];
    if (!above || !here) return null;
    const parent = /** @type {TreeNode} */ (this.model.get(node.p));
    const [x1, y1, x2, y2] = [above.x, this.y(parent) + SHAPE, here.x, this.y(node) - SHAPE - (this.lecture ? 0 : boardHeight(node))];
    const state = this.stateOf(node);
    const cut = state.status === "pruned" && (node.u || this.known);
    const [mx, my] = [x1 + (x2 - x1) * 0.42, y1 + (y2 - y1) * 0.42];
    const wide = node.share === undefined ? null : `stroke-width:${(1 + 13 * node.share).toFixed(1)}px`;
    const line = s("line", { class: `tree-edge ${state.status}${node.c && !this.known ? " chosen" : ""}${node.o ? " optimal" : ""}`, x1, y1, x2, y2 });
    if (wide) line.style.strokeWidth = `${(1 + 13 * (node.share ?? 0)).toFixed(1)}px`;
    return s("g", null, line, cut && state.cut !== false ? s("path", { class: "tree-cut", d: `M${mx - 9} ${my + 1}l18 -7M${mx - 9} ${my + 7}l18 -7` }) : null);
  }

  /** @param {TreeNode} node */
  edgeLabel(node) {
    const [above, here] = [this.model.places.get(node.p), this.model.places.get(node.i)];
    if (!above || !here || !(node.a || node.q)) return null;
    const parent = /** @type {TreeNode} */ (this.model.get(node.p));
    const [y1, y2] = [this.y(parent) + SHAPE, this.y(node) - SHAPE - (this.lecture ? 0 : boardHeight(node))];
    const text = [node.a, node.q && `(${node.q})`].filter(Boolean).join(" ");
    return s("text", { class: `tree-action${node.c && !this.known ? " chosen" : ""}`, x: above.x + (here.x - above.x) * 0.72, y: y1 + (y2 - y1) * 0.72 + 4 }, text.length > 22 ? `${text.slice(0, 21)}…` : text);
  }

  /** @param {TreeNode} node @param {number} x */
  node(node, x) {
    const y = this.y(node);
    const state = this.stateOf(node);
    const value = String(state.value ?? "");
    const closed = node.m > 0 && !this.model.children(node.i).length;
    const parts = [shapeOf(node.k, x, y, value.length, this.lecture)];
    if (node.b && !this.lecture) parts.unshift(miniature(node.b, x, y - SHAPE - 74));
    if (value) parts.push(s("text", { class: "tree-value", x, y: y + (node.k === "max" ? (this.lecture ? 10 : 13) : node.k === "min" ? (this.lecture ? 1 : -3) : this.lecture ? 7 : 5) }, value));
    const beside = this.lecture && this.known ? "" : [node.k === "player" ? shortName(node) : "", node.l, state.note ?? (this.known ? "" : node.n), node.f].filter(Boolean).join(" ").slice(0, 26).trim();
    const below = node.k === "end"; // leaves stand close together
    if (beside) parts.push(s("text", { class: `tree-note${/cut/.test(beside) ? " cut" : ""}${below ? " below" : ""}`, x: below ? x : x + rightOf(node.k, value.length), y: below ? y + 27 : y - 6 }, beside));
    if (state.window && this.lecture && node.m && (state.status === "entered" || state.note || this.current === node.i)) parts.push(windowTag(state.window, x + rightOf(node.k, value.length, this.lecture) + (node.k === "max" ? 12 : 4), y));
    else if (state.window && !this.lecture) parts.push(s("text", { class: "tree-window", x, y: y + SHAPE + 13 }, state.window));
    const more = closed ? `+${((node.d ?? node.m + 1) - 1).toLocaleString("en")}` : "";
    const words = [[value, beside, state.window, more].filter(Boolean).join(" "), this.words(node, state, closed)].filter(Boolean).join(": ");
    if (closed) parts.push(s("g", { class: "tree-stub" }, s("line", { class: "tree-edge", x1: x, x2: x, y1: y + SHAPE, y2: y + SHAPE + (state.window ? 18 : 8) }), s("text", { x, y: y + SHAPE + (state.window ? 30 : 20) }, more)));
    return s("g", { id: `tree-node-${node.i}`, class: `tree-node ${node.k} ${state.status}${node.c && !this.known ? " chosen" : ""}${this.selected === node.i ? " selected" : ""}${this.current === node.i ? " current" : ""}`, role: "treeitem", "aria-level": (this.model.places.get(node.i)?.depth ?? 0) + 1, "aria-selected": this.selected === node.i ? "true" : "false", "aria-expanded": node.m ? String(!closed) : null, "aria-label": words, "data-node": node.i }, s("g", { "aria-hidden": "true" }, parts.flatMap((part) => [part, " "])));
  }

  /** A node for whoever listens. @param {TreeNode} node @param {any} state @param {boolean} closed */
  words(node, state, closed) {
    const kind = { max: `${node.y ?? "Max"} moves`, min: `${node.y ?? "Min"} moves`, chance: "chance", end: "end", judged: "estimate", player: `${node.y ?? "a player"} moves`, fold: "more nodes" }[node.k] ?? node.k;
    return [node.a && `after ${node.a}`, kind, state.status === "pruned" && "never looked at", node.c && "on the chosen line", node.s && `information set ${node.s}`, closed && `${((node.d ?? 1) - 1).toLocaleString("en")} nodes below`].filter(Boolean).join(", ");
  }

  /** Dashed lines that join the nodes of one information set. @param {TreeNode[]} seen */
  sets(seen) {
    /** @type {Map<string, TreeNode[]>} */
    const groups = new Map();
    for (const node of seen) {
      if (!node.s) continue;
      const name = `${node.y ?? node.k}|${node.s}|${this.model.places.get(node.i)?.depth}`;
      groups.set(name, [...(groups.get(name) ?? []), node]);
    }
    const lines = [];
    for (const nodes of groups.values()) {
      if (nodes.length < 2) continue;
      nodes.sort((a, b) => /** @type {any} */ (this.model.places.get(a.i)).x - /** @type {any} */ (this.model.places.get(b.i)).x);
      const points = nodes.map((node) => [/** @type {any} */ (this.model.places.get(node.i)).x, this.y(node)]);
      const lift = 26;
      const path = points.slice(1).map(([x, y], index) => `M${points[index][0]} ${points[index][1] - 8}C${points[index][0]} ${y - lift - SHAPE} ${x} ${y - lift - SHAPE} ${x} ${y - 8}`).join("");
      lines.push(s("path", { class: "tree-set", d: path }, s("title", null, nodes[0].s ?? "")));
    }
    return lines;
  }

  /** Chooses a node, and brings it into sight. @param {number} id @param {boolean} [quiet] */
  select(id, quiet = false) {
    if (!this.model.get(id)) return;
    this.selected = id;
    this.show(id);
    if (!quiet) this.dispatchEvent(new CustomEvent("select", { detail: id }));
  }

  /** Moves the picture so that a node can be seen. @param {number} id */
  show(id) {
    this.model.reveal(id);
    this.model.layout();
    const place = this.model.places.get(id);
    if (!place) return;
    const [width, height] = [this.clientWidth / this.scale, this.clientHeight / this.scale];
    const y = place.depth * this.row;
    const still = this.lecture && this.model.width <= width && this.model.rows.length * this.model.rowHeight <= height + 60;
    if (still) return this.draw();
    if (place.x < this.left + 50 || place.x > this.left + width - 50) this.left = place.x - width / 2;
    if (y < this.top + 10 || y + this.row > this.top + height - 10) this.top = y - height / 2;
    this.draw();
  }

  /** Opens or closes a node; what is not known is asked for. @param {number} id */
  toggle(id) {
    const node = this.model.get(id);
    if (!node?.m) return;
    if (this.model.children(id).length) this.model.setOpen(id, false);
    else if (this.model.complete(id)) this.model.setOpen(id, true);
    else this.dispatchEvent(new CustomEvent("wanted", { detail: id }));
    this.draw();
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    if (this.moved) return;
    const target = /** @type {Element} */ (event.target).closest?.("[data-node]");
    if (!target) return;
    const id = Number(target.getAttribute("data-node"));
    if (/** @type {Element} */ (event.target).closest(".tree-stub") || this.selected === id) this.toggle(id);
    this.select(id);
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const node = this.model.get(this.selected);
    if (!node) return;
    const family = this.model.children(node.p);
    const at = family.indexOf(node.i);
    /** @type {Record<string, () => void>} */
    const acts = {
      ArrowDown: () => { if (!this.model.children(node.i).length) this.toggle(node.i); this.select(this.model.children(node.i)[0] ?? node.i); },
      ArrowUp: () => this.select(node.p >= 0 ? node.p : node.i),
      ArrowLeft: () => this.select(family[at - 1] ?? node.i),
      ArrowRight: () => this.select(family[at + 1] ?? node.i),
      Home: () => this.select(0),
      Enter: () => this.toggle(node.i),
      " ": () => this.toggle(node.i),
      "+": () => this.zoom(1.25),
      "=": () => this.zoom(1.25),
      "-": () => this.zoom(0.8),
      0: () => this.fit(),
    };
    const act = acts[event.key];
    if (!act || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    act();
  }

  /** @param {number} factor @param {number} [x] @param {number} [y] */
  zoom(factor, x = this.clientWidth / 2, y = this.clientHeight / 2) {
    const scale = Math.max(0.00005, Math.min(3, this.scale * factor));
    this.left += x / this.scale - x / scale;
    const row = (this.top + y / this.scale) / this.row; // under the pointer; far out rows keep their distance on the screen
    this.scale = scale;
    this.top = row * this.row - y / scale;
    this.touched = true;
    this.draw();
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    event.preventDefault();
    const box = this.getBoundingClientRect();
    if (event.shiftKey || (Math.abs(event.deltaX) > Math.abs(event.deltaY) && !event.ctrlKey)) {
      this.left += (event.deltaX || event.deltaY) / this.scale;
      this.draw();
    } else this.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0016)), event.clientX - box.left, event.clientY - box.top);
  }

  /** @param {PointerEvent} event */
  down(event) {
    this.moved = false;
    this.fingers.set(event.pointerId, [event.clientX, event.clientY]);
  }

  /** One finger moves the picture, two change its size. @param {PointerEvent} event */
  drag(event) {
    const before = this.fingers.get(event.pointerId);
    if (!before || (event.pointerType === "mouse" && !event.buttons)) return;
    const [dx, dy] = [event.clientX - before[0], event.clientY - before[1]];
    if (!this.moved && Math.hypot(dx, dy) < 4) return;
    if (!this.moved) this.svg.setPointerCapture(event.pointerId);
    this.moved = true;
    if (this.fingers.size === 2) {
      const other = [...this.fingers].find(([id]) => id !== event.pointerId)?.[1] ?? before;
      const box = this.getBoundingClientRect();
      const [old, now] = [Math.hypot(before[0] - other[0], before[1] - other[1]), Math.hypot(event.clientX - other[0], event.clientY - other[1])];
      if (old > 10) this.zoom(now / old, (event.clientX + other[0]) / 2 - box.left, (event.clientY + other[1]) / 2 - box.top);
    } else {
      this.touched = true;
      this.left -= dx / this.scale;
      this.top -= dy / this.scale;
    }
    this.fingers.set(event.pointerId, [event.clientX, event.clientY]);
    this.draw();
  }
}

/** Who moves, told by form: Max points up, Min down, chance is round, an end is a box. @param {string} kind @param {number} x @param {number} y @param {number} long @param {boolean} [large] */
function shapeOf(kind, x, y, long, large = false) {
  const half = halfOf(long, large);
  if (kind === "max") return s("path", { class: "tree-shape", d: `M${x} ${y - SHAPE}L${x + half + (large ? 8 : 3)} ${y + SHAPE}H${x - half - (large ? 8 : 3)}Z` });
  if (kind === "min") return s("path", { class: "tree-shape", d: `M${x} ${y + SHAPE}L${x + half + (large ? 8 : 3)} ${y - SHAPE}H${x - half - (large ? 8 : 3)}Z` });
  if (kind === "end" || kind === "judged") return s("rect", { class: "tree-shape", x: x - half + 3, y: y - 13, width: 2 * half - 6, height: 26, rx: 5 });
  if (kind === "player") return s("rect", { class: "tree-shape", x: x - half, y: y - 14, width: 2 * half, height: 28, rx: 14 });
  return s("ellipse", { class: "tree-shape", cx: x, cy: y, rx: Math.max(15, half - 3), ry: 15 });
}

/** Half the width of a node with a value of so many signs; in a lecture these are larger. @param {number} long @param {boolean} large */
const halfOf = (long, large) => (large ? Math.max(20, long * 5.6 + 10) : Math.max(20, long * 4.6 + 9));

/** How far from its middle what stands beside a node begins. @param {string} kind @param {number} long @param {boolean} [large] */
function rightOf(kind, long, large = false) {
  const half = halfOf(long, large);
  return 4 + ({ max: half / 3, end: half - 3, judged: half - 3, player: half, min: half + (large ? 8 : 3) }[kind] ?? Math.max(15, half - 3));
}

/** A window at its node; red where it is closed. @param {string} window @param {number} x @param {number} y */
function windowTag(window, x, y) {
  const [, alpha, beta] = window.match(/^\[(.*), (.*)\]$/) ?? [null, window, ""];
  const number = (/** @type {string} */ text) => (text === "∞" ? Infinity : text === "−∞" ? -Infinity : Number(text.replace("−", "-")));
  const closed = number(alpha) >= number(beta);
  const words = closed ? `α ${alpha} ≥ β ${beta}` : `α ${alpha}  β ${beta}`;
  const wide = 14 + 7.6 * words.length;
  return s("g", { class: `window-tag${closed ? " closed" : ""}` }, s("rect", { x, y: y - 11, width: wide, height: 21, rx: 4 }), s("text", { x: x + wide / 2, y: y + 4 }, words));
}

/** Which form is whose, in words. @param {string[]} names of the players @param {boolean} opponents are there two, with opposite interests? @param {boolean} chance does it move somewhere? */
export function legend(names, opponents, chance) {
  if (!opponents && names.length > 1) return null;
  const forms = [["max", names[0]], ...(opponents ? [["min", names[1]]] : []), ...(chance ? [["chance", "chance"]] : []), ["end", "the end"]];
  return h("ul", { class: "legend forms", role: "list" }, forms.map(([kind, words]) => h("li", null, s("svg", { viewBox: "-24 -20 48 40", width: 22, height: 18, "aria-hidden": "true", class: `tree-node ${kind}` }, shapeOf(kind, 0, 0, 1)), words)));
}

/** By how much a board of this size is made smaller. @param {number} wide @param {number} tall */
const boardScale = (wide, tall) => Math.min(78 / wide, 70 / tall);

/** @type {WeakMap<object, number>} heights of the boards that have been drawn */
const heights = new WeakMap();

/** How far above its node a board reaches. @param {TreeNode} node */
function boardHeight(node) {
  if (!node.b) return 0;
  const known = heights.get(node.b);
  if (known !== undefined) return known;
  const [, , wide, tall] = node.b.box;
  const height = tall * boardScale(wide, tall) + 4;
  heights.set(node.b, height);
  return height;
}

/** @param {any} board @param {number} x @param {number} y */
function miniature(board, x, y) {
  const drawn = drawPicture(board);
  const [wide, tall] = [Number(drawn.getAttribute("data-width")), Number(drawn.getAttribute("data-height"))];
  const scale = boardScale(wide, tall);
  for (const [name, value] of Object.entries({ x: x - (wide * scale) / 2, y: y + 72 - tall * scale, width: wide * scale, height: tall * scale })) drawn.setAttribute(name, String(value));
  drawn.setAttribute("aria-hidden", "true");
  drawn.removeAttribute("role");
  return drawn;
}

customElements.define("tree-view", TreeView);
