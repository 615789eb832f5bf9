// Play: a board, the people and engines at it, every move that was tried, what each is worth, and how the value went.

import { channel, games } from "/static/channel.js";
import "/static/board.js";
import { chart } from "/static/chart.js";
import { announce, badge, duration, figure, h, put, select, toast } from "/static/dom.js";
import { playerText, seatFields } from "/static/seats.js";

const KEPT = "zermelo table"; // in the tab's own storage: which match this address belongs to

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
    this.place = 0; // in the queue
    /** @type {Array<() => void>} */
    this.ends = [];
    this.arrived = performance.now();
    this.wantsValues = localStorage.getItem("values") !== "off";
  }

  connectedCallback() {
    this.build();
    this.ends = [
      channel.on("play.state", (message) => message.table === this.state?.table && this.take(message)),
      channel.on("play.thinking", (message) => message.table === this.state?.table && this.think(message)),
      channel.on("play.place", (message) => message.table === this.state?.table && this.queued(message.place)),
      channel.on("play.values", (message) => message.table === this.state?.table && this.value(message)),
      channel.on("play.graph", (message) => message.table === this.state?.table && this.graph(message.graph)),
      channel.on("play.problem", (message) => message.table === this.state?.table && toast(message.error)),
      channel.on("connection", ({ state, again }) => state === "open" && again && this.state && this.open({ table: this.state.table, game: this.state.game, moves: this.state.position, seats: this.state.seats.map((/** @type {any} */ seat) => seat.player) })),
    ];
    this.clock = setInterval(() => this.tick(), 250);
    this.keys = (/** @type {KeyboardEvent} */ event) => this.pressed(event);
    document.addEventListener("keydown", this.keys);
  }

  disconnectedCallback() {
    this.ends.forEach((end) => end());
    clearInterval(this.clock);
    if (this.keys) document.removeEventListener("keydown", this.keys);
    if (this.state) channel.ask("play.leave", { table: this.state.table }).catch(() => {});
  }

  /** The address has changed. @param {URLSearchParams} parameters */
  route(parameters) {
    if (this.state && location.hash === this.address()) return;
    const game = parameters.get("game") ?? "connect4";
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
    const table = kept && kept.address === location.hash ? kept.table : "";
    const seats = parameters.get("seats");
    this.open({ table, game, moves: parameters.get("moves") ?? "", ...(seats ? { seats: seats.split(";") } : {}) });
  }

  /** @param {Record<string, any>} wanted */
  async open(wanted) {
    try {
      const state = await channel.ask("play.open", { ...wanted, values: false });
      const other = state.game !== this.state?.game;
      this.take(state);
      if (other || !this.players) {
        this.players = await channel.ask("play.players", { game: state.game });
        this.fillSeats();
        this.fillParameters();
      }
      if (this.wantsValues && !state.secret && !state.values) this.send("play.values", { on: true });
    } catch (error) {
      const words = /** @type {Error} */ (error).message;
      if (words.startsWith("The connection")) return;
      if (this.state) toast(words);
      else {
        put(this.status, h("span", { class: "problem" }, words));
        this.picker.value = "";
      }
    }
  }

  build() {
    this.board = /** @type {any} */ (h("game-board", { onmove: (/** @type {any} */ event) => this.move(event.detail), onambiguous: (/** @type {any} */ event) => this.offer(event.detail) }));
    this.heading = h("h1", null, "Play");
    this.status = h("p", { class: "turn", role: "status" });
    this.thinking = h("p", { class: "thinking", "aria-live": "off" });
    this.choices = h("div", { class: "choices" });
    this.seats = h("div", { class: "seats" });
    this.parameters = h("div", { class: "parameters" });
    this.moves = h("div", { class: "record" });
    this.curve = h("div", { class: "curve" });
    const button = (/** @type {string} */ words, /** @type {string} */ keys, /** @type {() => void} */ act) => h("button", { type: "button", onclick: act, title: keys ? `Key: ${keys}` : null }, words);
    this.undo = button("Undo", "U", () => this.send("play.undo"));
    this.redo = button("Redo", "R", () => this.send("play.redo"));
    this.go = button("Pause", "P", () => this.send("play.run", { on: !this.state?.running }));
    this.advice = button("Hint", "H", () => this.ask());
    this.fresh = button("New game", "N", () => this.again());
    this.sharing = button("Share", "", () => this.share());
    for (const each of this.buttons()) each.disabled = true; // until there is a match
    this.switch = h("input", { type: "checkbox", checked: this.wantsValues, onchange: () => this.toggle(this.switch.checked) });
    this.picker = h("select", { "aria-label": "Game", onchange: () => { location.hash = `#/play?game=${encodeURIComponent(this.picker.value)}`; } });
    games().then((list) => {
      put(this.picker, list.filter((game) => !game.problem).map((game) => h("option", { value: game.name }, game.title)));
      this.picker.value = "";
      if (this.state) this.setPicker();
    }, () => {});
    put(this, h("div", { class: "page-head" }, this.heading, this.picker, this.parameters),
      h("div", { class: "play" },
        h("section", { class: "panel stage", "aria-label": "Board" }, this.status, this.board, this.thinking,
          h("div", { class: "controls" }, this.fresh, this.undo, this.redo, this.go, this.advice, this.sharing,
            h("label", { class: "switch" }, this.switch, h("span", null, "Show every move’s value")))),
        h("div", { class: "side" },
          h("section", { class: "panel" }, h("h2", null, "Seats"), this.seats),
          h("section", { class: "panel" }, h("h2", null, "Moves here"), this.choices),
          h("section", { class: "panel" }, h("h2", null, "The value through the game"), this.curve),
          h("section", { class: "panel" }, h("h2", null, "Record"), this.moves))));
  }

  buttons() {
    return [this.fresh, this.undo, this.redo, this.go, this.advice, this.sharing];
  }

  /** @param {any} state */
  take(state) {
    if (state.now !== this.state?.now || state.table !== this.state?.table) {
      this.hint = null;
      this.thought = null;
      this.place = 0;
      this.arrived = performance.now();
    }
    const before = this.state;
    this.state = state;
    const address = this.address();
    if (location.hash !== address) history.replaceState(null, "", address);
    sessionStorage.setItem(KEPT, JSON.stringify({ address, table: state.table }));
    document.title = `${state.title} · Zermelo`;
    this.setPicker();
    this.drawAll();
    if (before && state.now !== before.now) announce(state.over ? state.outcome : `${this.lastName()}. ${state.moverName} to move.`);
  }

  setPicker() {
    if (!this.picker.querySelector(`option[value="${CSS.escape(this.state.game)}"]`)) this.picker.append(h("option", { value: this.state.game }, this.state.game));
    this.picker.value = this.state.game;
  }

  lastName() {
    const last = this.state.moves[this.state.now];
    return last && last.parent >= 0 ? `${last.mover < 0 ? "Chance" : this.state.seats[last.mover].name} played ${last.name}` : "The beginning";
  }

  drawAll() {
    const state = this.state;
    put(this.heading, state.title);
    put(this.status, ...this.turnWords());
    this.board.show(state, this.switch.checked ? state.judgement : null, this.hint);
    this.undo.disabled = state.now === 0;
    this.redo.disabled = !state.line.includes(state.now) ? !state.line.length : state.line[state.line.length - 1] === state.now;
    put(this.go, state.running ? "Pause" : "Go on");
    this.go.disabled = state.over || (state.human && state.running);
    this.advice.disabled = !state.human || state.secret;
    this.switch.disabled = state.secret;
    this.fresh.disabled = this.sharing.disabled = false;
    this.drawThought();
    this.drawChoices();
    this.drawRecord();
    this.graph(state.graph);
    this.fillSeats();
  }

  turnWords() {
    const state = this.state;
    if (state.over) return [h("b", null, state.outcome)];
    if (state.mover === -1) return [h("b", null, "Chance"), " decides…"];
    if (state.human) return [h("b", null, state.moverName), ": your move."];
    return [h("b", null, state.moverName), state.running ? (this.place > 0 ? ` waits for a processor, place ${this.place} in the queue.` : " is thinking…") : " is to move; press Go on to let the engine play."];
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
    if (!found) {
      put(this.thinking);
      return;
    }
    put(this.thinking, h("b", null, found.best ?? ""), ` ${found.words} · `, found.depth ? `depth ${found.depth} · ` : found.exact ? "to the end · " : "", `${figure(found.nodes)} nodes · ${duration(found.seconds)}`, found.line.length ? h("span", { class: "line" }, found.line.join(" ")) : null);
  }

  /** @param {number} place */
  queued(place) {
    this.place = place;
    put(this.status, ...this.turnWords());
  }

  /** @param {any} message */
  value(message) {
    this.graph(message.graph);
    if (message.now !== this.state.now) return;
    this.state.judgement = message.judgement;
    this.board.show(this.state, this.switch.checked ? message.judgement : null, this.hint);
    this.drawChoices();
  }

  drawChoices() {
    const state = this.state;
    const found = this.switch.checked ? state.judgement : null;
    const list = state.legal.map((/** @type {any} */ move) => {
      const worth = found?.moves[String(move.action)];
      const best = found?.best.includes(move.action);
      return h("li", null, h("button", { type: "button", class: `choice${best ? " best" : ""}${this.hint === move.action ? " hint" : ""}`, disabled: !state.human, onclick: () => this.move(move.action) },
        h("span", { class: "choice-name" }, move.name), worth ? badge(worth) : null, worth && !worth.exact && worth.interval ? h("span", { class: "interval", title: "proven bounds, or the interval of 95 % over many playouts" }, `${worth.interval[0]} … ${worth.interval[1]}`) : null));
    });
    const notes = found ? h("p", { class: "soft" }, found.done ? (found.exact ? "Proven: " : "Estimated: ") : "Still looking: ", `${found.words.replace(/^estimate: /, "")}. `, `${figure(found.nodes)} nodes by ${found.engine}${found.depth ? `, depth ${found.depth}` : ""}.`) : null;
    const looking = !found && this.switch.checked && state.values && !state.over && state.mover >= 0 && !state.secret ? h("p", { class: "soft" }, "Looking at every move… The first search of a game also compiles its rules, which takes some seconds.") : null;
    const secret = state.secret && !state.over ? h("p", { class: "soft" }, "Something is hidden here, so single moves have no value. The ", h("a", { href: `#/equilibrium?game=${encodeURIComponent(state.game)}` }, "equilibrium lab"), " shows how to mix them.") : null;
    put(this.choices, list.length ? h("ul", { class: "choice-list", role: "list" }, list) : h("p", { class: "soft" }, state.over ? "The game is over." : "Nobody chooses here."), notes, looking, secret);
  }

  drawRecord() {
    const state = this.state;
    /** @type {number[][]} */
    const below = state.moves.map(() => []);
    for (const move of state.moves) if (move.parent >= 0) below[move.parent].push(move.id);
    const onLine = new Set(state.line);
    const button = (/** @type {number} */ id) => h("button", { type: "button", class: `ply${id === state.now ? " now" : ""}`, "aria-current": id === state.now ? "step" : null, onclick: () => this.send("play.go", { move: id }) }, id === 0 ? "start" : state.moves[id].name);
    const items = /** @type {any[]} */ ([button(0)]);
    const walk = (/** @type {number} */ from, /** @type {any[]} */ into) => {
      let here = from;
      while (below[here].length) {
        const main = below[here].find((/** @type {number} */ id) => onLine.has(id)) ?? below[here][0];
        into.push(button(main));
        for (const other of below[here]) {
          if (other === main) continue;
          const side = /** @type {any[]} */ ([button(other)]);
          walk(other, side);
          into.push(h("span", { class: "variation" }, "(", side, ")"));
        }
        here = main;
      }
    };
    walk(0, items);
    put(this.moves, h("div", { class: "plies" }, items), state.position ? h("p", { class: "soft moves-text" }, "As text: ", h("code", null, state.position)) : null,
      state.secret || state.over ? null : h("p", { class: "soft" }, "Look into this position: ", h("a", { href: `#/tree?${this.here()}&depth=2` }, "its tree"), ", ", h("a", { href: `#/mcts?${this.here()}` }, "playouts"), "."));
  }

  here() {
    return `game=${encodeURIComponent(this.state.game)}&moves=${encodeURIComponent(this.state.position)}`;
  }

  /** @param {Array<[number, boolean] | null>} points */
  graph(points) {
    if (!this.state) return;
    this.state.graph = points;
    const payoffs = this.state.payoffs;
    const known = points.map((point, x) => (point ? { x, y: point[0], sure: point[1] } : null)).filter(Boolean);
    const now = this.state.now === 0 ? 0 : this.state.line.indexOf(this.state.now) + 1;
    if (!known.length) put(this.curve, h("p", { class: "soft" }, this.state.secret ? "Hidden information: there is no value to draw." : this.switch.checked ? "The value appears here as soon as it is known." : "Turn the values on to see how they change from move to move."));
    else put(this.curve, chart({ label: "The value for the first player after every move", series: [{ name: "value", points: /** @type {any} */ (known) }], low: payoffs?.[0], high: payoffs?.[1], x: "move", y: `for ${this.state.seats[0].name}`, mark: now, height: 150, most: Math.max(points.length - 1, 4) }), h("p", { class: "soft" }, "Filled points are proven, open ones estimated."));
  }

  fillSeats() {
    const state = this.state;
    if (!state) return;
    if (!this.players || this.seats.contains(document.activeElement)) {
      this.tick();
      return;
    }
    put(this.seats, state.seats.map((/** @type {any} */ seat, /** @type {number} */ index) => h("div", { class: `seat${state.mover === index ? " turn-now" : ""}` },
      h("span", { class: "seat-name" }, seat.name), h("span", { class: "clock", data: { seat: String(index) }, title: "Time used" }, ""),
      seatFields(seat, this.players, (text) => this.reseat(index, text)))));
    this.tick();
  }

  /**
   * @param {number} index
   * @param {string} text
   */
  reseat(index, text) {
    const seats = this.state.seats.map((/** @type {any} */ seat) => seat.player);
    seats[index] = text;
    this.send("play.seats", { seats }).then(() => { /** @type {any} */ (document.activeElement)?.blur?.(); this.fillSeats(); });
  }

  async fillParameters() {
    const list = await games().catch(() => []);
    const base = this.state.game.replace(/\(.*$/s, "");
    const known = list.find((game) => game.name === base);
    const given = Object.fromEntries([...this.state.game.matchAll(/(\w+)=([^,()]+|\([^)]*\))/g)].map((match) => [match[1], match[2]]));
    const numbers = (known?.parameters ?? []).filter((/** @type {any} */ parameter) => Number.isInteger(parameter.value));
    put(this.parameters, numbers.map((/** @type {any} */ parameter) => {
      const input = h("input", { type: "number", min: 0, max: 1000, value: given[parameter.name] ?? parameter.value, onchange: () => {
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
    for (const clock of /** @type {NodeListOf<HTMLElement>} */ (this.seats.querySelectorAll(".clock"))) {
      const seat = Number(clock.dataset.seat);
      const running = !state.over && state.mover === seat && (state.human || state.thinking);
      clock.textContent = duration(state.clocks[seat] + (running ? (performance.now() - this.arrived) / 1000 : 0) || 0.0001).replace(/^\d+ µs$/, "0 s").replace(/^(\d+)(\.\d+)? ms$/, "0.$1 s").replace(/^0\.(\d)\d* s$/, "0.$1 s");
    }
  }

  address() {
    const state = this.state;
    const parts = [`game=${encodeURIComponent(state.game)}`];
    if (state.position) parts.push(`moves=${encodeURIComponent(state.position)}`);
    parts.push(`seats=${state.seats.map((/** @type {any} */ seat) => encodeURIComponent(seat.player)).join(";")}`);
    return `#/play?${parts.join("&")}`;
  }

  /**
   * @param {string} type
   * @param {Record<string, any>} [message]
   * @param {boolean} [silent]
   */
  async send(type, message = {}, silent = false) {
    if (!this.state) return;
    try {
      await channel.ask(type, { table: this.state.table, ...message });
    } catch (error) {
      const words = /** @type {Error} */ (error).message;
      if (words.startsWith("This match is gone")) this.open({ game: this.state.game, moves: this.state.position, seats: this.state.seats.map((/** @type {any} */ seat) => seat.player) });
      else if (!silent) toast(words);
    }
  }

  /** @param {number} action */
  move(action) {
    this.send("play.move", { action, now: this.state.now });
  }

  /** Several moves mean the same places: the page asks which. @param {any[]} moves */
  offer(moves) {
    const dialog = h("dialog", { class: "offer", onclose: () => dialog.remove() }, h("p", null, "Which one?"), h("div", { class: "controls" }, moves.map((move) => h("button", { type: "button", onclick: () => { dialog.close(); this.move(move.action); } }, move.name)), h("button", { type: "button", class: "quiet", onclick: () => dialog.close() }, "None")));
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
    const seats = this.state?.seats.map((/** @type {any} */ seat) => seat.player);
    const game = this.state?.game ?? "connect4";
    this.open({ game, ...(seats ? { seats } : {}) });
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

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const field = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(field.tagName)) return;
    const acts = /** @type {Record<string, () => void>} */ ({ u: () => this.undo.click(), r: () => this.redo.click(), h: () => this.advice.click(), p: () => this.go.click(), n: () => this.again() });
    const act = acts[event.key.toLowerCase()];
    if (act) act();
  }
}

customElements.define("play-page", PlayPage);
export { playerText, select };
