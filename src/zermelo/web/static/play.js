// Play: a board, the people and engines at it, why a move is good, every move that was tried, and how the value went.

import { channel, forgetGames, games } from "/static/channel.js";
import { dull, merit } from "/static/board.js";
import { announce, badge, duration, figure, h, icon, put, s, save, toast } from "/static/dom.js";
import { gamePicker } from "/static/picker.js";
import { drawPicture, element } from "/static/picture.js";
import { seatFields } from "/static/seats.js";

const KEPT = "zermelo table"; // in the tab's own storage: which match this address belongs to
const WAYS = /** @type {Record<string, string[]>} */ ({ ArrowLeft: ["left", "l"], ArrowRight: ["right", "r"], ArrowUp: ["up", "u"], ArrowDown: ["down", "d"] });
const A_ROW = 6; // moves that are listed by name beside each other
const TOLD = 3; // plies that a line should have, if the game lasts that long
const PATIENT = 160; // milliseconds for which somebody looks at a move before its line is asked for

class PlayPage extends HTMLElement {
  constructor() {
    super();
    /** @type {any} */
    this.state = null;
    /** @type {any} */
    this.thought = null;
    /** @type {number | null} */
    this.hint = null;
    /** @type {any} */
    this.players = null;
    /** @type {any} the line behind the move that somebody looks at */
    this.looked = null;
    /** @type {Map<string, any>} the lines behind moves that were asked for, by place and move */
    this.known = new Map();
    /** @type {Map<string, {kept: string, running: any}>} those under way, by who asked */
    this.following = new Map();
    /** @type {Map<string, number>} places of this match by their addresses */
    this.addresses = new Map();
    this.place = 0; // in the queue
    this.moving = ""; // where a move was made that is not seen yet
    this.held = false; // is a button or a finger down? Then what it is on stays
    /** @type {Array<() => void>} what is drawn when it is up */
    this.late = [];
    this.below = 0; // what stands below the board of this match, at most
    /** @type {Array<() => void>} */
    this.ends = [];
    this.arrived = performance.now();
    this.wantsValues = localStorage.getItem("values") !== "off";
    this.wantsArrows = localStorage.getItem("arrows") !== "off";
  }

  connectedCallback() {
    this.build();
    const mine = (/** @type {(message: any) => void} */ take) => (/** @type {any} */ message) => message.table === this.state?.table && take(message);
    const later = (/** @type {(message: any) => void} */ take) => (/** @type {any} */ message) => this.redraw(() => mine(take)(message));
    this.ends = [
      channel.on("play.state", mine((message) => this.take(message))),
      channel.on("play.thinking", mine((message) => this.think(message))),
      channel.on("play.place", mine((message) => this.queued(message.place))),
      channel.on("play.values", later((message) => this.value(message))),
      channel.on("play.graph", later((message) => { this.state.unsure = message.unsure; this.graph(message.graph); this.drawRecord(); })),
      channel.on("play.problem", mine((message) => toast(message.error))),
      channel.on("play.advice", mine((message) => { this.state.advice = message.advice; this.drawWhy(); })),
      channel.on("play.reloaded", mine((message) => { toast(message.words, "news"); forgetGames(); this.examine(); })),
      channel.on("connection", ({ state, again }) => state === "open" && again && this.state && this.open({ table: this.state.table, game: this.state.game, moves: this.state.position, seats: this.seatTexts() })),
    ];
    this.clock = setInterval(() => this.tick(), 250);
    this.keys = (/** @type {KeyboardEvent} */ event) => this.pressed(event);
    document.addEventListener("keydown", this.keys);
    this.addEventListener("pointerdown", () => { this.held = true; });
    this.released = () => { this.held = false; setTimeout(() => this.late.splice(0).forEach((draw) => this.redraw(draw))); }; // after the click
    for (const way of ["pointerup", "pointercancel"]) addEventListener(way, this.released);
  }

  disconnectedCallback() {
    this.ends.forEach((end) => end());
    clearInterval(this.clock);
    for (const way of ["pointerup", "pointercancel"]) if (this.released) removeEventListener(way, this.released);
    if (this.keys) document.removeEventListener("keydown", this.keys);
    this.stopLines();
    if (this.state) channel.ask("play.leave", { table: this.state.table }).catch(() => {});
  }

  seatTexts() {
    return this.state.seats.map((/** @type {any} */ seat) => seat.player);
  }

  /** The address has changed: to a place of this match, or to another one. @param {URLSearchParams} parameters */
  route(parameters) {
    if (this.state && location.hash === this.address()) return;
    const known = this.addresses.get(location.hash);
    if (this.state && known !== undefined) {
      this.send("play.go", { move: known });
      return;
    }
    const game = parameters.get("game") ?? "connect4";
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
    const table = kept && kept.address === location.hash ? kept.table : "";
    const seats = parameters.get("seats");
    const turned = parameters.get("turned");
    this.open({ table, game, moves: parameters.get("moves") ?? "", ...(seats ? { seats: seats.split(";") } : {}), ...(turned ? { turned: turned === "1" } : {}) });
  }

  /** @param {Record<string, any>} wanted */
  async open(wanted) {
    this.asked = wanted;
    if (!this.state) this.await(wanted.game);
    try {
      const state = await channel.ask("play.open", { ...wanted, values: this.wantsValues });
      if (this.asked !== wanted || !this.isConnected) return; // another match was asked for in the meantime
      const other = state.game !== this.state?.game;
      if (state.table !== this.state?.table) {
        this.addresses.clear();
        this.below = 0;
        this.known.clear();
      }
      this.take(state, true);
      if (other || !this.players) {
        this.players = await channel.ask("play.players", { game: state.game });
        this.fillSetup();
        this.examine();
      }
      if (this.wantsValues && !state.secret && !state.values) this.send("play.values", { on: true });
    } catch (error) {
      const words = /** @type {Error} */ (error).message;
      if (words.startsWith("The connection")) return;
      if (this.state) toast(words);
      else put(this.status, h("span", { class: "problem" }, words));
    }
  }

