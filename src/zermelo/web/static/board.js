// Boards from plain data: grids, hexes, piles, cards, dice, or text. A board knows no game; it knows where each move is, and says which was chosen.

import { SHAPES, h, put, s } from "/static/dom.js";

/**
 * @typedef {{action: number, name: string, to?: any[], from?: any[]}} Move
 * @typedef {{small?: boolean, moves?: Move[], worths?: Record<string, any> | null, best?: number[], last?: any, picked?: string | null, hint?: number | null, choose?: (moves: Move[], place: string) => void, label?: string}} Options
 */

const CELL = 60;
const WIDEST = 14; // columns up to which a board is made to fit
const CHESS = /** @type {Record<string, string>} */ ({ k: "♚", q: "♛", r: "♜", b: "♝", n: "♞", p: "♟" });
/** Whose stone a mark is; capitals among b and w are kings. @type {Record<string, string>} */
const SIDES = { X: "x", O: "o", x: "x", o: "o", b: "x", w: "o", B: "x", W: "o" };
const PIPS = /** @type {Record<string, number[]>} */ ({ 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] });

/**
 * An SVG of the board; text where its kind is not known.
 * @param {any} board
 * @param {Options} [options]
 * @returns {Element}
 */
export function drawBoard(board, options = {}) {
  const painter = PAINTERS[board?.kind];
  if (!painter) return h("pre", { class: "board-text" }, typeof board === "string" ? board : "");
  const { width, height, parts } = painter(board, options);
  const pad = options.small ? 2 : 6;
  const picture = s("svg", { class: `board board-${board.kind}`, viewBox: `${-pad} ${-pad} ${width + 2 * pad} ${height + 2 * pad}`, role: options.choose ? "group" : "img", "aria-label": options.label ?? "The board", "data-width": width, "data-height": height }, parts);
  const least = board.kind === "grid" || board.kind === "hexes" ? 400 : 0;
  const wide = board.kind === "grid" && width > WIDEST * CELL;
  if (!options.small && wide) picture.style.minWidth = `${width / 2}px`; // half the size of a cell can still be read and touched; the rest is scrolled
  else if (!options.small) picture.style.maxWidth = `min(100%, ${Math.max(least, Math.min(640, width * 1.6))}px)`;
  return board.caption && !options.small ? h("figure", { class: "board-figure" }, wide ? h("div", { class: "board-scroll" }, picture) : picture, h("figcaption", null, board.caption)) : picture;
}

/** A name for a place that can be compared. @param {any} place */
export const key = (place) => (place ? place.join(",") : "");

/**
 * Which moves a click on a place may mean.
 * @param {Move[]} moves
 * @param {string} place
 * @param {string | null | undefined} picked the place that was chosen first, where a move has two
 * @returns {Move[]}
 */
function meant(moves, place, picked) {
  if (picked) {
    const onward = moves.filter((move) => key(move.from) === picked && key(move.to) === place);
    if (onward.length) return onward;
  }
  const arriving = moves.filter((move) => key(move.to) === place);
  const leaving = moves.filter((move) => key(move.from) === place);
  const placing = arriving.filter((move) => !move.from);
  if (placing.length) return placing;
  if (leaving.length) return leaving;
  return [];
}

/**
 * In a game of dropping, a click anywhere in a column means its cell.
 * @param {Move[]} moves
 * @param {number} row
 * @param {number} column
 * @returns {string}
 */
function dropped(moves, row, column) {
  const columns = moves.map((move) => move.to?.[1]);
  const own = moves.find((move) => move.to?.[1] === column && !move.from);
  const isDrop = moves.length > 0 && columns.every((each) => each !== undefined) && new Set(columns).size === columns.length;
  return own?.to && isDrop && own.to[0] >= row ? key(own.to) : `${row},${column}`;
}

/**
 * @param {any} board
 * @param {Options} options
 */
function grid(board, options) {
  const rows = /** @type {string[][]} */ (board.rows.map((/** @type {any[]} */ row) => row.map((cell) => (cell === null || cell === undefined || cell === "." ? "" : String(cell)))));
  const columns = Math.max(...rows.map((row) => row.length), 1);
  const hexes = board.kind === "hexes";
  const width = columns * CELL + (hexes ? ((rows.length - 1) * CELL) / 2 : 0);
  const flat = rows.flat().filter(Boolean);
  const look = {
    chess: flat.includes("K") && flat.includes("k") && flat.every((mark) => mark.toLowerCase() in CHESS),
    discs: rows.length * columns > 12 && flat.every((mark) => mark in SIDES),
    draughts: flat.length > 0 && flat.every((mark) => /^[bw]$/i.test(mark)),
    tiles: flat.some((mark) => /^\d+$/.test(mark)),
  };
  const moves = options.moves ?? [];
  const parts = hexes ? [] : [s("rect", { class: "board-ground", x: 0, y: 0, width, height: rows.length * CELL, rx: 8 })];
  rows.forEach((row, r) => row.forEach((mark, c) => {
    const x = c * CELL + (hexes ? (r * CELL) / 2 : 0);
    parts.push(cell(mark, r, c, x, r * CELL, look, moves, options, hexes));
  }));
  return { width, height: rows.length * CELL, parts };
}

