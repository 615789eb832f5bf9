// All games, each with its board as it begins.

import { games } from "/static/channel.js";
import { h, put, s, toast } from "/static/dom.js";
import { drawPicture } from "/static/picture.js";
import { TreeModel } from "/static/tree-model.js";

/** @type {Array<[string, string, string, (game: any) => boolean]>} key, heading, words, which games */
const PARTS = [
  ["own", "Your own", "From the files that the workbench was started with.", (game) => game.own],
  ["board", "On the board", "Nothing hidden, no dice: every position has a value.", (game) => game.kind === "game" && !game.hidden && !game.chance],
  ["dice", "With dice and luck", "Chance moves too, and best play is best on average.", (game) => (game.kind === "game" || game.kind === "puzzle") && game.chance && !game.hidden],
  ["hidden", "With something hidden", "Cards and cups: best play mixes.", (game) => game.kind === "game" && game.hidden],
  ["puzzle", "Alone", "One player and a puzzle.", (game) => game.kind === "puzzle" && !game.chance],
  ["tree", "Trees from the textbooks", "Step through a search and see why branches are cut.", (game) => game.kind === "tree"],
  ["matrix", "Tables of payoffs", "Two choices at the same moment: best replies and equilibria.", (game) => game.kind === "matrix"],
];
const STARTS = [ // address, heading, words, the game whose cover it has
  ["#/play?game=connect4", "Play Connect Four", "and see what every column is worth", "connect4"],
  ["#/tree?example=pruning&engine=alphabeta&lecture=1", "See alpha-beta cut a tree", "step by step, readable from the last row", "pruning"],
  ["#/play?game=leduc", "Play poker against the equilibrium", "and learn what each choice cost", "leduc"],
  ["#/exercises", "Try an exercise", "minimax values, cut-offs, mixed strategies", "kqj"],
];

/** Where a game is opened from the gallery. @param {any} game */
export function target(game) {
  const name = encodeURIComponent(game.showcase ?? game.name);
  if (game.kind === "tree") return game.hidden ? `#/equilibrium?game=${name}` : `#/tree?example=${name}`;
  if (game.kind === "matrix") return `#/equilibrium?game=${name}`;
  return `#/play?game=${name}`;
}

class GamesPage extends HTMLElement {
  connectedCallback() {
    this.search = h("input", { type: "search", placeholder: "Find a game", "aria-label": "Find a game", oninput: () => this.filter() });
    this.kinds = h("select", { "aria-label": "Kind of game", onchange: () => this.filter() }, h("option", { value: "" }, "all kinds"), PARTS.map(([key, heading]) => h("option", { value: key }, heading)));
    this.none = h("p", { class: "soft", role: "status" }, "Looking through the games…");
    put(
      this,
      h("section", { class: "hero" },
        h("h1", null, "Every answer a game tree holds"),
        h("p", null, "Play, look at what each move is worth, step through the search that says so, and watch strategies settle into equilibrium.")),
      h("ul", { class: "starts", role: "list" }, STARTS.map(([href, title, words, game]) => h("li", null, h("a", { href }, h("span", { class: "preview", "aria-hidden": "true", data: { game } }), h("b", null, title), h("span", null, words)))),
        h("li", null, h("a", { href: "#/own", class: "own-link" }, h("span", { class: "preview", "aria-hidden": "true" }, h("code", { class: "preview-code" }, "class MyGame(Game):\n    def start(self): …\n    def actions(self, state): …\n    def result(self, state, action): …\n    def utility(self, state): …")), h("b", null, "Open mygame.py"), h("span", null, "your own rules: zermelo web mygame.py")))),
      h("div", { class: "finder" }, this.search, this.kinds),
      this.none,
    );
    games().then((list) => this.fill(list), (error) => toast(error.message));
  }

  /** @param {any[]} list */
  fill(list) {
    put(this.none);
    for (const cover of /** @type {NodeListOf<HTMLElement>} */ (this.querySelectorAll(".starts .preview"))) {
      const game = list.find((each) => each.name === cover.dataset.game);
      if (game) put(cover, preview(game));
    }
    const own = list.find((game) => game.own && !game.problem);
    const link = /** @type {any} */ (this.querySelector(".own-link"));
    if (own) {
      link.href = target(own);
      put(link, h("span", { class: "preview", "aria-hidden": "true" }, preview(own)), h("b", null, `Open ${own.title}`), h("span", null, "your own file, watched while you edit it"));
    } else link.addEventListener("click", (/** @type {Event} */ event) => {
      event.preventDefault();
      toast("Start the workbench with your file: zermelo web mygame.py. It is then watched while you edit it.", "news");
    });
    for (const [key, heading, words, belongs] of PARTS) {
      const part = list.filter((game) => !game.problem && belongs(game) && (key === "own" || !game.own));
      if (part.length) this.append(h("section", { class: "shelf", data: { kind: key } }, h("h2", null, heading), h("p", { class: "soft" }, words), h("ul", { class: "cards", role: "list" }, part.map(card))));
    }
    const broken = list.filter((game) => game.problem);
    if (broken.length) this.append(h("section", { class: "shelf" }, h("h2", null, "Could not be opened"), broken.map((game) => h("p", { class: "problem" }, h("b", null, game.name), `: ${game.problem}`))));
    this.filter();
  }