  /** What is being opened is named and shown until it is there. @param {string} name */
  async await(name) {
    put(this.status, "Opening the game…");
    const base = name.replace(/\(.*$/s, "");
    const known = (await games().catch(() => [])).find((each) => each.name === base || each.name === name);
    if (this.state || !known) return;
    put(this.heading, known.title);
    if (known.picture) put(this.board, drawPicture(known.picture, { label: known.title }));
  }

  build() {
    this.board = /** @type {any} */ (h("game-board", { onmove: (/** @type {any} */ event) => this.move(event.detail), onambiguous: (/** @type {any} */ event) => this.offer(event.detail), onlook: (/** @type {any} */ event) => this.look(event.detail) }));
    this.heading = h("h1", { class: "unseen" }, "Play");
    this.pick = gamePicker("play", (game) => game.kind !== "matrix");
    this.status = h("p", { class: "turn", role: "status" });
    this.thinking = h("p", { class: "thinking", "aria-live": "off" });
    this.upper = h("div", { class: "seat-bar" });
    this.lower = h("div", { class: "seat-bar" });
    this.bar = h("div", { class: "eval", role: "img", "aria-label": "Not valued yet" }, h("i"), h("u"), h("span"));
    this.sentence = h("p", { class: "why-words", "aria-live": "polite" });
    this.certain = h("p", { class: "soft" });
    this.choices = h("div", { class: "choices" });
    this.best = h("div", { class: "best-lines" });
    this.moves = h("div", { class: "record" });
    this.curve = h("div", { class: "curve" });
    this.review = h("div", { class: "review" });
    this.links = h("div", { class: "look-links" });
    const button = (/** @type {string} */ name, /** @type {string} */ words, /** @type {string} */ keys, /** @type {() => void} */ act, kind = "quiet") => h("button", { type: "button", class: kind, onclick: act, title: keys ? `Key: ${keys}` : null }, icon(name), words);
    this.undo = button("undo", "Undo", "U", () => this.send("play.undo"));
    this.redo = button("redo", "Redo", "R", () => this.send("play.redo"), "quiet icon-only");
    this.go = button("pause", "Pause", "P", () => this.send("play.run", { on: !this.state?.running }));
    this.advice = button("hint", "Hint", "H", () => this.ask(), "primary");
    this.rematch = button("new", "Play again", "N", () => this.again(), "primary");
    this.flip = button("flip", "Flip", "F", () => this.send("play.turn", { on: !this.state?.turned }));
    this.fresh = button("new", "New game", "N", () => this.setup.showModal());
    this.sharing = button("share", "Share", "", () => this.share());
    this.rules = button("rules", "Rules", "?", () => this.showRules(), "quiet icon-only");
    for (const each of this.buttons()) each.disabled = true; // until there is a match
    this.rematch.hidden = true;
    this.switch = h("input", { type: "checkbox", checked: this.wantsValues, onchange: () => this.toggle(this.switch.checked) });
    this.arrows = h("input", { type: "checkbox", checked: this.wantsArrows, onchange: () => { this.wantsArrows = this.arrows.checked; localStorage.setItem("arrows", this.wantsArrows ? "on" : "off"); this.drawBoard(); } });
    this.seats = h("div", { class: "seats" });
    this.parameters = h("div", { class: "parameters" });
    this.rulesPanel = h("section", { class: "rules-panel", hidden: true, "aria-label": "Rules" });
    this.checked = h("section", { class: "check-panel", hidden: true, "aria-label": "Check" });
    this.setup = h("dialog", { class: "offer setup" }, h("h2", null, "New game"), this.parameters, this.seats,
      h("div", { class: "controls" }, h("button", { type: "button", class: "primary", onclick: () => { this.setup.close(); this.again(); } }, "Start"), h("button", { type: "button", onclick: () => { this.setup.close(); this.paste(); } }, "Paste a game…"), h("button", { type: "button", class: "quiet", onclick: () => this.setup.close() }, "Close")));
    const section = (/** @type {string} */ title, /** @type {any[]} */ ...children) => h("section", { "aria-label": title }, h("h2", null, title), children);
    put(this, this.setup,
      h("div", { class: "play" },
        h("section", { class: "stage", "aria-label": "Board" }, this.heading,
          h("div", { class: "stage-body" }, this.upper, h("div", { class: "board-row" }, this.bar, this.board), this.lower, this.status, this.choices,
            h("div", { class: "tools" }, this.rematch, this.advice, this.undo, this.redo, this.flip, this.go, h("span", { class: "spacer" }), this.rules, this.fresh, this.sharing)), this.checked),
        h("div", { class: "middle" }, this.rulesPanel,
          h("section", { "aria-label": "Why" }, h("h2", null, "Why"), this.sentence, this.certain, this.thinking),
          this.best,
          this.history = section("Value through the game", this.curve, this.review)),
        h("aside", { class: "side" },
          section("Moves", this.moves), this.links,
          this.shows = section("Show", h("label", { class: "switch" }, this.switch, h("span", null, "Move values")), h("label", { class: "switch" }, this.arrows, h("span", null, "Best-line arrows"))))));
  }

  buttons() {
    return [this.fresh, this.undo, this.redo, this.go, this.advice, this.sharing, this.flip, this.rules];
  }

  /** @param {any} state @param {boolean} [first] */
  take(state, first = false) {
    const elsewhere = state.now !== this.state?.now || state.table !== this.state?.table;
    if (elsewhere) {
      this.hint = this.thought = this.looked = null;
      this.stopLines();
      this.place = 0;
      this.arrived = performance.now();
    }
    const before = this.state;
    this.state = state;
    const address = this.address();
    if (!this.addresses.has(address)) this.addresses.set(address, state.now);
    if (location.hash !== address) {
      if (first || !elsewhere) history.replaceState(null, "", address);
      else history.pushState(null, "", address);
    }
    sessionStorage.setItem(KEPT, JSON.stringify({ address, table: state.table }));
    document.title = `${state.title} · Zermelo`;
    this.pick?.(state.game, `${state.title} ${state.game.replace(/^[^(]*/s, "").replace(/\w+=/g, "")}`.trim());
    this.drawAll();
    if (before && state.now !== before.now) announce(state.over ? state.outcome : `${this.lastName()}. ${state.moverName} to move.`);
  }

  lastName() {
    const last = this.state.moves[this.state.now];
    return last && last.parent >= 0 ? `${last.mover < 0 ? "Chance" : this.state.seats[last.mover].name} played ${last.name}` : "The beginning";
  }

  drawAll() {
    const state = this.state;
    put(this.heading, state.title);
    put(this.status, ...this.turnWords());
    this.status.classList.toggle("said", state.human && !state.over);
    this.drawBoard();
    this.undo.disabled = state.now === 0;
    this.redo.disabled = !state.line.includes(state.now) ? !state.line.length : state.line[state.line.length - 1] === state.now;
    put(this.go, icon(state.running ? "pause" : "run"), state.running ? "Pause" : "Go on");
    this.go.hidden = state.over || state.human;
    this.go.disabled = this.go.hidden;
    this.rematch.hidden = !state.over;
    this.advice.hidden = state.over || state.secret;
    this.advice.disabled = !state.human || state.secret;
    this.shows.hidden = state.secret; // single moves have no value there
    this.history.hidden = state.secret || state.seats.length !== 2;
    this.fresh.disabled = this.sharing.disabled = this.flip.disabled = this.rules.disabled = false;
    this.drawSeats();
    this.drawThought();
    this.drawWhy();
    this.drawChoices();
    this.drawRecord();
    this.graph(state.graph);
  }

  drawBoard() {
    const state = this.state;
    if (!state) return;
    const found = this.switch.checked ? state.judgement : null;
    const box = state.picture?.box;
    this.below = Math.max(this.below, (state.picture?.caption ? 2 : 0) + Math.max(state.secret ? 3.5 : 0, Math.min(12.5, 3.5 * Math.ceil(this.unplaced().length / A_ROW))) + 2.75 * (state.seats.length - 2));
    this.style.setProperty("--below", `${this.below}rem`);
    this.style.setProperty("--ratio", box ? (box[2] / box[3]).toFixed(3) : "1.6");
    const line = this.looked?.line ?? (this.wantsArrows && found?.line?.length && (found.exact || found.done) && state.human ? found.line.slice(0, 3) : []);
    this.board.show(state, found, this.hint, line);
  }

  turnWords() {
    const state = this.state;
    if (state.over) return [h("b", null, state.outcome)];
    if (state.mover === -1) return [h("b", null, "Chance"), " decides…"];
    if (state.human) return [h("b", null, state.moverName), ": your move."];
    return [h("b", null, state.moverName), state.running ? (this.place > 0 ? ` waits for a processor, place ${this.place} in the queue.` : " is thinking…") : " is to move; press Go on to let the engine play."];
  }

  /** The seats above and below the board; whoever looks sits below. */
  drawSeats() {
    const state = this.state;
    const order = state.seats.map((/** @type {any} */ _, /** @type {number} */ seat) => seat);
    if (!state.turned) order.reverse();
    const bar = (/** @type {number} */ index) => {
      const seat = state.seats[index];
      return h("div", { class: `seat${state.mover === index ? " turn-now" : ""}` }, disc(state, index), h("b", { class: "seat-name" }, seat.name), h("span", { class: "seat-who" }, seat.human ? (state.mover === index && !state.over ? "You, to move" : "You") : seatWords(seat.player)), men(state.taken, index), h("time", { class: "clock", data: { seat: String(index) }, title: "Time used" }, ""));
    };
    put(this.upper, order.slice(0, -1).map(bar));
    put(this.lower, order.slice(-1).map(bar));
    this.tick();
  }

  /** @param {any} message */
  think(message) {
    if (message.now !== this.state.now) return;
    this.thought = message;
    this.place = 0;
    this.drawThought();
  }

  drawThought() {
    const found = this.thought;
    if (found?.note) return put(this.thinking, `${this.state.moverName} ${found.note}.`);
    put(this.thinking, found ? [`${this.state.moverName || "The engine"} looks at `, h("b", null, found.best ?? ""), ` · ${found.words} · `, found.depth ? `depth ${found.depth} · ` : found.exact ? "to the end · " : "", `${figure(found.nodes)} positions · ${duration(found.seconds)}`, found.line.length ? h("span", { class: "line" }, found.line.join(" ")) : null] : null);
  }

  /** @param {number} place */
  queued(place) {
    this.place = place;
    put(this.status, ...this.turnWords());
  }

  /** Draws what a search has told: not while something is pressed, or its click would be lost, and the focus stays where it is. @param {() => void} draw */
  redraw(draw) {
    if (this.held) {
      this.late.push(draw);
      return;
    }
    const focused = document.activeElement;
    /** @type {number[]} */
    const path = [];
    for (let here = focused; here && here !== this && this.contains(here); here = here.parentElement) path.unshift([.../** @type {Element} */ (here.parentElement).children].indexOf(here));
    draw();
    if (!path.length || focused?.isConnected) return;
    const same = path.reduce((/** @type {Element | undefined} */ here, index) => here?.children[index], this);
    if (same?.localName === focused?.localName) /** @type {HTMLElement} */ (same).focus();
  }

  /** @param {any} message */
  value(message) {
    this.state.unsure = message.unsure;
    this.graph(message.graph);
    this.drawRecord();
    if (message.now !== this.state.now) return;
    this.state.judgement = message.judgement;
    this.drawBoard();
    this.drawWhy();
    this.drawChoices();
  }

  /** The sentence that says why, the bar, and the best lines. */
  drawWhy() {
    const state = this.state;
    const found = this.switch.checked ? state.judgement : null;
    const point = state.graph?.[state.now === 0 ? 0 : state.line.indexOf(state.now) + 1];
    this.certain.classList.toggle("busy", Boolean(!this.looked && !state.over && !state.secret && this.switch.checked && (found ? !found.done : state.mover >= 0)));
    const share = found?.share ?? (this.switch.checked ? point?.[2] : null);
    this.bar.hidden = state.secret || state.seats.length !== 2 || !this.switch.checked;
    this.bar.classList.toggle("turned", Boolean(state.turned));
    this.bar.classList.toggle("unknown", share === null || share === undefined);
    const [fill, , words] = this.bar.children;
    fill.style.backgroundColor = colourOf(state, 0);
    this.bar.style.backgroundColor = colourOf(state, 1);
    fill.style.height = `${(100 * (share ?? 0.5)).toFixed(1)}%`;
    words.textContent = found ? found.short.replace(/^(win|loss) /, "#").replace(/^(win|loss)$/, "#") : "";
    const leading = (share ?? 0.5) >= 0.5 ? 0 : 1;
    words.className = `${leading ? "second" : "first"}${words.textContent.length > 4 ? " long" : ""}${PALE.includes(colourOf(state, leading)) ? " on-pale" : ""}`;
    this.bar.setAttribute("aria-label", found ? `Evaluation: ${found.words}` : "Not valued yet");
    if (this.looked) {
      put(this.sentence, h("em", null, this.looked.name), this.looked.words.startsWith(":") ? "" : " ", this.looked.words);
      put(this.certain, this.looked.line.map((/** @type {any} */ ply) => ply.name).join(" "));
    } else if (state.secret && !state.over) {
      const advice = state.advice?.[state.advice.length - 1];
      put(this.sentence, advice ? adviceWords(advice) : state.human && this.seatTexts().includes("equilibrium") ? "Your choice. Afterwards you hear what the equilibrium does here." : "Something is hidden here, so single moves have no value.");
      put(this.certain, advice ? adviceBars(advice) : ["The ", h("a", { href: `#/equilibrium?game=${encodeURIComponent(state.game)}` }, "equilibrium lab"), " shows how to mix them."]);
    } else if (state.secret && state.advice?.length) {
      const lost = state.advice.reduce((/** @type {number} */ sum, /** @type {any} */ each) => sum + (each.cost ?? 0), 0);
      put(this.sentence, `${state.outcome} Against the equilibrium your choices cost ${figure(Number(lost.toFixed(3)))} ${state.advice[0].unit} on average.`);
      put(this.certain, state.advice.map((/** @type {any} */ each) => h("div", null, adviceWords(each), adviceBars(each))));
    } else if (found) {
      if (dull(found) && !found.done) put(this.sentence, "No move stands out yet.");
      else put(this.sentence, emphasized(found.why || `${found.words[0].toUpperCase()}${found.words.slice(1)}.`, found.best.map((/** @type {number} */ action) => state.legal.find((/** @type {any} */ move) => move.action === action)?.name)));
      put(this.certain, `${found.exact ? "Proven" : found.done ? "Estimated" : "Still looking"}: ${found.words}.`);
    } else {
      put(this.sentence, state.over ? state.outcome : state.mover < 0 ? "Chance decides." : this.switch.checked ? "Looking at every move…" : "");
      put(this.certain, !state.over && this.switch.checked && state.mover >= 0 ? "The first search of a game also compiles its rules, which takes some seconds; nobody’s clock pays for that." : this.switch.checked ? "" : "Turn the values on to see what each move is worth.");
    }
    this.drawLines(found);
  }

  /** @param {any} found */
  drawLines(found) {
    if (!found) return put(this.best);
    const ranked = this.state.legal.map((/** @type {any} */ move) => ({ ...move, worth: found.moves[String(move.action)] })).filter((/** @type {any} */ move) => move.worth).sort((/** @type {any} */ a, /** @type {any} */ b) => Number(found.best.includes(b.action)) - Number(found.best.includes(a.action)) || merit(b.worth) - merit(a.worth)); // others may be known less deep
    put(this.best, h("h2", null, "Best lines", h("small", null, `${found.depth ? `depth ${found.depth} · ` : ""}${figure(found.nodes)} positions`)),
      h("ol", { class: "lines", role: "list" }, ranked.slice(0, 3).map((/** @type {any} */ move) => h("li", { onpointerenter: () => this.look(move.action), onpointerleave: () => this.look(null) }, h("b", { class: found.best.includes(move.action) && move.worth.shape !== "loss" && !dull(found) ? "best" : "" }, move.worth.short), h("span", null, this.numbered([move, ...this.lineOf(move, found).slice(1)]))))));
    if (found.done) this.fetchLines(ranked.slice(0, 3), found);
  }

  /** The plies behind a move, as far as they are known. @param {any} move @param {any} found @returns {any[]} */
  lineOf(move, found) {
    const known = this.known.get(`${this.state.now} ${move.action}`)?.line ?? [];
    return move.name === found.line[0]?.name && found.line.length >= known.length ? found.line : known;
  }

  /** A line as people write it: the first move stands out, numbers tell whose move it is where names are not numbers. @param {any[]} line */
  numbered(line) {
    const made = this.state.now === 0 ? 0 : this.state.line.indexOf(this.state.now) + 1;
    const plain = line.some((ply) => /^\d+$/.test(ply.name));
    return line.map((ply, index) => {
      const number = plain || ((made + index) % 2 && index) ? "" : this.number(made + index);
      return index === 0 ? h("strong", null, number, ply.name) : ` ${number}${ply.name}`;
    });
  }

  /** The number before a move as people write it: "3. " and "3... " where two take turns. @param {number} at moves before it */
  number(at) {
    const { seats, line, moves } = this.state;
    const turns = seats.length === 2 && line.every((/** @type {number} */ id, /** @type {number} */ each) => moves[id].mover === each % 2);
    return turns ? `${Math.floor(at / 2) + 1}.${at % 2 ? ".." : ""} ` : "";
  }

  /** The lines behind the other good moves, one after the other. @param {any[]} moves @param {any} found */
  async fetchLines(moves, found) {
    const missing = moves.find((move) => this.lineOf(move, found).length < Math.min(TOLD, move.worth.distance ?? 1) && !this.known.has(`${this.state.now} ${move.action}`));
    if (missing && !this.state.over && await this.follow("listed", missing.action) && this.state.judgement) this.drawLines(this.state.judgement);
  }

  /** The line behind a move of this position; null where it is under way, or nobody waits for it any more. @param {"listed" | "looked"} asker @param {number} action */
  async follow(asker, action) {
    const { table, now } = this.state;
    const kept = `${now} ${action}`;
    const before = this.following.get(asker);
    if (this.known.has(kept)) return this.known.get(kept);
    if (before?.kept === kept) return null;
    before?.running.stop();
    const mine = { kept, running: channel.run("play.line", { table, now, action }) };
    this.following.set(asker, mine);
    const found = await mine.running.result.catch(() => null); // stopped, or the match has moved on
    if (this.following.get(asker) !== mine) return null;
    this.following.delete(asker);
    if (found) this.known.set(kept, found);
    return found;
  }

  /** Lines of a position that is left are searched no further. */
  stopLines() {
    clearTimeout(this.looking);
    for (const { running } of this.following.values()) running.stop();
    this.following.clear();
  }

  /** Somebody looks at a move: the line behind it is shown. @param {number | null} action */
  look(action) {
    clearTimeout(this.looking);
    if (action === null) {
      if (this.looked) this.regard(null);
      return;
    }
    if (!this.switch.checked || this.state.secret) return;
    this.looking = setTimeout(async () => {
      this.regard(this.known.get(`${this.state.now} ${action}`) ?? this.begun(action));
      const found = await this.follow("looked", action);
      if (!found || this.board.looked !== action && !this.querySelector(".lines li:hover")) return;
      this.regard(found);
    }, PATIENT);
  }

  /** What is known of a move before the line behind it is. @param {number} action */
  begun(action) {
    const move = this.state.legal.find((/** @type {any} */ each) => each.action === action);
    const worth = this.state.judgement?.moves[String(action)];
    const known = move && this.state.judgement ? this.lineOf(move, this.state.judgement) : [];
    return move && { ...move, words: `${worth ? `: ${worth.words}. ` : ""}Looking at what follows…`, line: known.length > 1 ? known : [{ ...move, mover: this.state.mover }] };
  }

  /** @param {any} found */
  regard(found) {
    this.looked = found;
    this.drawWhy();
    this.drawBoard();
  }

  /** Moves that are nowhere on the board. @returns {any[]} */
  unplaced() {
    return this.state.legal.filter((/** @type {any} */ move) => !this.state.picture || !(move.to || move.from));
  }

  /** Those are listed by their names. */
  drawChoices() {
    const state = this.state;
    const found = this.switch.checked ? state.judgement : null;
    const listed = this.unplaced();
    put(this.choices, listed.length && state.human ? h("ul", { class: "choice-list", role: "list" }, listed.map((/** @type {any} */ move) => {
      const worth = found?.moves[String(move.action)];
      return h("li", null, h("button", { type: "button", class: `choice${found?.best.includes(move.action) && worth?.shape !== "loss" ? " best" : ""}${this.hint === move.action ? " hint" : ""}`, onclick: () => this.move(move.action) }, h("span", { class: "choice-name" }, move.name), worth ? badge(worth) : null));
    })) : null);
  }

  drawRecord() {
    const state = this.state;
    /** @type {number[][]} */
    const below = state.moves.map(() => []);
    for (const move of state.moves) if (move.parent >= 0) below[move.parent].push(move.id);
    const onLine = new Set(state.line);
    const marks = new Map(state.line.map((/** @type {number} */ id, /** @type {number} */ index) => [id, state.graph[index + 1]?.[4] ?? ""]));
    const button = (/** @type {number} */ id) => h("button", { type: "button", class: `ply${id === state.now ? " now" : ""}`, "aria-current": id === state.now ? "step" : null, onclick: () => this.send("play.go", { move: id }) }, id === 0 ? "start" : state.moves[id].name, marks.get(id) ? h("b", { class: marks.get(id) === "??" ? "qq" : "q" }, marks.get(id)) : null);
    const items = /** @type {any[]} */ ([button(0)]);
    const walk = (/** @type {number} */ from, /** @type {any[]} */ into, /** @type {number} */ number) => {
      let here = from;
      while (below[here].length) {
        const main = below[here].find((/** @type {number} */ id) => onLine.has(id)) ?? below[here][0];
        if (into === items && state.moves[main].mover === 0) into.push(h("span", { class: "ply-number" }, String(++number)));
        into.push(button(main));
        for (const other of below[here]) {
          if (other === main) continue;
          const side = /** @type {any[]} */ ([button(other)]);
          walk(other, side, 0);
          into.push(h("span", { class: "variation" }, "(", side, ")"));
        }
        here = main;
      }
    };
    const pairs = state.seats.length === 2 && below.every((/** @type {number[]} */ ids) => ids.length < 2) && state.line.every((/** @type {number} */ id, /** @type {number} */ at) => state.moves[id].mover === at % 2);
    if (pairs) state.line.forEach((/** @type {number} */ id, /** @type {number} */ at) => items.push(at % 2 ? null : h("span", { class: "ply-number" }, String(at / 2 + 1)), button(id)));
    else walk(0, items, 0);
    if (pairs && state.human && state.now === (state.line[state.line.length - 1] ?? 0)) items.push(state.line.length % 2 ? null : h("span", { class: "ply-number" }, String(state.line.length / 2 + 1)), h("i", { class: "ply-next" }, "your move"));
    const index = state.now === 0 ? 0 : state.line.indexOf(state.now) + 1;
    const line = [0, ...state.line];
    const step = (/** @type {string} */ name, /** @type {string} */ words, /** @type {number} */ to) => h("button", { type: "button", class: "quiet", "aria-label": words, title: words, disabled: to < 0 || to >= line.length || to === index, onclick: () => this.send("play.go", { move: line[to] }) }, icon(name));
    put(this.moves, h("div", { class: `plies${pairs ? " pairs" : ""}`, tabindex: 0, role: "group", "aria-label": "All moves that were tried" }, items), h("div", { class: "stepper-row" }, step("first", "To the beginning", 0), step("back", "One move back", index - 1), step("on", "One move on", index + 1), step("last", "To the end", line.length - 1)),
      state.position && !state.position.includes(" ") ? h("p", { class: "soft moves-text" }, "As text: ", h("code", null, state.position)) : null);
    put(this.links, state.secret ? null : [state.over ? null : h("a", { href: `#/tree?${this.here()}&depth=2` }, "See this in the tree"), state.over ? null : h("a", { href: `#/mcts?${this.here()}` }, "Watch playouts"), h("button", { type: "button", class: "link", onclick: () => this.export() }, "Copy the game"), h("button", { type: "button", class: "link", onclick: () => this.page() }, "Save as a page")]);
  }

  here() {
    return `game=${encodeURIComponent(this.state.game)}&moves=${encodeURIComponent(this.state.position)}`;
  }

  /** The value through the game, from the first player's side, with what was given away. @param {Array<any> | null} points */
  graph(points) {
    if (!this.state) return;
    this.state.graph = points ?? [];
    const state = this.state;
    const known = state.graph.map((/** @type {any} */ point, /** @type {number} */ x) => (point ? { x, share: point[2], exact: point[1], best: point[3], mark: point[4] } : null)).filter(Boolean);
    if (!known.length || state.seats.length !== 2) {
      put(this.curve, h("p", { class: "soft" }, this.switch.checked ? "The value appears here as soon as it is known." : "Turn the values on to see how they change from move to move."));
      put(this.review);
      return;
    }
    const width = Math.max(240, this.curve.clientWidth || 384);
    const height = Math.round(Math.min(280, Math.max(168, 0.44 * width)));
    const last = Math.max(state.graph.length - 1, 6);
    const at = (/** @type {any} */ point) => [8 + ((width - 24) * point.x) / last, 10 + (height - 20) * (1 - point.share)];
    const path = known.map((/** @type {any} */ point, /** @type {number} */ i) => `${i ? "L" : "M"}${at(point).map((n) => n.toFixed(1)).join(" ")}`).join("");
    const now = state.now === 0 ? 0 : state.line.indexOf(state.now) + 1;
    const middle = height / 2;
    const area = `${path}L${at(known[known.length - 1])[0].toFixed(1)} ${middle}L${at(known[0])[0].toFixed(1)} ${middle}Z`;
    put(this.curve, s("svg", { class: "value-curve", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `The value after every move; ${known.filter((/** @type {any} */ point) => point.mark).length} mistakes` },
      s("path", { class: "curve-area", d: area }), s("line", { class: "curve-middle", x1: 0, x2: width, y1: middle, y2: middle }), s("text", { class: "curve-words", x: 8, y: 16 }, `${state.seats[0].name} winning`), s("text", { class: "curve-words", x: 8, y: height - 6 }, `${state.seats[1].name} winning`),
      s("path", { class: "curve-line", d: path }), s("line", { class: "curve-now", x1: at({ x: now, share: 0 })[0], x2: at({ x: now, share: 0 })[0], y1: 0, y2: height }),
      known.map((/** @type {any} */ point) => {
        const [x, y] = at(point);
        const id = point.x === 0 ? 0 : state.line[point.x - 1];
        return s("g", { class: `curve-point ${point.mark === "??" ? "qq" : point.mark === "?" ? "q" : ""}${point.exact ? " exact" : ""}`, onclick: () => this.send("play.go", { move: id }) }, s("circle", { cx: x, cy: y, r: point.mark ? 6 : 3 }), point.mark ? s("text", { x: Math.min(width - 12, x), y: y > 30 ? y - 10 : y + 22 }, point.mark) : null, s("title", null, `${id ? state.moves[id]?.name : "start"}`));
      })));
    this.drawReview(known);
  }

  /** What went wrong, and what was better; the game was lost where it never came back. @param {any[]} known */
  drawReview(known) {
    const state = this.state;
    const faults = known.filter((point) => point.mark && point.x > 0);
    const left = this.switch.checked && state.over && state.unsure ? h("p", { class: "soft busy" }, `Looking for mistakes: ${state.unsure} of ${state.graph.length} positions to go.`) : null;
    if (!faults.length) return put(this.review, left ?? (this.switch.checked && state.over && state.graph.length > 1 ? h("p", { class: "soft" }, "No mistake was found in this game.") : null));
    const byPlace = new Map(known.map((point) => [point.x, point]));
    const turning = [...faults].reverse().find((point) => point.mark === "??") ?? faults[faults.length - 1];
    put(this.review, left, h("ul", { class: "faults", role: "list" }, faults.slice(-4).map((point) => {
      const id = state.line[point.x - 1];
      const move = state.moves[id];
      if (!move) return null;
      const better = byPlace.get(point.x - 1)?.best;
      return h("li", { class: point.mark === "??" ? "blunder" : "mistake" }, h("b", null, `${this.number(point.x - 1) || `${point.x}. `}${move.name}${point.mark}`), ` turned ${standing(byPlace.get(point.x - 1), move.mover)} into ${standing(point, move.mover)}.`, better && better !== move.name ? [" ", h("b", null, better), " was better."] : null, state.over && point === turning ? " The game was lost here." : null, " ", h("button", { type: "button", class: "link", onclick: () => this.send("play.go", { move: move.parent }) }, "Try again from here"));
    })));
  }

  /** A game of one's own is checked beside the board. */
  async examine() {
    const { game } = this.state;
    const own = (await games().catch(() => [])).find((each) => each.name === game)?.own;
    this.checked.hidden = !own;
    if (!own) return;
    put(this.checked, h("h2", null, "Check"), h("p", { class: "soft" }, "Looking for rules that break a promise…"));
    try {
      const found = await channel.run("own.check", { game }).result;
      if (this.state.game !== game) return;
      put(this.checked, h("details", { open: !found.lawful }, h("summary", null, h("h2", null, found.lawful ? "Check: lawful" : "Check: a promise is broken")), h("pre", { class: `check-text${found.lawful ? "" : " problem"}`, tabindex: 0 }, found.text)));
    } catch (error) {
      put(this.checked, h("p", { class: "problem" }, /** @type {Error} */ (error).message));
    }
  }

  fillSetup() {
    const state = this.state;
    if (!state || !this.players) return;
    put(this.seats, state.seats.map((/** @type {any} */ seat, /** @type {number} */ index) => h("div", { class: "seat-row" }, seatFields(seat, this.players, (text) => this.reseat(index, text)))));
    this.fillParameters();
  }

  /** @param {number} index @param {string} text */
  reseat(index, text) {
    const seats = this.seatTexts();
    seats[index] = text;
    this.send("play.seats", { seats }).then(() => this.fillSetup());
  }

  async fillParameters() {
    const list = await games().catch(() => []);
    const base = this.state.game.replace(/\(.*$/s, "");
    const known = list.find((game) => game.name === base || game.name === this.state.game);
    const given = Object.fromEntries([...this.state.game.matchAll(/(\w+)=([^,()]+|\([^)]*\))/g)].map((match) => [match[1], match[2]]));
    const numbers = (known?.parameters ?? []).filter((/** @type {any} */ parameter) => Number.isInteger(parameter.value));
    put(this.parameters, numbers.map((/** @type {any} */ parameter) => {
      const input = h("input", { type: "number", min: 0, max: 2048, value: given[parameter.name] ?? parameter.value, onchange: () => {
        given[parameter.name] = input.value;
        const text = Object.entries(given).map(([name, value]) => `${name}=${value}`).join(",");
        location.hash = `#/play?game=${encodeURIComponent(`${base}(${text})`)}`;
      } });
      return h("label", { class: "field small" }, h("span", null, parameter.name), input);
    }));
  }

  tick() {
    const state = this.state;
    if (!state) return;
    for (const clock of /** @type {NodeListOf<HTMLElement>} */ (this.querySelectorAll(".clock"))) {
      const seat = Number(clock.dataset.seat);
      const running = !state.over && state.mover === seat && (state.human || state.thinking);
      const seconds = Math.floor(state.clocks[seat] + (running ? (performance.now() - this.arrived) / 1000 : 0));
      clock.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    }
  }

  address() {
    const state = this.state;
    const parts = [`game=${encodeURIComponent(state.game)}`];
    if (state.position) parts.push(`moves=${encodeURIComponent(state.position)}`);
    parts.push(`seats=${state.seats.map((/** @type {any} */ seat) => encodeURIComponent(seat.player)).join(";")}`);
    if (state.flipped !== null && state.flipped !== undefined) parts.push(`turned=${state.flipped ? 1 : 0}`);
    return `#/play?${parts.join("&")}`;
  }

  /** @param {string} type @param {Record<string, any>} [message] */
  async send(type, message = {}) {
    if (!this.state) return;
    try {
      await channel.ask(type, { table: this.state.table, ...message });
    } catch (error) {
      const words = /** @type {Error} */ (error).message;
      if (words.startsWith("This match is gone")) this.open({ game: this.state.game, moves: this.state.position, seats: this.seatTexts() });
      else toast(words);
    }
  }

  /** @param {number} action */
  async move(action) {
    const { table, now } = this.state;
    if (this.moving === `${table} ${now}`) return; // a second click, before the first one's move is seen
    this.moving = `${table} ${now}`;
    await this.send("play.move", { action, now });
    this.moving = "";
  }

  /** Several moves mean the same places: the page asks which. @param {any[]} moves */
  offer(moves) {
    const worth = (/** @type {any} */ move) => (this.switch.checked ? this.state.judgement?.moves[String(move.action)] : null);
    const dialog = h("dialog", { class: "offer", onclose: () => dialog.remove() }, h("p", null, "Which one?"), h("div", { class: "controls" }, moves.map((move) => h("button", { type: "button", onclick: () => { dialog.close(); this.move(move.action); } }, move.name, worth(move) ? badge(worth(move)) : null)), h("button", { type: "button", class: "quiet", onclick: () => dialog.close() }, "None")));
    this.append(dialog);
    dialog.showModal();
  }

  async ask() {
    try {
      const advice = await channel.run("play.hint", { table: this.state.table }).result;
      this.hint = advice.action;
      toast(`Hint: ${advice.name}${advice.words ? ` (${advice.words})` : ""}.`, "news");
      this.drawAll();
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    }
  }

  /** @param {boolean} on */
  toggle(on) {
    this.wantsValues = on;
    localStorage.setItem("values", on ? "on" : "off");
    this.send("play.values", { on });
    if (this.state) this.drawAll();
  }

  again() {
    this.open({ game: this.state?.game ?? "connect4", ...(this.state ? { seats: this.seatTexts() } : {}) });
  }

  async showRules() {
    const list = await games().catch(() => []);
    const base = this.state.game.replace(/\(.*$/s, "");
    const known = list.find((game) => game.name === base || game.name === this.state.game);
    this.rulesPanel.hidden = !this.rulesPanel.hidden;
    const [rules, ...rest] = (known?.rules ?? "The rules’ file says nothing about the game.").split(/\n\s*\n/);
    put(this.rulesPanel, h("h2", null, `${this.state.title}: the rules`), known?.picture ? h("div", { class: "rules-picture" }, drawPicture(known.picture, { label: "A position" })) : null, h("p", null, rules), rest.map((/** @type {string} */ words) => h("p", { class: "soft" }, words)), h("button", { type: "button", class: "quiet", onclick: () => { this.rulesPanel.hidden = true; } }, "Close"));
    if (!this.rulesPanel.hidden) this.rulesPanel.scrollIntoView({ block: "nearest", behavior: "smooth" });
  }

  async share() {
    const text = location.href.replace(/\?token=[^#]*/, "");
    try {
      await navigator.clipboard.writeText(text);
      toast("The address of this position is in the clipboard.", "news");
    } catch {
      toast(`The address of this position: ${text}`, "news");
    }
  }

  /** A game from elsewhere: PGN, SGF or a list of moves. */
  paste() {
    const text = h("textarea", { rows: 8, cols: 44, placeholder: "1. e4 e5 2. Nf3 …, or (;B[dd];W[cc]…), or a list of moves", "aria-label": "The game: PGN, SGF or a list of moves" });
    const problem = h("p", { class: "problem", role: "status" });
    const dialog = h("dialog", { class: "offer", onclose: () => dialog.remove() }, h("h2", null, "Paste a game"), h("p", { class: "soft" }, `PGN, SGF or a list of moves of ${this.state.title}.`), text, problem,
      h("div", { class: "controls" }, h("button", { type: "button", class: "primary", onclick: async () => {
        try {
          await channel.ask("play.paste", { table: this.state.table, text: text.value });
          dialog.close();
        } catch (error) {
          put(problem, /** @type {Error} */ (error).message);
        }
      } }, "Review it"), h("button", { type: "button", class: "quiet", onclick: () => dialog.close() }, "Close")));
    this.append(dialog);
    dialog.showModal();
  }

  async export() {
    try {
      const { text, form } = await channel.ask("play.export", { table: this.state.table });
      await navigator.clipboard.writeText(text).catch(() => save(`game.${form}`, new Blob([text], { type: "text/plain" })));
      toast(`The game is in the clipboard, as ${form.toUpperCase()}.`, "news");
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    }
  }

  async page() {
    const answer = await fetch("/api/page", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ table: this.state.table }) }).catch(() => null);
    if (!answer) return toast("The workbench does not answer.");
    if (!answer.ok) return toast(await answer.text());
    save(`${this.state.title.toLowerCase().replace(/\W+/g, "-")}.html`, await answer.blob());
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const field = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(field.tagName) || this.querySelector("dialog[open]")) return;
    const way = event.defaultPrevented || !this.state?.human ? null : this.state.legal.find((/** @type {any} */ move) => WAYS[event.key]?.includes(move.name));
    if (way) {
      event.preventDefault();
      this.move(way.action);
      return;
    }
    const acts = /** @type {Record<string, () => void>} */ ({ u: () => this.undo.click(), r: () => this.redo.click(), h: () => this.advice.click(), p: () => this.go.click(), f: () => this.flip.click(), n: () => this.again(), "?": () => this.showRules() });
    acts[event.key.toLowerCase()]?.();
  }
}