/**
 * @param {string} mark
 * @param {number} r
 * @param {number} c
 * @param {number} x
 * @param {number} y
 * @param {{chess: boolean, discs: boolean, draughts: boolean, tiles: boolean}} look
 * @param {Move[]} moves
 * @param {Options} options
 * @param {boolean} hexes
 */
function cell(mark, r, c, x, y, look, moves, options, hexes) {
  const own = `${r},${c}`;
  const place = options.choose && !hexes ? dropped(moves, r, c) : own;
  const possible = options.choose ? meant(moves, place, options.picked) : [];
  const direct = possible.length && place === own;
  const worth = direct && options.worths && possible.length === 1 ? options.worths[String(possible[0].action)] : null;
  const best = direct && possible.some((move) => options.best?.includes(move.action));
  const classes = ["cell", (look.chess || look.draughts) && (r + c) % 2 && "odd", possible.length && "open", options.picked === own && "picked", best && options.worths && "best", options.last && key(options.last) === own && "last", options.hint !== undefined && direct && possible.some((move) => move.action === options.hint) && "hint"].filter(Boolean).join(" ");
  const shape = hexes ? s("path", { class: "cell-shape", d: hexagon(x + CELL / 2, y + CELL / 2) }) : s("rect", { class: "cell-shape", x: x + 1.5, y: y + 1.5, width: CELL - 3, height: CELL - 3, rx: 5 });
  const hintDot = direct && !mark && !worth ? s("circle", { class: "cell-dot", cx: x + CELL / 2, cy: y + CELL / 2, r: 5 }) : null;
  const content = [shape, hintDot, mark ? stone(mark, x + CELL / 2, y + CELL / 2, look) : null, worth ? worthMark(worth, x, y) : null];
  if (!possible.length || !options.choose) return s("g", { class: classes }, content);
  return s("g", {
    class: classes,
    role: "button",
    tabindex: direct ? 0 : -1,
    "aria-hidden": direct ? null : "true",
    "data-place": own,
    "aria-label": `${possible.length === 1 ? `Move ${possible[0].name}` : `Row ${r + 1}, column ${c + 1}`}${mark ? `, holds ${mark}` : ""}${worth ? `: ${worth.words}` : ""}`,
    onclick: () => options.choose?.(possible, place),
    onkeydown: (/** @type {KeyboardEvent} */ event) => pressed(event, () => options.choose?.(possible, place)),
  }, content);
}

/**
 * Enter and space choose; arrows go to the next place in that direction.
 * @param {KeyboardEvent} event
 * @param {() => void} choose
 */
function pressed(event, choose) {
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    choose();
    return;
  }
  const steps = /** @type {Record<string, [number, number]>} */ ({ ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] });
  const step = steps[event.key];
  if (!step) return;
  event.preventDefault();
  const here = /** @type {SVGGraphicsElement} */ (event.currentTarget);
  const centre = (/** @type {Element} */ element) => {
    const box = element.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [x, y] = centre(here);
  let nearest = null;
  let least = Infinity;
  for (const other of here.ownerSVGElement?.querySelectorAll('[role="button"][tabindex="0"]') ?? []) {
    const [ox, oy] = centre(other);
    const along = (ox - x) * step[0] + (oy - y) * step[1];
    const aside = Math.abs((ox - x) * step[1]) + Math.abs((oy - y) * step[0]);
    if (other !== here && along > 4 && along + 2 * aside < least) {
      least = along + 2 * aside;
      nearest = other;
    }
  }
  /** @type {any} */ (nearest)?.focus();
}

/**
 * @param {number} x
 * @param {number} y
 */
function hexagon(x, y) {
  const r = CELL / Math.sqrt(3);
  return `M${[0, 1, 2, 3, 4, 5].map((i) => `${(x + r * Math.sin((i * Math.PI) / 3)).toFixed(1)} ${(y - r * Math.cos((i * Math.PI) / 3)).toFixed(1)}`).join("L")}Z`;
}

/**
 * A stone: its form says whose it is, its colour says it again.
 * @param {string} mark
 * @param {number} x
 * @param {number} y
 * @param {{chess: boolean, discs: boolean, draughts: boolean, tiles: boolean}} look
 */