  /** Shows what fits the words and the kind. */
  filter() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const shelf of /** @type {NodeListOf<HTMLElement>} */ (this.querySelectorAll(".shelf[data-kind]"))) {
      const kind = !this.kinds.value || shelf.dataset.kind === this.kinds.value;
      let some = 0;
      for (const each of /** @type {NodeListOf<HTMLElement>} */ (shelf.querySelectorAll(".game-card"))) {
        each.hidden = !kind || !words.every((/** @type {string} */ word) => each.dataset.words?.includes(word));
        some += each.hidden ? 0 : 1;
      }
      shelf.hidden = !some;
      shown += some;
    }
    if (this.querySelector(".shelf")) put(this.none, shown ? "" : "No game fits these words.");
  }
}

/** @param {any} game */
function card(game) {
  const facts = [game.players === 1 ? "one player" : `${game.players} players`, game.chance && "chance", game.hidden && "hidden information"].filter(Boolean);
  const labs = [
    game.kind === "game" && !game.hidden ? h("a", { href: `#/tree?game=${encodeURIComponent(game.name)}`, "aria-label": `${game.title}: its tree` }, "tree") : null,
    game.hidden ? h("a", { href: `#/equilibrium?game=${encodeURIComponent(game.name)}`, "aria-label": `${game.title}: its equilibrium` }, "equilibrium") : null,
    game.kind === "game" && !game.hidden && !game.chance && game.zeroSum ? h("a", { href: `#/compare?game=${encodeURIComponent(game.name)}`, "aria-label": `${game.title}: compare algorithms` }, "compare") : null,
  ].filter(Boolean);
  return h("li", { class: "game-card", data: { words: [game.name, game.title, game.summary, ...facts].join(" ").toLowerCase() } },
    h("a", { class: "game-link", href: target(game) }, h("span", { class: "preview", "aria-hidden": "true" }, preview(game)), h("span", { class: "game-title" }, game.title)),
    h("p", null, game.summary),
    h("p", { class: "facts" }, facts.join(" · "), labs.length ? [" · ", labs.flatMap((link, index) => (index ? [" · ", link] : [link]))] : null));
}

/** @param {any} game */
function preview(game) {
  if (game.picture) return drawPicture(game.picture);
  if (game.outline) return treePreview(game.outline);
  if (game.payoffs) return h("span", { class: "preview-table" }, game.payoffs.map((/** @type {string[]} */ row) => h("span", { class: "preview-row" }, row.map((cell) => h("span", null, cell)))));
  return game.text ? h("code", { class: "preview-code" }, game.text) : h("span", { class: "preview-sign" }, game.kind === "tree" ? "⋔" : "⊞");
}

/** A tree in a few lines. @param {Array<[number, string]>} outline parent and kind of every node */
function treePreview(outline) {
  const model = new TreeModel();
  model.add(outline.map(([p, k], i) => ({ i, p, k, m: 0 })));
  model.layout();
  const x = (/** @type {number} */ i) => 8 + (144 * (model.places.get(i)?.x ?? 0)) / model.width;
  const y = (/** @type {number} */ i) => 10 + (76 * (model.places.get(i)?.depth ?? 0)) / Math.max(1, model.rows.length - 1);
  const form = (/** @type {string} */ k, /** @type {number} */ i) => {
    if (k === "max" || k === "min") return s("path", { class: "tree-shape", d: `M${x(i)} ${y(i) + (k === "max" ? -6 : 6)}l6 ${k === "max" ? 11 : -11}h-12z` });
    return k === "end" ? s("rect", { class: "tree-shape", x: x(i) - 3, y: y(i) - 3, width: 6, height: 6, rx: 1 }) : s("circle", { class: "tree-shape", cx: x(i), cy: y(i), r: 5 });
  };
  return s("svg", { class: "board", viewBox: "0 0 160 96", "data-width": 160, "data-height": 96 },
    outline.map(([p], i) => (p < 0 ? null : s("line", { class: "tree-edge", x1: x(p), y1: y(p), x2: x(i), y2: y(i) }))),
    outline.map(([, k], i) => s("g", { class: `tree-node ${k}` }, form(k, i))));
}

customElements.define("games-page", GamesPage);
