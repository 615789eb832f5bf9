// Poker over ranges: a spot is solved or opened, walked through by clicks, and trained on.

import { channel } from "/static/channel.js";
import { announce, duration, figure, h, put, toast } from "/static/dom.js";
import { Work } from "/static/work.js";

/** Fields of the form: name, words, and its width. @type {Array<[string, string, "" | "double" | "wide"]>} */
const FIELDS = [
  ["board", "Board", "double"], ["pot", "Pot", ""], ["stack", "Stack", ""],
  ["oop", "Range of the first to act", "wide"], ["ip", "Range of the last to act", "wide"],
  ["bets", "Bets", ""], ["raises", "Raises", ""], ["rake", "Rake, as 0.05", ""], ["target", "Target, % of pot", ""],
];
const NUMBERS = ["pot", "stack", "rake", "target"];
const SUITS = /** @type {Record<string, string>} */ ({ s: "♠", h: "♥", d: "♦", c: "♣" });
const SHOWN = 120; // hands in the table of the whole range

class PokerPage extends HTMLElement {
  constructor() {
    super();
    this.solving = new Work("Working… The first spot also compiles the solver, which takes a second.");
    this.walking = new Work();
    /** @type {any} */
    this.solved = null;
    /** @type {any} */
    this.point = null;
    this.chosen = ""; // class of hands whose hands are listed
    /** @type {any} what the form said when it was solved; nothing for a file */
    this.spot = null;
    this.seed = 0;
    this.tally = { asked: 0, lost: 0 };
    /** @type {Record<string, any>} */
    this.fields = {};
  }