function stone(mark, x, y, look) {
  if (look.chess) return s("text", { class: `mark chess ${mark === mark.toLowerCase() ? "black" : "white"}`, x, y: y + 15 }, `${CHESS[mark.toLowerCase()]}\uFE0E`);
  const side = (look.discs || /^[xo]$/i.test(mark) ? SIDES[mark] : "") ?? "";
  const r = CELL * 0.38;
  if (side && look.discs) {
    const inner = r * 0.42;
    return s("g", { class: `stone ${side}` }, s("circle", { cx: x, cy: y, r }), /[BW]/.test(mark) ? s("text", { class: "king", x, y: y + 9 }, "♛") : side === "x" ? s("path", { class: "sign", d: `M${x - inner} ${y - inner}L${x + inner} ${y + inner}M${x + inner} ${y - inner}L${x - inner} ${y + inner}` }) : s("circle", { class: "sign", cx: x, cy: y, r: inner }));
  }
  if (side) {
    const arm = r * 0.8;
    return side === "x" ? s("path", { class: "pen x", d: `M${x - arm} ${y - arm}L${x + arm} ${y + arm}M${x + arm} ${y - arm}L${x - arm} ${y + arm}` }) : s("circle", { class: "pen o", cx: x, cy: y, r: arm * 1.05 });
  }
  const tile = look.tiles ? s("rect", { class: "tile", x: x - CELL / 2 + 4, y: y - CELL / 2 + 4, width: CELL - 8, height: CELL - 8, rx: 7 }) : null;
  return s("g", null, tile, s("text", { class: "mark", x, y: y + 8, "font-size": mark.length > 3 ? 15 : mark.length > 2 ? 19 : 24 }, mark));
}

/**
 * A move's value in its cell.
 * @param {any} worth
 * @param {number} x
 * @param {number} y
 */
function worthMark(worth, x, y) {
  return s("g", { class: `worth-mark ${worth.shape}` }, s("text", { class: "worth-shape", x: x + CELL / 2, y: y + CELL / 2 - 2 }, SHAPES[worth.shape]), s("text", { class: "worth-words", x: x + CELL / 2, y: y + CELL / 2 + 16 }, worth.short));
}

/**
 * @param {any} board
 * @param {Options} options
 */
function piles(board, options) {
  const sizes = /** @type {number[]} */ (board.piles);
  const tall = Math.max(1, ...sizes);
  const size = tall > 12 ? Math.max(14, (12 * 44) / tall) : 44;
  const parts = /** @type {any[]} */ ([]);
  const most = Math.max(tall, 3);
  sizes.forEach((count, pile) => {
    const x = pile * 104;
    parts.push(s("rect", { class: "pile-foot", x: x + 8, y: most * size + 4, width: 88, height: 6, rx: 3 }));
    for (let left = count - 1; left >= 0; left -= 1) {
      const possible = options.choose ? (options.moves ?? []).filter((move) => key(move.to) === `${pile},${left}`) : [];
      const worth = possible.length === 1 && options.worths ? options.worths[String(possible[0].action)] : null;
      const best = possible.some((move) => options.best?.includes(move.action));
      const y = (most - 1 - left) * size;
      const counter = [s("rect", { class: "counter", x: x + 10, y: y + 2, width: 84, height: size - 5, rx: Math.min(10, size / 3) }), worth ? s("text", { class: `counter-worth ${worth.shape}`, x: x + 52, y: y + size / 2 + 4 }, `${SHAPES[worth.shape]} ${worth.short}`) : null];
      parts.push(possible.length && options.choose
        ? s("g", { class: `open ${best && options.worths ? "best" : ""} ${possible.some((move) => move.action === options.hint) ? "hint" : ""}`, role: "button", tabindex: 0, "data-place": `${pile},${left}`, "aria-label": `Move ${possible[0].name}: heap ${pile + 1} down to ${left}${worth ? `, ${worth.words}` : ""}`, onclick: () => options.choose?.(possible, ""), onkeydown: (/** @type {KeyboardEvent} */ event) => pressed(event, () => options.choose?.(possible, "")) }, counter)
        : s("g", null, counter));
    }
    parts.push(s("text", { class: "pile-count", x: x + 52, y: most * size + 28 }, String(count)));
  });
  return { width: Math.max(sizes.length, 1) * 104, height: most * size + 34, parts };
}

/**
 * @param {any} board
 * @param {Options} options
 */