/** The colour of a seat, where its name is one. @type {Record<string, string>} */
const COLOURS = { white: "var(--b-white)", black: "var(--b-black)", red: "var(--b-red)", yellow: "var(--b-yellow)", blue: "var(--b-blue)", green: "var(--b-teal)", x: "var(--b-red)", o: "var(--b-blue)", a: "var(--b-red)", b: "var(--b-blue)" };

const PALE = ["var(--b-white)", "var(--b-yellow)", "var(--ev-first)"]; // of these, those that dark words are read on

/** The colour of a seat: that of its pieces. @param {any} state @param {number} index */
function colourOf(state, index) {
  const side = state.picture?.sides?.[index];
  return side ? `var(--b-${side})` : COLOURS[state.seats[index]?.name.toLowerCase()] ?? (index === 0 ? "var(--ev-first)" : "var(--ev-second)");
}

/** @param {any} state @param {number} index */
function disc(state, index) {
  const made = h("i", { class: `disc disc-${index}`, "aria-hidden": "true" });
  made.style.backgroundColor = colourOf(state, index);
  return made;
}

/** The men that a player has taken, and how many points that is ahead. @param {any} taken @param {number} index */
function men(taken, index) {
  if (!taken?.men[index]) return null;
  const lead = index ? -taken.lead : taken.lead;
  return h("span", { class: "taken", role: "img", "aria-label": `has taken ${taken.men[index].length} men` }, [...taken.men[index]].map((/** @type {string} */ mark) => s("svg", { viewBox: "-26 -28 52 56" }, taken.figures[mark].map(element))), lead > 0 ? `+${lead}` : null);
}

