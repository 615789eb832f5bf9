// Who sits where, and how strong: two choices that become a player's text, such as alphabeta(depth=4).

import { h, select } from "/static/dom.js";

/** What an engine's parameters allow. @type {Record<string, Array<[string, string]>>} */
const STRENGTHS = {
  depth: [["depth=1", "beginner: 1 move ahead"], ["depth=2", "easy: 2 moves ahead"], ["depth=4", "medium: 4 moves ahead"]],
  playouts: [["playouts=30", "beginner: 30 playouts"], ["playouts=300", "easy: 300 playouts"], ["playouts=3000", "medium: 3,000 playouts"], ["playouts=30000", "strong: 30,000 playouts"]],
  time: [["time=0.5", "strong: ½ second"], ["time=2", "stronger: 2 seconds"], ["time=10", "strongest: 10 seconds"]],
};

/**
 * @param {string} name
 * @param {string} strength
 */
function playerText(name, strength) {
  return strength ? `${name}(${strength})` : name;
}

/**
 * The choices for one seat.
 * @param {any} seat
 * @param {any} players
 * @param {(text: string) => void} change
 */
export function seatFields(seat, players, change) {
  const [, name, strength = ""] = seat.player.match(/^(\w+)(?:\((.*)\))?$/s) ?? [null, seat.player];
  const options = /** @type {Array<[string, string]>} */ ([["human", "a person"], ...players.players.map((/** @type {any} */ player) => [player.name, player.name === players.natural ? `${player.name} (suggested)` : player.name])]);
  if (!options.some(([key]) => key === name)) options.push([name, name]);
  const known = players.players.find((/** @type {any} */ player) => player.name === name);
  const strengths = /** @type {Array<[string, string]>} */ ([["", "its usual strength"]]);
  for (const parameter of ["depth", "playouts", "time"]) if (known?.parameters.includes(parameter)) strengths.push(...STRENGTHS[parameter]);
  const present = strength.replace(/\s/g, "").split(",").find((/** @type {string} */ part) => strengths.some(([key]) => key === part)) ?? (strength || "");
  if (present && !strengths.some(([key]) => key === present)) strengths.push([present, present]);
  return h("div", { class: "seat-fields" },
    select(`${seat.name} is`, options, name, (value) => change(value)),
    name === "human" || strengths.length === 1 ? null : select("strength", strengths, present, (value) => change(playerText(name, value))));
}