  connectedCallback() {
    const field = (/** @type {[string, string, string]} */ [name, words, width]) => {
      this.fields[name] = width === "wide" ? h("textarea", { rows: 3, spellcheck: false }) : h("input", { type: "text", autocomplete: "off", spellcheck: false });
      return h("label", { class: `field ${width}` }, h("span", null, words), this.fields[name]);
    };
    this.files = h("div", { class: "controls solved-files" });
    this.verdict = h("div", { class: "verdict", role: "status" });
    this.trainer = h("section", { class: "panel", hidden: true });
    this.main = h("div", { class: "side" }, h("p", { class: "nothing-yet" }, "Solve the spot: then every hand of both ranges shows what it does and what it is worth, point by point."));
    put(this,
      h("div", { class: "page-head" }, h("h1", null, "Poker")),
      h("div", { class: "lab even" },
        h("div", { class: "side" },
          h("section", { class: "panel" }, h("h2", null, "Spot"),
            h("form", { class: "spot-form", onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); this.solve(); } }, FIELDS.map(field), h("button", { type: "submit", class: "primary" }, "Solve")),
            this.files, this.solving.element, this.verdict),
          this.trainer),
        h("div", { class: "side" }, this.walking.element, this.main)));
  }

  disconnectedCallback() {
    this.solving.stop();
    this.walking.stop();
  }

  /** @param {URLSearchParams} parameters fields of the form by name */
  async route(parameters) {
    const { example, files } = await channel.ask("ranges.begin");
    for (const [name, element] of Object.entries(this.fields)) element.value = parameters.get(name) ?? example[name] ?? (name === "target" ? "0.5" : "");
    put(this.files, files.map((/** @type {string} */ name, /** @type {number} */ file) => h("button", { type: "button", onclick: () => this.open(file) }, `Open ${name}`)));
    this.solve((parameters.get("line") ?? "").split(", ").filter(Boolean));
  }

  /** What the form says. */
  asked() {
    /** @type {Record<string, any>} */
    const asked = {};
    for (const [name, element] of Object.entries(this.fields)) {
      const value = element.value.trim().replaceAll("\n", " ");
      if (!value) continue;
      asked[name] = NUMBERS.includes(name) ? Number(value.replace("%", "")) : value;
      if (Number.isNaN(asked[name])) throw new Error(`${FIELDS.find(([each]) => each === name)?.[1]}: ${value} is not a number.`);
    }
    return asked;
  }

  /** Solves what the form says, and goes to a point of it. @param {string[]} [line] */
  async solve(line = []) {
    try {
      this.spot = this.asked();
      this.keep(line);
      const solved = await this.solving.run("ranges.solve", this.spot, (told) => `${figure(told.iterations)} iterations, exploitability ${figure(told.percent, 3)} % of the pot`);
      this.show(solved);
      if (solved && line.length) await this.go(line);
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    }
  }

  /** The address holds the spot and the way into it. @param {string[]} line */
  keep(line) {
    if (this.spot && this.isConnected) history.replaceState(null, "", `#/poker?${new URLSearchParams({ ...this.spot, ...(line.length ? { line: line.join(", ") } : {}) })}`);
  }

  /** @param {number} file */
  async open(file) {
    this.spot = null;
    this.show(await this.solving.run("ranges.open", { file }));
  }

  /** @param {any} solved */
  show(solved) {
    if (!solved) return;
    this.solved = solved;
    this.tally = { asked: 0, lost: 0 };
    const late = { interrupted: ", stopped", time: ", out of time" }[/** @type {"time"} */ (solved.stopped)] ?? "";
    put(this.verdict,
      h("p", null, solved.seats.map((/** @type {string} */ seat, /** @type {number} */ player) => [player ? ", " : "Value: ", `${seatWords(seat)} `, h("b", { class: `value value-${player}` }, chips(solved.value[player]))])),
      h("p", null, "Exploitability ", h("b", { class: "exploitability" }, figure(solved.percent, 3)), ` % of the pot after ${figure(solved.iterations)} iterations in ${duration(solved.seconds)}${late}.`),
      h("p", { class: "soft" }, solved.guarantee));
    this.trainer.hidden = false;
    put(this.trainer, h("h2", null, "Trainer"), h("p", { class: "soft" }, "A hand from the solution's own play, and your choice against the equilibrium."), h("button", { type: "button", onclick: () => this.ask() }, "Ask me"));
    this.draw(solved.point);
  }

  /** @param {string[]} line */
  async go(line) {
    const point = await this.walking.run("ranges.point", { spot: this.solved.spot, line: line.join(", ") });
    if (!point) return;
    this.keep(line);
    this.draw(point);
  }

  /** @param {any} point */
  draw(point) {
    this.point = point;
    this.chosen = "";
    const way = h("nav", { class: "way", "aria-label": "The way here" }, h("button", { type: "button", onclick: () => this.go([]) }, "Start"),
      point.line.map((/** @type {string} */ word, /** @type {number} */ place) => [h("span", { "aria-hidden": "true" }, "›"), h("button", { type: "button", onclick: () => this.go(point.line.slice(0, place + 1)) }, word)]));
    if (point.kind === "decision") put(this.main, way, this.decision(point));
    else if (point.kind === "cards") put(this.main, way, this.cards(point));
    else put(this.main, way, h("p", null, "The hand is over here."));
    if (point.kind === "decision") this.list();
    announce(point.kind === "decision" ? `${seatWords(point.seat)} decides` : point.kind === "cards" ? "A card comes" : "The hand is over");
  }

  /** @param {any} point */
  decision(point) {
    this.groups = h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Made hands and draws" });
    this.hands = h("div", { class: "scroll tall", tabindex: 0, role: "region", "aria-label": "Hands" });
    put(this.groups, groupTable("made hand", point.made, point.actions), groupTable("draw", point.draws, point.actions));
    return [
      h("h2", null, `${seatWords(point.seat)} decides on `, cardsOf(point.board), `, pot ${figure(point.pot)}`),
      h("p", null, `Value ${chips(point.value)}, equity ${percent(point.equity)}`),
      h("div", { class: "range-actions" }, point.actions.map((/** @type {[string, number, string]} */ [action, share, colour]) => {
        const made = h("button", { type: "button", onclick: () => this.go([...point.line, action]) }, `${action} ${percent(share)}`);
        made.style.borderLeftColor = colour;
        return made;
      })),
      point.grid ? h("table", { class: "range-grid", "aria-label": "Range by class of hands" }, h("tbody", null, point.grid.map((/** @type {any[]} */ row) => h("tr", null, row.map((cell) => h("td", null, this.cell(cell, point.actions))))))) : null,
      this.groups, this.hands];
  }

  /** One class of hands: filled from the left by its actions, from the bottom by how much of it is there. @param {any[]} cell @param {Array<[string, number, string]>} actions */
  cell([kind, filled, value, shares], actions) {
    if (filled === undefined) return h("span", { class: "absent" }, kind);
    const words = actions.map(([action], place) => `${action} ${percent(shares[place])}`).join(", ");
    const button = h("button", { type: "button", "aria-pressed": "false", title: `${kind}: ${words}; value ${chips(value)}`, onclick: () => this.pick(kind, button) }, kind, h("span", { class: "worth-here" }, chips(value, 1)));
    button.style.backgroundImage = stripes(shares, actions.map(([, , colour]) => colour));
    button.style.backgroundSize = `100% ${Math.max(12, 100 * filled)}%`;
    button.style.backgroundPosition = "bottom";
    return button;
  }

  /** @param {string} kind @param {any} button */
  pick(kind, button) {
    for (const each of this.querySelectorAll(".range-grid [aria-pressed=true]")) each.setAttribute("aria-pressed", "false");
    this.chosen = this.chosen === kind ? "" : kind;
    button.setAttribute("aria-pressed", String(this.chosen === kind));
    this.list();
  }

  /** The hands of the chosen class, or the best of the range. */
  list() {
    const point = this.point;
    const rows = point.hands.filter((/** @type {any[]} */ [, kind]) => !this.chosen || kind === this.chosen);
    const actions = point.actions.map((/** @type {[string, number, string]} */ [action]) => action);
    put(this.hands, h("p", { class: "soft" }, "Under each action: how often the hand takes it, and what that costs in chips."), h("table", { class: "range-table" },
      h("thead", null, h("tr", null, ["hand", "of the range", "equity", "value", ...actions].map((word) => h("th", { scope: "col" }, word)))),
      h("tbody", null, rows.slice(0, SHOWN).map((/** @type {any[]} */ [hand, , weight, equity, value, ...played]) => {
        const best = Math.max(...played.map(([, worth]) => worth));
        return h("tr", null, h("th", { scope: "row" }, cardsOf(hand.match(/../g))), h("td", null, percent(weight)), h("td", null, percent(equity)), h("td", null, chips(value)), played.map(([share, worth]) => h("td", null, `${percent(share)}, ${chips(best - worth, 3)}`)));
      }))), rows.length > SHOWN ? h("p", { class: "soft" }, `The best ${SHOWN} of ${figure(rows.length)} hands; click on a class for its own.`) : null);
  }

  /** @param {any} point */
  cards(point) {
    return [
      h("h2", null, "A card comes"), h("p", { class: "soft" }, "Each card with the next player's equity and choices; click on one to go on."),
      h("div", { class: "runouts" }, point.cards.map((/** @type {any} */ each) => {
        const bar = h("span", { class: "share-bar", "aria-hidden": "true" });
        bar.style.backgroundImage = stripes(each.shares.map((/** @type {any[]} */ [, share]) => share), each.shares.map((/** @type {any[]} */ [, , colour]) => colour));
        return h("button", { type: "button", title: each.shares.map((/** @type {any[]} */ [action, share]) => `${action} ${percent(share)}`).join(", "), onclick: () => this.go([...point.line, each.card]) }, cardsOf([each.card]), each.equity === undefined ? null : [h("span", null, `${seatWords(each.seat)} ${percent(each.equity)}`), h("span", null, `value ${chips(each.value)}`), bar]);
      }))];
  }

  /** The next question, or what an answer to this one costs. @param {string} [action] */
  async ask(action) {
    if (!action) this.seed = Math.floor(Math.random() * 2 ** 31);
    const asked = await this.walking.run("ranges.question", { spot: this.solved.spot, seed: this.seed, ...(action ? { action } : {}) });
    if (!asked) return;
    const head = [h("h2", null, "Trainer"), h("p", null, `You are the ${seatWords(asked.seat).toLowerCase()} with `, cardsOf(asked.hand.match(/../g)), " on ", cardsOf(asked.board), `, pot ${figure(asked.pot)}.`), h("p", { class: "soft" }, `So far: ${asked.line || "nothing"}.`)];
    if (!action) {
      put(this.trainer, head, h("div", { class: "range-actions" }, asked.actions.map((/** @type {string} */ each) => h("button", { type: "button", onclick: () => this.ask(each) }, each))));
      return;
    }
    this.tally = { asked: this.tally.asked + 1, lost: this.tally.lost + asked.cost };
    const { asked: count, lost } = this.tally;
    put(this.trainer, head,
      h("p", { class: "trained", role: "status" }, h("b", null, action), ` costs ${chips(asked.cost, 3)} chips.`),
      h("table", { class: "range-table" }, h("thead", null, h("tr", null, ["action", "equilibrium", "value"].map((word) => h("th", { scope: "col" }, word)))), h("tbody", null, asked.shares.map((/** @type {any[]} */ [each, share, worth]) => h("tr", null, h("th", { scope: "row" }, each), h("td", null, percent(share)), h("td", null, chips(worth)))))),
      h("p", { class: "soft" }, `${count} ${count === 1 ? "answer" : "answers"}, ${chips(lost, 3)} chips lost.`),
      h("div", { class: "controls" }, h("button", { type: "button", class: "primary", onclick: () => this.ask() }, "Next"), h("button", { type: "button", onclick: () => this.go(asked.line ? asked.line.split(", ") : []) }, "Show this point")));
  }
}

