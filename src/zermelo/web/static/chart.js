// Curves in SVG: few, labelled, told apart by their marks and not by colour alone.

import { figure, h, s } from "/static/dom.js";

/**
 * @typedef {{x: number, y: number, sure?: boolean}} Point
 * @typedef {{name: string, points: Point[]}} Series
 * @typedef {{label: string, series: Series[], x: string, y: string, low?: number, high?: number, least?: number, most?: number, mark?: number | null, height?: number, logX?: boolean, logY?: boolean}} Plan
 */

const MARKS = ["circle", "square", "triangle", "diamond"];

/**
 * @param {Plan} plan
 * @returns {Element}
 */
export function chart(plan) {
  const [width, height] = [420, plan.height ?? 240];
  const [right, top, bottom] = [12, 10, 34];
  const points = plan.series.flatMap((series) => series.points).filter((point) => (!plan.logY || point.y > 0) && (!plan.logX || point.x > 0));
  const [low, high] = reach(plan, points);
  const sy = scale(low, high === low ? low + 1 : high, height - bottom, top, plan.logY);
  const left = 26 + 7 * Math.max(3, ...ticks(sy).map((value) => tickText(value, plan.logY).length));
  const sx = scale(Math.min(...points.map((point) => point.x), plan.logX ? Infinity : (plan.least ?? 0)), Math.max(plan.most ?? 0, ...points.map((point) => point.x)), left, width - right, plan.logX, points.every((point) => Number.isInteger(point.x)));
  const parts = [...axis(sx, "x", plan.x, width, height, left, bottom, top), ...axis(sy, "y", plan.y, width, height, left, bottom, top)];
  if (plan.mark !== null && plan.mark !== undefined) parts.push(s("line", { class: "chart-now", x1: sx.at(plan.mark), x2: sx.at(plan.mark), y1: top, y2: height - bottom }));
  if (!plan.logY && low < 0 && high > 0) parts.push(s("line", { class: "chart-zero", x1: left, x2: width - right, y1: sy.at(0), y2: sy.at(0) }));
  plan.series.forEach((series, index) => {
    const kept = thin(series.points.filter((point) => (!plan.logY || point.y > 0) && (!plan.logX || point.x > 0)));
    const path = kept.map((point, i) => `${i ? "L" : "M"}${sx.at(point.x).toFixed(1)} ${sy.at(point.y).toFixed(1)}`).join("");
    parts.push(s("path", { class: `chart-line series-${index}`, d: path }));
    if (kept.length <= 60) for (const point of kept) parts.push(mark(MARKS[index % MARKS.length], sx.at(point.x), sy.at(point.y), `chart-mark series-${index}${point.sure === false ? " unsure" : ""}`, `${plan.x} ${figure(point.x)}: ${figure(point.y)}`));
  });
  const picture = s("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${plan.label}. ${plan.series.map((series) => (series.points.length ? `${series.name}: ${figure(series.points[series.points.length - 1].y)} at the end` : "")).join("; ")}` }, parts);
  if (plan.series.length < 2) return picture;
  return h("div", null, picture, h("ul", { class: "legend", role: "list" }, plan.series.map((series, index) => h("li", null, s("svg", { viewBox: "0 0 16 16", width: 14, height: 14, "aria-hidden": "true" }, mark(MARKS[index % MARKS.length], 8, 8, `chart-mark series-${index}`, "")), series.name))));
}

/**
 * The lowest and the highest value: those of the plan; of logarithms whole powers of ten around all points.
 * @param {Plan} plan
 * @param {Point[]} points
 */
function reach(plan, points) {
  const values = points.map((point) => point.y);
  if (!plan.logY) return [plan.low ?? Math.min(...values, 0), plan.high ?? Math.max(...values)];
  const [low, high] = [Math.floor(Math.log10(Math.min(...values)) + 1e-9), Math.ceil(Math.log10(Math.max(...values)) - 1e-9)];
  return [10 ** low, 10 ** Math.max(high, low + 1)];
}

/**
 * @param {number} from
 * @param {number} to
 * @param {number} start
 * @param {number} end
 * @param {boolean} [log]
 * @param {boolean} [whole] are all values whole numbers?
 */
function scale(from, to, start, end, log, whole) {
  const f = log ? Math.log10 : (/** @type {number} */ v) => v;
  if (!Number.isFinite(from)) from = log ? 1 : 0;
  if (!Number.isFinite(to) || to <= from) to = log ? from * 10 : from + 1;
  const span = f(to) - f(from);
  return { from, to, log, whole, at: (/** @type {number} */ v) => start + ((f(v) - f(from)) / span) * (end - start) };
}

/**
 * @param {any} sc
 * @param {"x" | "y"} side
 * @param {string} words
 * @param {number} width
 * @param {number} height
 * @param {number} left
 * @param {number} bottom
 * @param {number} top
 */
function axis(sc, side, words, width, height, left, bottom, top) {
  const parts = ticks(sc).map((value) => {
    const place = sc.at(value);
    return side === "x"
      ? s("text", { class: "chart-tick", x: place, y: height - bottom + 14, "text-anchor": "middle" }, tickText(value, sc.log))
      : s("g", null, s("line", { class: "chart-grid", x1: left, x2: width - 12, y1: place, y2: place }), s("text", { class: "chart-tick", x: left - 6, y: place + 4, "text-anchor": "end" }, tickText(value, sc.log)));
  });
  parts.push(side === "x" ? s("text", { class: "chart-words", x: (left + width) / 2, y: height - 3, "text-anchor": "middle" }, words) : s("text", { class: "chart-words", transform: `translate(11 ${(height - bottom + top) / 2}) rotate(-90)`, "text-anchor": "middle" }, words));
  return parts;
}

/** A number at an axis; far from 1 as a power of ten. @param {number} value @param {boolean} [log] */
function tickText(value, log) {
  if (!log || (value >= 1e-3 && value < 1e6)) return figure(value, 2);
  return `10${[...String(Math.round(Math.log10(value)))].map((sign) => (sign === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(sign)])).join("")}`;
}

/** @param {{from: number, to: number, log?: boolean, whole?: boolean}} sc @returns {number[]} */
function ticks({ from, to, log, whole }) {
  if (log) {
    const [first, last] = [Math.ceil(Math.log10(from) - 1e-9), Math.floor(Math.log10(to) + 1e-9)];
    const step = Math.max(1, Math.ceil((last - first) / 5));
    const powers = [];
    for (let power = first; power <= last; power += step) powers.push(10 ** power);
    return powers;
  }
  const raw = (to - from) / 4;
  const size = 10 ** Math.floor(Math.log10(raw));
  const step = Math.max(whole ? 1 : 0, [1, 2, 5, 10].map((m) => m * size).find((each) => each >= raw) ?? raw);
  const made = [];
  for (let value = Math.ceil(from / step) * step; value <= to + step * 1e-6; value += step) made.push(Number(value.toPrecision(12)));
  return made;
}

/** At most 400 points of a long curve. @param {Point[]} points */
function thin(points) {
  const step = Math.ceil(points.length / 400);
  return step <= 1 ? points : points.filter((_, index) => index % step === 0 || index === points.length - 1);
}

/**
 * @param {string} form
 * @param {number} x
 * @param {number} y
 * @param {string} classes
 * @param {string} title
 */
function mark(form, x, y, classes, title) {
  const words = title ? s("title", null, title) : null;
  if (form === "circle") return s("circle", { class: classes, cx: x, cy: y, r: 3.6 }, words);
  const paths = /** @type {Record<string, string>} */ ({ square: `M${x - 3.4} ${y - 3.4}h6.8v6.8h-6.8z`, triangle: `M${x} ${y - 4.4}l4.2 7.6h-8.4z`, diamond: `M${x} ${y - 4.8}l4.4 4.8-4.4 4.8-4.4-4.8z` });
  return s("path", { class: classes, d: paths[form] }, words);
}
