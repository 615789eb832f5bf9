// Elements from data. Text is always set as text, never as markup, so that nothing a game or a file says can become part of the page.

/** @typedef {Node | string | number | null | undefined | false | Array<any>} Child */

const SVG = "http://www.w3.org/2000/svg";

/**
 * An element with its properties and children: names with a dash and `role` are attributes, `on…` are listeners, the rest are properties.
 * @param {string} tag
 * @param {Record<string, any> | null} [properties]
 * @param {...Child} children
 * @returns {any}
 */
export function h(tag, properties, ...children) {
  return fill(document.createElement(tag), properties, children);
}

/**
 * The same for SVG, where everything is an attribute.
 * @param {string} tag
 * @param {Record<string, any> | null} [properties]
 * @param {...Child} children
 * @returns {any}
 */
export function s(tag, properties, ...children) {
  return fill(document.createElementNS(SVG, tag), properties, children);
}

/**
 * @param {any} element
 * @param {Record<string, any> | null | undefined} properties
 * @param {Child[]} children
 */
function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.setAttribute("class", value);
    else if (name === "data") Object.assign(element.dataset, value);
    else if (element instanceof SVGElement || name.includes("-") || name === "role" || name === "for") element.setAttribute(name, String(value));
    else if (name === "tabindex") element.tabIndex = value;
    else element[name] = value;
  }
  append(element, children);
  return element;
}

/**
 * @param {Element} element
 * @param {Child[]} children
 */
function append(element, children) {
  for (const child of children) {
    if (Array.isArray(child)) append(element, child);
    else if (child instanceof Node) element.append(child);
    else if (child !== null && child !== undefined && child !== false) element.append(String(child));
  }
}

/**
 * Puts other children into an element.
 * @param {Element} element
 * @param {...Child} children
 */
export function put(element, ...children) {
  element.replaceChildren();
  append(element, children);
}

/**
 * A labelled choice.
 * @param {string} label
 * @param {Array<[string, string]>} options value and words
 * @param {string} value
 * @param {(value: string) => void} change
 * @returns {HTMLLabelElement}
 */
export function select(label, options, value, change) {
  const list = h("select", { onchange: () => change(list.value) }, options.map(([key, words]) => h("option", { value: key, selected: key === value }, words)));
  list.value = value;
  return h("label", { class: "field" }, h("span", null, label), list);
}

/**
 * Says something to whoever listens instead of looking.
 * @param {string} words
 */
export function announce(words) {
  const place = document.getElementById("announce");
  if (place) place.textContent = words;
}

/**
 * A short message at the edge of the page.
 * @param {string} words
 * @param {"problem" | "news"} [kind]
 */
export function toast(words, kind = "problem") {
  const place = document.getElementById("toasts");
  if (!place) return;
  const note = h("div", { class: `toast ${kind}` }, h("span", null, words), h("button", { type: "button", class: "quiet", "aria-label": "Close this message", onclick: () => note.remove() }, "×"));
  place.append(note);
  while (place.children.length > 4) place.firstElementChild?.remove();
  setTimeout(() => note.remove(), kind === "problem" ? 12000 : 5000);
}

/**
 * A number as people write it.
 * @param {number | null | undefined} value
 * @param {number} [digits]
 */
export function figure(value, digits = 4) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 1e15) return value.toLocaleString("en").replace("-", "−");
  const text = size !== 0 && (size < 1e-3 || size >= 1e7) ? value.toExponential(2) : String(Number(value.toPrecision(digits)));
  return text.replace("-", "−");
}

/**
 * A time as people say it.
 * @param {number} seconds
 */
export function duration(seconds) {
  if (seconds < 1e-3) return `${Math.round(seconds * 1e6)} µs`;
  if (seconds < 1) return `${Number((seconds * 1000).toPrecision(3))} ms`;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
}

/** The shape that says how a move ends, for whoever does not see its colour. @type {Record<string, string>} */
export const SHAPES = { win: "▲", draw: "◆", loss: "▼", estimate: "●" };

/**
 * A value as a badge: shape, word and colour.
 * @param {any} worth
 */
export function badge(worth) {
  return h("span", { class: `worth ${worth.shape}`, title: worth.words }, h("span", { "aria-hidden": "true" }, SHAPES[worth.shape]), " ", worth.short);
}

/**
 * Offers a text for saving.
 * @param {string} name
 * @param {Blob} content
 */
export function save(name, content) {
  const address = URL.createObjectURL(content);
  const link = h("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
