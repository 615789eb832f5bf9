// The frame: which page is shown, light or dark, and whether the workbench can be reached.

import { channel } from "/static/channel.js";
import { h, put, toast } from "/static/dom.js";

/** Pages load when they are first opened. @type {Record<string, () => Promise<any>>} */
const PAGES = {
  games: () => import("/static/gallery.js"),
  play: () => import("/static/play.js"),
  tree: () => import("/static/tree-lab.js"),
  mcts: () => import("/static/mcts.js"),
  equilibrium: () => import("/static/equilibrium.js"),
  poker: () => import("/static/poker.js"),
  compare: () => import("/static/compare.js"),
  exercises: () => import("/static/exercises.js"),
};
const TITLES = { games: "Games", play: "Play", tree: "Tree", mcts: "Playouts", equilibrium: "Equilibrium", poker: "Poker", compare: "Compare", exercises: "Exercises" };

/** @returns {{page: keyof typeof TITLES, parameters: URLSearchParams}} */
export function place() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?", 2);
  const page = path in PAGES ? path : "games";
  return { page: /** @type {any} */ (page), parameters: new URLSearchParams(query) };
}

async function show() {
  const { page, parameters } = place();
  const wanted = location.hash.replace(/^#\/?/, "").split("?")[0];
  if (wanted && wanted !== page) toast(`There is no page ${wanted.slice(0, 60)}: here are all games.`);
  const main = /** @type {HTMLElement} */ (document.getElementById("main"));
  for (const link of document.querySelectorAll("nav a")) {
    const here = /** @type {HTMLElement} */ (link).dataset.page === page;
    if (here) {
      link.setAttribute("aria-current", "page");
      link.scrollIntoView({ inline: "center", block: "nearest" });
    } else link.removeAttribute("aria-current");
  }
  document.title = `${TITLES[page]} · Zermelo`;
  const tag = `${page}-page`;
  const present = /** @type {any} */ (main.firstElementChild);
  if (present?.localName === tag && present.route) {
    present.route(parameters);
    return;
  }
  put(main); // a page that is left changes the address no more
  put(/** @type {HTMLElement} */ (document.getElementById("picker")));
  await PAGES[page]();
  if (place().page !== page || main.firstElementChild) return;
  const made = document.createElement(tag);
  put(main, made);
  /** @type {any} */ (made).route?.(parameters);
}

/** @param {string} theme */
function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  localStorage.setItem("theme", theme);
}

function start() {
  const kept = localStorage.getItem("theme");
  if (kept) setTheme(kept);
  document.getElementById("theme")?.addEventListener("click", () => {
    const dark = document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
    setTheme(dark === "dark" ? "light" : "dark");
  });
  const bar = /** @type {HTMLElement} */ (document.getElementById("connection"));
  channel.on("connection", ({ state }) => {
    bar.hidden = state === "open";
    put(bar, h("span", null, "The workbench does not answer. Trying again…"), " If it was ended, start it with ", h("code", null, "zermelo web"), ".");
  });
  channel.open();
  addEventListener("hashchange", () => {
    if (location.hash === "#main") return;
    put(/** @type {HTMLElement} */ (document.getElementById("toasts"))); // what was said of another page
    show();
  });
  show();
}

start();
