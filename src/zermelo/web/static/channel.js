// One WebSocket for everything that is asked. A connection that is lost is made again; whoever shows something is told, and asks again.

/** @typedef {(message: any) => void} Listener */
/** @typedef {{result: Promise<any>, stop: () => void}} Running */

const BEAT = 20000; // milliseconds between two signs of life
const LONGEST_PAUSE = 4000;

class Channel {
  constructor() {
    /** @type {WebSocket | null} */
    this.socket = null;
    this.number = 0;
    /** @type {Map<number, {resolve: (value: any) => void, reject: (error: Error) => void}>} */
    this.waiting = new Map();
    /** @type {Map<string, Set<Listener>>} */
    this.listeners = new Map();
    /** @type {Map<number, Listener>} */
    this.jobs = new Map();
    /** @type {any[]} */
    this.early = []; // events of jobs whose number is not known yet
    /** @type {string[]} */
    this.unsent = [];
    this.attempts = 0;
    this.state = "new";
    setInterval(() => this.socket?.readyState === WebSocket.OPEN && this.socket.send('{"type":"ping"}'), BEAT);
  }

  open() {
    const socket = new WebSocket(`ws://${location.host}/ws`);
    this.socket = socket;
    socket.onopen = () => {
      const again = this.state === "lost";
      this.attempts = 0;
      this.state = "open";
      for (const text of this.unsent.splice(0)) socket.send(text);
      this.emit("connection", { state: "open", again });
    };
    socket.onmessage = (event) => this.take(JSON.parse(event.data));
    socket.onclose = () => this.lost();
  }

  lost() {
    for (const { reject } of this.waiting.values()) reject(new Error("The connection was lost; it is being made again."));
    this.waiting.clear();
    for (const listener of [...this.jobs.values()]) listener({ event: "failed", error: "The connection was lost, so this was stopped." });
    this.jobs.clear();
    this.state = "lost";
    this.emit("connection", { state: "lost" });
    const pause = Math.min(LONGEST_PAUSE, 250 * 2 ** this.attempts++);
    setTimeout(() => this.open(), pause);
  }

  /** @param {any} message */
  take(message) {
    if ("re" in message) {
      const asked = this.waiting.get(message.re);
      this.waiting.delete(message.re);
      if ("error" in message) asked?.reject(new Error(message.error));
      else asked?.resolve(message.ok);
    } else if (message.job !== undefined) {
      const listener = this.jobs.get(message.job);
      if (listener) listener(message);
      else this.early.push(message);
    } else {
      this.emit(message.event, message);
    }
  }

  /**
   * Asks, and gives what is answered.
   * @param {string} type
   * @param {Record<string, any>} [message]
   * @returns {Promise<any>}
   */
  ask(type, message = {}) {
    const id = ++this.number;
    const text = JSON.stringify({ ...message, id, type });
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(text);
      else this.unsent.push(text);
    });
  }

  /**
   * Asks for something that takes a while: progress is heard, and it can be stopped.
   * @param {string} type
   * @param {Record<string, any>} message
   * @param {(progress: any) => void} [progress]
   * @returns {Running}
   */
  run(type, message, progress = () => {}) {
    let stopped = false;
    /** @type {number | null} */
    let job = null;
    const result = this.ask(type, message).then((answer) => {
      if (answer.job === undefined) return answer;
      job = answer.job;
      if (stopped) this.ask("stop", { job });
      return new Promise((resolve, reject) => {
        /** @type {Listener} */
        const listener = (event) => {
          if (event.event === "done" || event.event === "failed") this.jobs.delete(answer.job);
          if (event.event === "done") resolve(event.result);
          else if (event.event === "failed") reject(new Error(event.error));
          else progress(event);
        };
        this.jobs.set(answer.job, listener);
        const now = this.early.filter((event) => event.job === answer.job);
        this.early = [];
        now.forEach(listener);
      });
    });
    return {
      result,
      stop: () => {
        stopped = true;
        if (job !== null && this.jobs.has(job)) this.ask("stop", { job }).catch(() => {});
      },
    };
  }

  /**
   * Hears events of a kind; the answer ends it.
   * @param {string} event
   * @param {Listener} listener
   * @returns {() => void}
   */
  on(event, listener) {
    const set = this.listeners.get(event) ?? new Set();
    this.listeners.set(event, set);
    set.add(listener);
    return () => set.delete(listener);
  }

  /**
   * @param {string} event
   * @param {any} message
   */
  emit(event, message) {
    for (const listener of [...(this.listeners.get(event) ?? [])]) listener(message);
  }
}

export const channel = new Channel();

/** @type {Promise<any[]> | null} */
let gallery = null;

/** Files of one's own may have changed: the list is asked for again. */
export function forgetGames() {
  gallery = null;
}

/** Every game on offer, asked for once. @returns {Promise<any[]>} */
export function games() {
  gallery ??= fetch("/api/games").then((answer) => {
    if (!answer.ok) throw new Error("The list of games could not be read; please open the address that was printed.");
    return answer.json();
  });
  return gallery;
}