function cards(board, options) {
  const hands = Object.entries(/** @type {Record<string, any[]>} */ (board.hands ?? {}));
  const [wide, tall] = [50, 70];
  const parts = /** @type {any[]} */ ([]);
  let width = 120;
  hands.forEach(([owner, held], row) => {
    const y = row * (tall + 36);
    parts.push(s("text", { class: "hand-owner", x: 2, y: y + 14 }, owner));
    held.forEach((card, index) => {
      const x = index * (wide + 8) + 2;
      const turned = card === "?" || card === "" || card === null;
      const possible = options.choose ? (options.moves ?? []).filter((move) => key(move.from) === `${owner},${index}`) : [];
      const face = [s("rect", { class: turned ? "card back" : "card", x, y: y + 22, width: wide, height: tall, rx: 6 }), turned ? null : s("text", { class: "card-text", x: x + wide / 2, y: y + 22 + tall / 2 + 8, "font-size": String(card).length > 3 ? 12 : String(card).length > 2 ? 16 : 24 }, String(card))];
      parts.push(possible.length && options.choose ? s("g", { class: "open", role: "button", tabindex: 0, "data-place": `${owner},${index}`, "aria-label": `Move ${possible[0].name}`, onclick: () => options.choose?.(possible, ""), onkeydown: (/** @type {KeyboardEvent} */ event) => pressed(event, () => options.choose?.(possible, "")) }, face) : s("g", null, face));
      width = Math.max(width, x + wide + 2);
    });
    if (!held.length) parts.push(s("text", { class: "hand-empty", x: 4, y: y + 60 }, "no card"));
  });
  return { width, height: Math.max(1, hands.length) * (tall + 36), parts };
}

/** @param {any} board */
function dice(board) {
  const parts = /** @type {any[]} */ ([]);
  let [width, y] = [60, 0];
  for (const cup of board.dice ?? []) {
    /** @type {any[]} */ (cup).forEach((face, index) => {
      const x = index * 64 + 2;
      parts.push(s("rect", { class: face === "?" ? "die back" : "die", x, y: y + 2, width: 54, height: 54, rx: 10 }));
      const pips = PIPS[String(face)];
      if (pips) for (const pip of pips) parts.push(s("circle", { class: "pip", cx: x + 13.5 + (pip % 3) * 13.5, cy: y + 15.5 + Math.floor(pip / 3) * 13.5, r: 5 }));
      else parts.push(s("text", { class: "card-text", x: x + 27, y: y + 38, "font-size": 24 }, String(face)));
      width = Math.max(width, x + 58);
    });
    y += 68;
  }
  return { width, height: Math.max(y, 40), parts };
}

const PAINTERS = /** @type {Record<string, (board: any, options: Options) => {width: number, height: number, parts: any[]}>} */ ({ grid, hexes: grid, piles, cards, dice });

/** `<game-board>`: shows a position and asks for a move. */
class GameBoard extends HTMLElement {
  constructor() {
    super();
    /** @type {any} */
    this.state = null;
    /** @type {string | null} */
    this.picked = null;
    this.choosable = false;
    /** @type {number | null} */
    this.hint = null;
    /** @type {any} */
    this.judgement = null;
  }

  /**
   * @param {any} state
   * @param {any} judgement
   * @param {number | null} hint
   */
  show(state, judgement, hint) {
    if (state?.now !== this.state?.now) this.picked = null;
    const focused = /** @type {any} */ (this.querySelector(":focus"))?.getAttribute("data-place");
    Object.assign(this, { state, judgement, hint });
    const choose = state.human ? (/** @type {Move[]} */ moves, /** @type {string} */ place) => this.choose(moves, place) : undefined;
    const last = lastPlace(state);
    const label = `The board. ${state.over ? state.outcome : `${state.moverName} is to move.`}`;
    const drawn = state.board ? drawBoard(state.board, { moves: state.legal, worths: judgement?.moves ?? null, best: judgement?.best, choose, picked: this.picked, hint, last, label }) : h("pre", { class: "board-text" }, state.text || "This game has no board; its moves are listed by name.");
    put(this, drawn, state.board && state.secret && !state.over ? h("p", { class: "soft" }, state.text) : null);
    if (focused) /** @type {any} */ (this.querySelector(`[data-place="${CSS.escape(focused)}"]`) ?? this.querySelector('[role="button"][tabindex="0"]'))?.focus();
  }

  /**
   * @param {Move[]} moves
   * @param {string} place
   */
  choose(moves, place) {
    if (moves.length === 1 && (!moves[0].from || !moves[0].to || key(moves[0].to) === place || this.unambiguous(moves[0]))) {
      this.picked = null;
      this.dispatchEvent(new CustomEvent("move", { detail: moves[0].action }));
    } else if (this.picked === place || moves.every((move) => key(move.to) === place)) {
      this.picked = null;
      this.dispatchEvent(new CustomEvent("ambiguous", { detail: moves }));
    } else {
      this.picked = place;
    }
    this.show(this.state, this.judgement, this.hint);
  }

  /** A piece with one move only, among pieces that share their goal: a tile beside the gap. @param {Move} move */
  unambiguous(move) {
    const goals = new Set(this.state.legal.map((/** @type {Move} */ other) => key(other.to)));
    return goals.size === 1;
  }
}

/** Where the last move went, if the moves' places tell. @param {any} state */
function lastPlace(state) {
  return state.lastPlace ?? null;
}

customElements.define("game-board", GameBoard);
