// Work that takes a while: what it is doing, one's place in the queue, and a button that stops it.

import { channel } from "/static/channel.js";
import { h, put } from "/static/dom.js";

const SOON = 250; // milliseconds after which a wait is worth a word
const LONG = 3000; // milliseconds after which it is worth a reason
export const COMPILING = "Working… The first search of a game also compiles its rules, which takes some seconds.";

export class Work {
  /** @param {string} [reason] what to say where nothing is heard for long */
  constructor(reason = "Working…") {
    this.reason = reason;
    this.words = h("span", null, "");
    this.button = h("button", { type: "button", onclick: () => this.stop() }, "Stop");
    this.element = h("div", { class: "progress", role: "status", hidden: true }, h("span", { class: "spin", "aria-hidden": "true" }), this.words, this.button);
    /** @type {import("/static/channel.js").Running | null} */
    this.running = null;
    this.error = ""; // why the last run failed
  }

  /** @param {string} words @param {boolean} [failed] */
  say(words, failed = false) {
    put(this.words, words);
    this.element.classList.toggle("failed", failed);
    this.element.hidden = !words;
    this.button.hidden = !this.running;
  }

  stop() {
    this.running?.stop();
  }

  /** Stops, and lets nobody hear of it any more: what it answers is no longer asked. */
  drop() {
    this.stop();
    this.running = null;
    this.say("");
  }

  /**
   * Runs something, and gives its result; nothing where it failed, which the user is told.
   * @param {string} type
   * @param {Record<string, any>} message
   * @param {(progress: any) => string} [progress] words for a step on the way
   */
  async run(type, message, progress = () => "") {
    this.stop();
    this.error = "";
    let heard = false;
    const mine = channel.run(type, message, (event) => {
      if (this.running !== mine) return;
      const words = event.event !== "place" ? progress(event) : event.place > 0 ? `Waiting for a processor, place ${event.place} in the queue` : "";
      heard = Boolean(words);
      if (words) this.say(words);
      else if (event.event === "place") this.say("Working…");
    });
    this.running = mine;
    for (const [pause, words] of /** @type {Array<[number, string]>} */ ([[SOON, "Working…"], [LONG, this.reason]])) setTimeout(() => this.running === mine && !heard && this.say(words), pause);
    try {
      const result = await mine.result;
      return this.running === mine ? result : null;
    } catch (error) {
      if (this.running === mine) this.error = /** @type {Error} */ (error).message;
      return null;
    } finally {
      if (this.running === mine) {
        this.running = null;
        this.say(this.error, Boolean(this.error)); // until the next run
      }
    }
  }

  /**
   * Goes through something in steps of the page's own; the step asks whether to go on.
   * @param {(going: () => boolean) => Promise<void>} steps
   */
  async follow(steps) {
    this.stop();
    let stopped = false;
    const mine = { result: Promise.resolve(), stop: () => { stopped = true; } };
    this.running = mine;
    this.say("Working…");
    await steps(() => !stopped && this.running === mine);
    if (this.running !== mine) return;
    this.running = null;
    this.say("");
  }
}