/** How a player stands at a point of the curve. @param {any} point @param {number} mover */
function standing(point, mover) {
  const share = mover === 0 ? point.share : 1 - point.share;
  if (point.exact) return share > 0.55 ? "a win" : share < 0.45 ? "a loss" : "a draw";
  return share > 0.6 ? "a better position" : share < 0.4 ? "a worse position" : "an even position";
}

/** What the equilibrium says of a choice. @param {any} advice */
function adviceWords(advice) {
  const often = advice.frequencies.find((/** @type {[string, number]} */ [name]) => name === advice.move)?.[1] ?? 0;
  const cost = advice.cost === null ? "" : advice.cost < 5e-4 ? " It cost nothing." : ` It cost ${figure(Number(advice.cost.toFixed(3)))} ${advice.unit} on average.`;
  return `You chose ${advice.move}; the equilibrium does so ${Math.round(100 * often)} times in 100.${cost}`;
}

/** @param {any} advice */
function adviceBars(advice) {
  return h("span", { class: "advice" }, advice.frequencies.map((/** @type {[string, number]} */ [name, weight]) => {
    const fill = h("span", { class: "bar-fill" });
    fill.style.width = `${(100 * weight).toFixed(1)}%`;
    return h("span", { class: "bar" }, h("span", { class: "bar-name" }, name), h("span", { class: "bar-track", "aria-hidden": "true" }, fill), h("span", { class: "bar-number" }, `${(100 * weight).toFixed(0)}%`));
  }));
}

/** An engine as people call it. @param {string} text */
function seatWords(text) {
  const [, name, strength = ""] = text.match(/^([\w+^-]+)(?:\((.*)\))?$/s) ?? [null, text];
  if (name === "equilibrium") return "The equilibrium";
  return `Engine, ${name}${strength ? ` (${strength.replaceAll("=", " ").replaceAll(",", ", ")})` : ""}`;
}

/** A sentence in which the names of moves stand out. @param {string} words @param {Array<string | undefined>} names */
function emphasized(words, names) {
  const parts = words.split(/([\s;:]+|,(?=\s)|[.,](?=$))/);
  const first = parts.findIndex((word) => names.includes(word));
  return parts.map((word, index) => (index === first ? h("em", null, word) : word));
}

customElements.define("play-page", PlayPage);
