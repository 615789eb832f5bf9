// The channel of a saved page: it answers from what was saved with it.

const saved = JSON.parse(document.getElementById("saved")?.textContent ?? "{}");

/** @typedef {(message: any) => void} Listener */
/** @typedef {{result: Promise<any>, stop: () => void}} Running */

class SavedChannel {
  constructor() {
    /** @type {Map<string, Set<Listener>>} */
    this.listeners = new Map();
    this.now = saved.now ?? 0;
  }

  open() {}

  /** @param {string} event @param {Listener} listener */
  on(event, listener) {
    const set = this.listeners.get(event) ?? new Set();
    this.listeners.set(event, set);
    set.add(listener);
    return () => set.delete(listener);
  }

  /** @param {number} place */
  go(place) {
    this.now = place;
    for (const listener of this.listeners.get("play.state") ?? []) listener({ event: "play.state", ...saved.states[place] });
    return {};
  }

  /** @param {string} type @param {Record<string, any>} [message] */
  async ask(type, message = {}) {
    if (saved.page === "play") return this.play(type, message);
    if (type === "tree.steps") return { steps: saved.steps.slice(message.from, message.from + message.count), nodes: [] };
    if (type === "tree.nodes") {
      const open = new Set(message.open);
      return { nodes: saved.nodes.filter((/** @type {any} */ node) => open.has(node.p)) };
    }
    throw new Error("This page was saved: for anything else, open it in the workbench.");
  }

  /** @param {string} type @param {any} message */
  play(type, message) {
    const state = saved.states[this.now];
    if (type === "play.open") return state;
    if (type === "play.players") return { players: [], natural: "" };
    if (type === "play.go") return this.go(message.move);
    if (type === "play.undo") return this.go(Math.max(0, state.moves[this.now].parent));
    if (type === "play.redo") return this.go(saved.children[this.now][0]?.[0] ?? this.now);
    if (type === "play.move") {
      const found = saved.children[this.now].find((/** @type {[number, number]} */ [, action]) => action === message.action);
      if (found) return this.go(found[0]);
      throw new Error("This page holds the variations that were played; for others, open it in the workbench.");
    }
    if (["play.values", "play.leave"].includes(type)) return {};
    throw new Error("This page was saved: for that, open it in the workbench.");
  }

  /** @param {string} type @param {Record<string, any>} message @returns {Running} */
  run(type, message) {
    if (type === "tree.run") return { result: Promise.resolve(saved.found), stop: () => {} };
    return { result: this.ask(type, message), stop: () => {} };
  }
}

export const channel = new SavedChannel();

export function forgetGames() {}

/** @returns {Promise<any[]>} */
export async function games() {
  return [];
}