/** Who acts before and after, as the form calls them. @param {string} seat */
function seatWords(seat) {
  return { oop: "First to act", ip: "Last to act" }[/** @type {"oop"} */ (seat)] ?? seat;
}

/** An amount without what is too small to matter. @param {number} amount @param {number} [digits] */
function chips(amount, digits = 2) {
  return figure(Number(amount.toFixed(digits)) || 0);
}

/** @param {number} share */
function percent(share) {
  return `${(100 * Math.max(0, share)).toFixed(1)}%`;
}

/** Colours side by side, each as wide as its share. @param {number[]} shares @param {string[]} colours */
function stripes(shares, colours) {
  let from = 0;
  const parts = shares.map((share, place) => {
    const begin = from;
    from += 100 * share;
    return `${colours[place]} ${begin.toFixed(2)}% ${from.toFixed(2)}%`;
  });
  return parts.length ? `linear-gradient(to right, ${parts.join(", ")})` : "none";
}

/** @param {string[]} cards */
function cardsOf(cards) {
  return h("span", { class: "playing-cards" }, cards.map((card) => h("span", { class: "hd".includes(card[1]) ? "playing-card red" : "playing-card" }, card[0], SUITS[card[1]] ?? card[1])));
}

/** Means by what the hands have made or draw to. @param {string} title @param {any[]} groups @param {Array<[string, number, string]>} actions */
function groupTable(title, groups, actions) {
  if (groups.length < 2) return null;
  return h("table", { class: "range-table" },
    h("thead", null, h("tr", null, [title, "of the range", "equity", "value", ...actions.map(([action]) => action)].map((word) => h("th", { scope: "col" }, word)))),
    h("tbody", null, groups.map(([word, weight, equity, value, shares]) => h("tr", null, h("th", { scope: "row" }, word), h("td", null, percent(weight)), h("td", null, percent(equity)), h("td", null, chips(value)), shares.map((/** @type {number} */ share) => h("td", null, percent(share)))))));
}

customElements.define("poker-page", PokerPage);
