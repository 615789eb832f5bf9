// Work that takes a while: what it is doing, one's place in the queue, and a button that stops it.

import { channel } from "/static/channel.js";
import { h, put, toast } from "/static/dom.js";

const SOON = 250; // milliseconds after which a wait is worth a word

export class Work {
  constructor() {
    this.words = h("span", null, "");
    this.button = h("button", { type: "button", onclick: () => this.stop() }, "Stop");
    this.element = h("div", { class: "progress", role: "status", hidden: true }, h("span", { class: "spin", "aria-hidden": "true" }), this.words, this.button);
    /** @type {import("/static/channel.js").Running | null} */
    this.running = null;
    this.timer = 0;
  }

  /** @param {string} words */
  say(words) {
    put(this.words, words);
    this.element.hidden = !words;
    this.button.hidden = !this.running;
  }

  stop() {
    this.running?.stop();
  }

  /**
   * Runs something, and gives its result; nothing where it failed, which the user is told unless the page is left.
   * @param {string} type
   * @param {Record<string, any>} message
   * @param {(progress: any) => string} [progress] words for a step on the way
   */
  async run(type, message, progress = () => "") {
    this.stop();
    clearTimeout(this.timer);
    const mine = channel.run(type, message, (event) => {
      if (this.running !== mine) return;
      if (event.event === "place") this.say(event.place > 0 ? `Waiting for a processor, place ${event.place} in the queue` : "Working…");
      else {
        const words = progress(event);
        if (words) this.say(words);
      }
    });
    this.running = mine;
    this.timer = setTimeout(() => this.running === mine && this.element.hidden && this.say("Working…"), SOON);
    try {
      const result = await mine.result;
      return this.running === mine ? result : null;
    } catch (error) {
      if (this.running === mine && this.element.isConnected) toast(/** @type {Error} */ (error).message);
      return null;
    } finally {
      if (this.running === mine) {
        this.running = null;
        clearTimeout(this.timer);
        this.say("");
      }
    }
  }
}
