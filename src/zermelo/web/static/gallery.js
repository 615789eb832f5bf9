// All games, each with its board as it begins.

import { games } from "/static/channel.js";
import { drawBoard } from "/static/board.js";
import { h, put, s, toast } from "/static/dom.js";
import { TreeModel } from "/static/tree-model.js";

const PARTS = [
  ["game", "Games", "Play against an engine, or let engines play each other; see what every move is worth."],
  ["puzzle", "Alone", "One player, against chance or a puzzle."],
  ["tree", "Trees from the textbooks", "Step through a search and see why branches are cut."],
  ["matrix", "Tables of payoffs", "Two choices at the same moment: best replies and equilibria."],
];

/** Where a game is opened from the gallery. @param {any} game */
export function target(game) {
  const name = encodeURIComponent(game.name);
  if (game.kind === "tree") return game.hidden ? `#/equilibrium?game=${name}` : `#/tree?example=${name}`;
  if (game.kind === "matrix") return `#/equilibrium?game=${name}`;
  return `#/play?game=${name}`;
}

class GamesPage extends HTMLElement {
  connectedCallback() {
    put(
      this,
      h("section", { class: "hero" },
        h("h1", null, "Every answer a game tree holds"),
        h("p", null, "Play, look at what each move is worth, step through the search that says so, and watch strategies settle into equilibrium."),
        h("p", { class: "hero-links" },
          h("a", { class: "button primary", href: "#/play?game=connect4" }, "Play Connect Four"),
          h("a", { class: "button", href: "#/tree?example=pruning&engine=alphabeta" }, "See alpha-beta cut a tree"),
          h("a", { class: "button", href: "#/equilibrium?game=kuhn" }, "Watch poker being solved"))),
      h("p", { class: "soft", role: "status" }, "Looking through the games…"),
    );
    games().then((list) => this.fill(list), (error) => toast(error.message));
  }

  /** @param {any[]} list */
  fill(list) {
    this.querySelector("[role=status]")?.remove();
    for (const [kind, heading, words] of PARTS) {
      const part = list.filter((game) => game.kind === kind);
      if (!part.length) continue;
      this.append(h("section", { class: "shelf" }, h("h2", null, heading), h("p", { class: "soft" }, words), h("ul", { class: "cards", role: "list" }, part.map(card))));
    }
    const broken = list.filter((game) => game.problem);
    if (broken.length) this.append(h("section", { class: "shelf" }, h("h2", null, "Could not be opened"), broken.map((game) => h("p", { class: "problem" }, h("b", null, game.name), `: ${game.problem}`))));
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
  return h("li", { class: "game-card" },
    h("a", { class: "game-link", href: target(game) }, h("span", { class: "preview", "aria-hidden": "true" }, preview(game)), h("span", { class: "game-title" }, game.title)),
    h("p", null, game.summary),
    h("p", { class: "facts" }, facts.join(" · "), labs.length ? [" · ", labs.flatMap((link, index) => (index ? [" · ", link] : [link]))] : null));
}

/** @param {any} game */
function preview(game) {
  if (game.board?.kind === "dice" && !game.board.dice.flat().length) return h("span", { class: "preview-sign" }, "⚄");
  if (game.board?.kind) return drawBoard(game.board, { small: true });
  if (game.outline) return treePreview(game.outline);
  if (game.payoffs) return h("span", { class: "preview-table" }, game.payoffs.map((/** @type {string[]} */ row) => h("span", { class: "preview-row" }, row.map((cell) => h("span", null, cell)))));
  return h("span", { class: "preview-sign" }, game.kind === "tree" ? "⋔" : "⊞");
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
