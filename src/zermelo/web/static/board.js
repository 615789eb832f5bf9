// <game-board>: shows a position and asks for a move, by click, drag, touch or keyboard. It knows where each move is, and says which was chosen.

import { h, put, s } from "/static/dom.js";
import { drawPicture, key } from "/static/picture.js";

/**
 * @typedef {{action: number, name: string, to?: any[], from?: any[], then?: any[]}} Move
 * @typedef {import("/static/picture.js").Picture} Picture
 */

const DRAGGED = 6; // pixels after which a press is a drag
const GLIDE = 240; // milliseconds that a piece takes to its place
const CROWDED = 30; // places: where more can be clicked, only the best are marked
const LONGEST_TAG = 60; // width of a value such as "loss 12"
const FEW = 8; // best moves that stand out on a crowded board

/** Which moves a place means now. @param {Move[]} moves @param {string} place @param {string | null} picked */
function meant(moves, place, picked) {
  if (picked) {
    const onward = moves.filter((move) => key(move.from) === picked && key(move.to) === place);
    if (onward.length) return onward;
  }
  const placing = moves.filter((move) => key(move.to) === place && !move.from);
  return placing.length ? placing : moves.filter((move) => key(move.from) === place);
}

/** Are all moves estimated alike? Then their values say nothing. @param {any} judgement */
export function dull(judgement) {
  const worths = Object.values(judgement?.moves ?? {});
  return worths.length > 1 && worths.every((/** @type {any} */ worth) => worth.shape === "estimate") && new Set(worths.map((/** @type {any} */ worth) => worth.short)).size === 1;
}

/** The order of moves for whoever makes them: a sooner win and a later loss are better. @param {any} worth */
export function merit(worth) {
  return worth.lead + (worth.shape === "win" ? 1e6 - (worth.distance ?? 0) : worth.shape === "loss" ? -1e6 + (worth.distance ?? 0) : 0);
}

/** An arrow between the middles of two places. @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2 */
function arrow(x1, y1, x2, y2) {
  const long = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [dx, dy] = [(x2 - x1) / long, (y2 - y1) / long];
  const [ex, ey] = [x2 - dx * 10, y2 - dy * 10];
  return s("g", null, s("path", { class: "arrow-body", d: `M${x1 + dx * 14} ${y1 + dy * 14}L${ex - dx * 20} ${ey - dy * 20}` }), s("path", { class: "arrow-head", d: `M${ex} ${ey}l${-dx * 22 - dy * 11} ${-dy * 22 + dx * 11}l${dy * 22} ${-dx * 22}z` }));
}

const STONES = ["stones", "go", "othello", "frame", "men"]; // looks of grids on which stones are set

/** Are round pieces set on this board? @param {Picture} picture */
const stands = (picture) => ["hexes", "graph"].includes(picture.kind) || STONES.includes(picture.look);

class GameBoard extends HTMLElement {
  constructor() {
    super();
    /** @type {any} */
    this.state = null;
    /** @type {string | null} */
    this.picked = null;
    /** @type {number | null} */
    this.hint = null;
    /** @type {any} */
    this.judgement = null;
    /** @type {any[]} plies that are shown as arrows */
    this.arrows = [];
    /** @type {number | null} the move that somebody looks at */
    this.looked = null;
    /** @type {Move[] | null} moves that differ only in the place that is chosen last, such as where an arrow flies */
    this.staged = null;
    this.dropped = false;
    this.swallow = false;
  }

  /** @param {any} state @param {any} judgement @param {number | null} hint @param {any[]} [arrows] */
  show(state, judgement, hint, arrows = []) {
    const moved = this.state && state.table === this.state.table && state.now !== this.state.now;
    if (state?.now !== this.state?.now || state.table !== this.state?.table) this.picked = this.staged = null;
    Object.assign(this, { state, judgement, hint, arrows });
    this.draw(moved);
  }

