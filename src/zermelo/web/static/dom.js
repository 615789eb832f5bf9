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
  for (const same of [...place.children]) if (same.firstElementChild?.textContent === words) same.remove();
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

/** Icons of 24 × 24, drawn in strokes. @type {Record<string, string>} */
const ICONS = {
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.500 10.900c.6.5 1 1.200 1 2.100h5c0-.9.4-1.600 1-2.100A6 6 0 0 0 12 3z",
  undo: "M9 7l-5 5 5 5M4 12h10a6 6 0 0 1 6 6",
  redo: "M15 7l5 5-5 5M20 12H10a6 6 0 0 0-6 6",
  flip: "M8 4v15M8 4L4.500 7.500M8 4l3.500 3.500M16 20V5M16 20l-3.500-3.500M16 20l3.500-3.500",
  pause: "M8 5v14M16 5v14",
  run: "M7 4l12 8-12 8z",
  new: "M12 5v14M5 12h14",
  share: "M12 15V3M7.500 7.500L12 3l4.500 4.500M5 13v7h14v-7",
  rules: "M5 4h10a4 4 0 0 1 4 4v12H9a4 4 0 0 1-4-4zM9 9h6M9 13h6",
  screen: "M4 5h16v11H4zM12 16v4M8 20h8",
  first: "M6 5v14M18 6l-7 6 7 6",
  back: "M15 5l-7 7 7 7",
  on: "M9 5l7 7-7 7",
  last: "M18 5v14M6 6l7 6-7 6",
};

/** @param {string} name */
export function icon(name) {
  return s("svg", { viewBox: "0 0 24 24", width: 20, height: 20, class: "icon", "aria-hidden": "true" }, s("path", { d: ICONS[name] ?? "" }));
}

/** The shape that says how a move ends, for whoever does not see its colour. @type {Record<string, string>} */
const SHAPES = { win: "▲", draw: "◆", loss: "▼", estimate: "●" };

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
