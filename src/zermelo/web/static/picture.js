// Boards as the workbench draws them: shapes by their tags, colours by the name of their part, places by their keys. No game is known here.

import { s } from "/static/dom.js";

/**
 * @typedef {{box: number[], shapes: any[], places: Record<string, number[]>, kind: string, look: string, caption: string, sides?: string[]}} Picture
 * a place is [x, y, width, height, x of its value, y of its value, is something there?]
 */

/** @param {any} shape @returns {any} */
export function element(shape) {
  if (typeof shape === "string") return shape;
  const [tag, attributes, children] = shape;
  const made = s(tag, null, children.map(element));
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, typeof value === "string" && value.startsWith("@") ? `var(--b-${value.slice(1)})` : String(value));
  return made;
}

/**
 * The picture as an SVG; what stands before the pieces, such as a frame, comes last.
 * @param {Picture} picture
 * @param {{label?: string, layers?: any[]}} [options] layers lie over the board
 */
export function drawPicture(picture, options = {}) {
  const [left, top, width, height] = picture.box;
  const drawn = s("svg", { class: `board board-${picture.kind} look-${picture.look || "none"}`, viewBox: `${left} ${top} ${width} ${height}`, "data-width": width, "data-height": height, role: options.layers ? "group" : "img", "aria-label": options.label ?? "The board" }, s("g", { "aria-hidden": "true" }, picture.shapes.map(element)), options.layers ?? []);
  drawn.style.setProperty("--ratio", (width / height).toFixed(3));
  return drawn;
}

/** A name for a place that can be compared. @param {any} place */
export const key = (place) => (place ? place.join(",") : "");
