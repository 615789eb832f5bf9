// The choice of a game, in the frame beside the names of the pages.

import { games } from "/static/channel.js";
import { h, put, toast } from "/static/dom.js";

/**
 * @param {string} page where the chosen game is opened
 * @param {(game: any) => boolean} fits which games are offered there
 * @returns {(name: string, title?: string) => void} shows which game is open, on offer or not
 */
export function gamePicker(page, fits) {
  let open = { name: "", title: "" };
  const list = h("select", { "aria-label": "Game", class: "game-picker", onchange: () => { location.hash = `#/${page}?game=${encodeURIComponent(list.value)}`; } });
  const show = (/** @type {string} */ name, title = name) => {
    open = { name, title };
    if (![...list.options].some((option) => option.value === name)) list.append(h("option", { value: name }, title));
    list.value = name;
  };
  games().then((all) => {
    put(list, all.filter((game) => !game.problem && fits(game)).map((game) => h("option", { value: page === "play" ? game.showcase ?? game.name : game.name }, game.title)));
    show(open.name, open.title);
  }, (error) => toast(error.message));
  const frame = document.getElementById("picker");
  if (frame) put(frame, list);
  return show;
}