  /** @param {boolean} [moved] */
  draw(moved = false) {
    const state = this.state;
    const focused = /** @type {any} */ (this.querySelector(":focus"))?.getAttribute("data-place");
    const label = `The board. ${state.over ? state.outcome : `${state.moverName} is to move.`}`;
    if (!state.picture) {
      put(this, h("pre", { class: "board-text" }, state.text || "This game has no board; its moves are listed by name."), this.fault());
      return;
    }
    const picture = /** @type {Picture} */ (state.picture);
    const under = [state.last?.from, state.last?.to].map(key).filter((place) => place in picture.places && picture.look !== "frame").map((place) => this.square(picture, place, "last"));
    for (const place of [this.picked, this.staged && key(this.staged[0].to)]) if (place && place in picture.places) under.push(this.square(picture, place, "picked"));
    const drawn = drawPicture(picture, { label, layers: [this.targets(picture), this.hits(picture), this.lines(picture), this.tags(picture)] });
    const ground = /** @type {any} */ (drawn.firstElementChild);
    const first = [...ground.children].findIndex((each) => each.hasAttribute("data-piece"));
    ground.insertBefore(s("g", null, under), first < 0 ? null : ground.children[first]);
    const front = ground.querySelector("[data-front]");
    if (front) { ground.append(front); }
    this.svg = drawn;
    drawn.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => this.down(event));
    const caption = this.staged ? "One more click ends the move; Esc lets go." : picture.caption;
    put(this, drawn, caption ? h("p", { class: "board-caption" }, caption) : null, this.fault());
    if (moved) this.glide(picture);
    if (focused) /** @type {any} */ (this.querySelector(`[data-place="${CSS.escape(focused)}"]`) ?? this.querySelector('[role="button"]'))?.focus();
  }

  fault() {
    return this.state.fault ? h("p", { class: "problem", role: "status" }, this.state.fault) : null;
  }

  /** @param {Picture} picture @param {string} place @param {string} name */
  square(picture, place, name) {
    const [x, y, width, height] = picture.places[place];
    const round = ["graph", "hexes", "pits"].includes(picture.kind);
    return round ? s("circle", { class: `mark-${name}`, cx: x, cy: y, r: width * 0.56 }) : s("rect", { class: `mark-${name}`, x: x - width / 2, y: y - height / 2, width, height, rx: picture.kind === "grid" ? 0 : 6 });
  }

  /** Places that can be clicked now, each with the moves that it means. @param {Picture} picture @returns {Array<[string, Move[]]>} */
  possible(picture) {
    if (!this.state.human) return [];
    if (this.staged) return this.staged.map((move) => /** @type {[string, Move[]]} */ ([key(move.then), [move]])).filter(([place]) => place in picture.places);
    const moves = /** @type {Move[]} */ (this.state.legal);
    return Object.keys(picture.places).map((place) => /** @type {[string, Move[]]} */ ([place, meant(moves, place, this.picked ?? this.sole())])).filter(([, found]) => found.length);
  }

  /** The only place from which anything can move: it need not be picked. */
  sole() {
    const from = new Set(this.state.legal.map((/** @type {Move} */ move) => key(move.from)));
    const goals = new Set(this.state.legal.map((/** @type {Move} */ move) => key(move.to)));
    return from.size === 1 && goals.size > 1 ? [...from][0] : null;
  }

  /** Is a click here the end of a move? @param {Move[]} moves @param {string} place */
  final(moves, place) {
    return Boolean(this.staged) || moves.every((move) => key(move.to) === place || !move.from || !move.to);
  }

  /** A dot where a move can end, a ring where it takes something. @param {Picture} picture */
  targets(picture) {
    const last = picture.places[key(this.state.last?.to)];
    const ring = last && picture.look === "frame" ? s("circle", { class: "mark-ring", cx: last[0], cy: last[1], r: last[2] * 0.39 }) : null;
    const possible = this.possible(picture);
    const crowded = possible.length > CROWDED && !this.picked;
    return s("g", { class: "targets", "aria-hidden": "true" }, ring, possible.map(([place, moves]) => {
      const [x, y, width, height, , , full] = picture.places[place];
      if (!this.final(moves, place) || (picture.kind !== "grid" && picture.kind !== "graph" && picture.kind !== "hexes" && picture.kind !== "dots" && picture.kind !== "points")) return null;
      if (picture.kind === "dots") {
        const [wide, tall] = width > height ? [width, 5] : [5, height];
        return s("rect", { class: "target-line", x: x - wide / 2, y: y - tall / 2, width: wide, height: tall, rx: 2.5 });
      }
      const least = Math.min(width, height);
      if (crowded && picture.look !== "chess") return null;
      if (this.tagged(moves, crowded) && !full && picture.look !== "chess" && picture.look !== "draughts" && picture.look !== "men") return null;
      return full && this.picked ? s("circle", { class: "target-ring", cx: x, cy: y, r: least * 0.44 }) : full ? null : s("circle", { class: "target-dot", cx: x, cy: y, r: Math.min(least * 0.13, picture.box[2] / 56) });
    }));
  }

  /** Does the value of these moves stand on the board? On a crowded one only the best do. @param {Move[]} moves @param {boolean} crowded */
  tagged(moves, crowded) {
    if (!this.worthOf(moves) || dull(this.judgement)) return false;
    return !crowded || (this.judgement.best.length <= FEW && moves.some((move) => this.judgement.best.includes(move.action)));
  }

  /** What the best of these moves is worth. @param {Move[]} moves */
  worthOf(moves) {
    const worths = moves.map((move) => this.judgement?.moves[String(move.action)]).filter(Boolean);
    return worths.sort((one, other) => merit(other) - merit(one))[0];
  }

  /** @param {Picture} picture */
  hits(picture) {
    const drop = picture.look === "frame";
    return s("g", { class: "hits" }, this.possible(picture).map(([place, moves]) => {
      const [x, y, width, height] = picture.places[place];
      const worth = this.worthOf(moves);
      const best = moves.some((move) => this.judgement?.best.includes(move.action));
      const hinted = moves.some((move) => move.action === this.hint);
      const words = `${moves.length === 1 ? `Move ${moves[0].name}` : `${place.replace(",", ", ")}: ${moves.length} moves`}${worth ? `: ${worth.words}` : ""}`;
      const top = drop ? picture.box[1] : y - height / 2;
      return s("g", { class: `hit${best && this.judgement ? " best" : ""}${hinted ? " hint" : ""}`, role: "button", tabindex: 0, "data-place": place, "aria-label": words, onclick: () => this.choose(moves, place), onkeydown: (/** @type {KeyboardEvent} */ event) => this.pressed(event, moves, place), onpointerenter: () => this.hover(moves), onfocus: () => this.hover(moves), onpointerleave: () => this.hover([]), onblur: () => this.hover([]) },
        s("rect", { class: "hit-box", x: x - width / 2, y: top, width, height: y + height / 2 - top, rx: 4 }));
    }));
  }

  /** What somebody looks at is told, once. @param {Move[]} moves */
  hover(moves) {
    const action = moves.length === 1 ? moves[0].action : null;
    if (action === this.looked) return;
    this.looked = action;
    this.dispatchEvent(new CustomEvent("look", { detail: action }));
  }

  /** Arrows of the plies that are shown, numbered and fading. @param {Picture} picture */
  lines(picture) {
    const size = Math.max(0.45, Math.min(1, picture.box[2] / 420));
    const seen = this.arrows.map((ply, index) => ({ ...ply, index })).filter((ply) => key(ply.to) in picture.places);
    return s("g", { class: "arrows", "aria-hidden": "true" }, seen.reverse().map((ply) => {
      const [x2, y2, width, height, , , full] = picture.places[key(ply.to)];
      const from = key(ply.from);
      const badge = (/** @type {number} */ x, /** @type {number} */ y) => s("g", { transform: `translate(${x} ${y}) scale(${size})` }, s("circle", { class: "arrow-head", r: 9 }), s("text", { class: "arrow-number", y: 4 }, String(ply.index + 1)));
      if (from in picture.places) {
        const [x1, y1] = picture.places[from];
        const shaft = arrow(x1, y1, x2, y2);
        shaft.style.opacity = String(Math.max(0.35, 0.85 - 0.22 * ply.index));
        const [share, long] = [Math.min(width, height) * 0.36, Math.hypot(x2 - x1, y2 - y1) || 1]; // beside what stands there
        return s("g", null, shaft, badge(x1 + ((x2 - x1) * share) / long, y1 + ((y2 - y1) * share) / long));
      }
      if (full || !stands(picture)) return badge(x2 - Math.min(20, width / 3), y2 - Math.min(20, height / 3));
      const radius = Math.min(width, height) * 0.4; // a stone will stand there
      const side = picture.sides?.[ply.mover];
      const stone = s("g", null, s("circle", { class: "ghost", cx: x2, cy: y2, r: radius, fill: side ? `var(--b-${side})` : "var(--arrow)" }),
        s("text", { class: `ghost-number${["white", "yellow"].includes(side ?? "") ? " on-pale" : ""}`, transform: `translate(${x2} ${y2}) scale(${Math.min(1.6, radius / 12)})`, y: 4 }, String(ply.index + 1)));
      stone.style.opacity = String(Math.max(0.5, 0.9 - 0.1 * ply.index));
      return stone;
    }));
  }

  /** What each move is worth, beside the place where it ends. @param {Picture} picture */
  tags(picture) {
    const possible = this.possible(picture);
    const crowded = possible.length > CROWDED;
    const pixel = picture.box[2] / (this.clientWidth || 480);
    const room = Math.min(...possible.map(([place]) => picture.places[place][2])) / LONGEST_TAG;
    const size = Math.max(0.45, Math.min(1.1, picture.box[2] / 480), Math.min(pixel, room)); // as large on a small board as on a large one, and read on a phone
    return s("g", { class: "tags", "aria-hidden": "true" }, possible.map(([place, moves]) => {
      if (!this.tagged(moves, crowded) || !this.final(moves, place)) return null;
      const worth = this.worthOf(moves);
      const [, middle, , tall, x, above] = picture.places[place];
      const covered = above === middle && stands(picture) && this.arrows.some((ply) => key(ply.to) === place);
      const y = covered ? middle + tall * 0.3 : above;
      const wide = 12 + 6.6 * worth.short.length;
      return s("g", { class: `tag ${worth.shape}${worth.shape !== "loss" && moves.some((move) => this.judgement.best.includes(move.action)) ? " best" : ""}`, transform: `translate(${x} ${y}) scale(${size})` }, s("rect", { x: -wide / 2, y: -9, width: wide, height: 18, rx: 9 }), s("text", { x: 0, y: 4 }, worth.short));
    }));
  }

  /** @param {Move[]} moves @param {string} place */
  choose(moves, place) {
    if (this.swallow) { // the click at the end of a drag
      this.swallow = false;
      return;
    }
    const goals = new Set(this.state.legal.map((/** @type {Move} */ move) => key(move.to)));
    if (this.staged) return this.commit(moves[0].action);
    if (this.picked === place && moves.every((move) => key(move.from) === place)) this.picked = null; // lets go
    else if (moves.length === 1 && (this.final(moves, place) || goals.size === 1)) return this.commit(moves[0].action);
    else if (this.final(moves, place)) this.ask(moves);
    else this.picked = place;
    this.draw();
  }

  /** @param {number} action */
  commit(action) {
    this.picked = this.staged = null;
    this.dispatchEvent(new CustomEvent("move", { detail: action }));
  }

  /** Several moves mean these places: one more place tells them apart, or the page asks. @param {Move[]} moves */
  ask(moves) {
    this.picked = null;
    if (moves.every((move) => move.then) && new Set(moves.map((move) => key(move.then))).size === moves.length) {
      this.staged = moves;
      return this.draw();
    }
    this.dispatchEvent(new CustomEvent("ambiguous", { detail: moves }));
  }

  /** The place under a point of the screen. @param {number} x @param {number} y */
  under(x, y) {
    const matrix = this.svg?.getScreenCTM();
    if (!matrix) return null;
    const at = new DOMPoint(x, y).matrixTransform(matrix.inverse());
    const places = Object.entries(/** @type {Picture} */ (this.state.picture).places);
    return places.find(([, [px, py, width, height]]) => Math.abs(at.x - px) <= width / 2 && Math.abs(at.y - py) <= height / 2)?.[0] ?? null;
  }

  /** A piece is taken up; where it is let go, it moves. @param {PointerEvent} event */
  down(event) {
    this.swallow = false;
    const place = this.under(event.clientX, event.clientY);
    if (!place || !this.state.human || event.button) return;
    const moves = this.state.legal.filter((/** @type {Move} */ move) => key(move.from) === place);
    const piece = /** @type {SVGGElement | null} */ (this.svg.querySelector(`[data-piece="${CSS.escape(place)}"]`));
    if (!moves.length || !piece) return;
    const matrix = this.svg.getScreenCTM();
    const before = piece.getAttribute("transform") ?? "";
    let far = false;
    const move = (/** @type {PointerEvent} */ now) => {
      const [dx, dy] = [now.clientX - event.clientX, now.clientY - event.clientY];
      if (!far && Math.hypot(dx, dy) < DRAGGED) return;
      if (!far) {
        far = true;
        piece.parentNode?.append(piece);
        this.classList.add("dragging");
      }
      piece.setAttribute("transform", `translate(${dx / matrix.a} ${dy / matrix.d}) ${before}`);
    };
    const end = (/** @type {PointerEvent} */ now) => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      this.classList.remove("dragging");
      if (!far) return;
      this.swallow = true;
      setTimeout(() => { this.swallow = false; }, 50);
      const target = now.type === "pointerup" ? this.under(now.clientX, now.clientY) : null;
      const found = moves.filter((/** @type {Move} */ each) => key(each.to) === target);
      if (found.length === 1) {
        this.dropped = true; // it is there already: nothing glides
        this.commit(found[0].action);
      } else if (found.length > 1) this.ask(found);
      else this.draw();
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  }

  /** The piece that has moved comes from where it was. @param {Picture} picture */
  glide(picture) {
    if (this.dropped || matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.dropped = false;
      return;
    }
    const to = key(this.state.last?.to);
    const piece = this.svg.querySelector(`[data-piece="${CSS.escape(to)}"]`);
    if (!piece || !(to in picture.places)) return;
    const [x, y] = picture.places[to];
    const from = key(this.state.last?.from);
    const start = from in picture.places ? `translate(${picture.places[from][0]}px, ${picture.places[from][1]}px)` : picture.look === "frame" ? `translate(${x}px, -40px)` : `translate(${x}px, ${y}px) scale(.6)`;
    const here = /** @type {any} */ (piece).getAttribute("transform").match(/-?[\d.]+/g).map(Number);
    piece.animate([{ transform: start }, { transform: `translate(${here[0]}px, ${here[1]}px)` }], { duration: picture.look === "frame" ? 120 + y * 0.7 : GLIDE, easing: picture.look === "frame" ? "cubic-bezier(.5,0,.9,.6)" : "ease-out" });
  }

  /** Enter and space choose, escape lets go; arrows go to the next place in that direction. @param {KeyboardEvent} event @param {Move[]} moves @param {string} place */
  pressed(event, moves, place) {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.choose(moves, place);
      return;
    }
    if (event.key === "Escape" && (this.picked || this.staged)) {
      this.picked = this.staged = null;
      this.draw();
      return;
    }
    const step = /** @type {Record<string, [number, number]>} */ ({ ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] })[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const picture = /** @type {Picture} */ (this.state.picture);
    const [x, y] = picture.places[place];
    let [nearest, least] = ["", Infinity];
    for (const [other] of this.possible(picture)) {
      const [ox, oy] = picture.places[other];
      const along = (ox - x) * step[0] + (oy - y) * step[1];
      const aside = Math.abs((ox - x) * step[1]) + Math.abs((oy - y) * step[0]);
      if (other !== place && along > 4 && along + 2 * aside < least) [nearest, least] = [other, along + 2 * aside];
    }
    /** @type {any} */ (this.querySelector(`[data-place="${CSS.escape(nearest)}"]`))?.focus();
  }
}

customElements.define("game-board", GameBoard);
