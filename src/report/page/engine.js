// The engine in the page: the rules in the page's own thread, which answer at once, and searches in a worker.
"use strict";

/** What there is of it. A page without it, or in a browser that lacks what it needs, shows what it holds. */
const engine = {
  /** Answers a question of the rules (`Question` and `Answer` of kurosabi.d.ts); null until they are there. */
  ask: null,
  /** Starts a worker that searches: a `Searcher`; null likewise. */
  start: null,
  waiting: [],
  /** Calls back when the engine is there. */
  whenReady(callback) {
    if (engine.ask) callback(); else engine.waiting.push(callback);
  },
};

/** What needs the engine has its place on the page from the start, unless it is known that there will be none. */
const lackEngine = () => document.documentElement.classList.add("engineless");
addEventListener("DOMContentLoaded", () => { if (!$("engine")) lackEngine(); });
// Its file is gone.
addEventListener("error", ({ target }) => { if (target.id === "engine") lackEngine(); }, true);

/** Takes the engine from its script: the loader, and in base64 the module (packed) and the network. */
async function takeEngine(loader, module, network) {
  // The page is shown first.
  if (document.readyState === "loading") await new Promise(done => addEventListener("DOMContentLoaded", done));
  const bytesOf = text => Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
  try {
    const stream = new Blob([bytesOf(module)]).stream().pipeThrough(new DecompressionStream("gzip"));
    const wasmBinary = await new Response(stream).arrayBuffer();
    const rules = await loader().createRules({ wasmBinary });
    engine.start = () => new Searcher(loader, { wasmBinary, networkBinary: bytesOf(network) });
    engine.ask = question => rules.ask(question);
  } catch (error) {
    console.info("no engine in this page:", error);
    lackEngine();
    return;
  }
  engine.waiting.splice(0).forEach(callback => callback());
}

/** What the worker does: lines go in, lines come out. */
function serveLines(createEngine) {
  let ready;
  onmessage = async ({ data }) => {
    try {
      if (!ready) {
        ready = createEngine(data);
        (await ready).addMessageListener(line => postMessage(line));
      } else {
        (await ready).postMessage(data);
      }
    } catch (error) {
      // For the page's `onerror`: rejections do not get there.
      setTimeout(() => { throw error; });
    }
  };
}

/** Options that each search begins with. */
const SEARCH_OPTIONS = { USI_Hash: 32, MultiPV: 1, SkillLevel: 20, ConsiderationMode: true, USI_OwnBook: false };

/** Searches, one after the other. */
class Searcher {
  constructor(loader, binaries) {
    const source = `const { createEngine } = (${loader})();\n(${serveLines})(createEngine);`;
    this.options = {};
    try {
      this.worker = new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
      this.worker.onmessage = ({ data }) => this.take(data);
      this.worker.onerror = event => { event.preventDefault(); this.fail(event.message); };
      this.worker.postMessage(binaries);
      this.send("isready");
    } catch (error) {
      this.fail(error);
    }
  }

  /** The browser refuses the worker, or it has ended: the page goes on without searches. */
  fail(reason) {
    console.info("no searches in this page:", reason);
    this.isBroken = true;
    document.documentElement.classList.add("searchless");
    for (const job of [this.job, this.next]) if (job) job.done(null);
    this.job = this.next = null;
  }

  /** Sends a line of USI. */
  send(line) {
    this.worker.postMessage(line);
  }

  /**
   * Searches a position; a search that is under way is stopped at once, and resolves to null. So do all where there is no worker.
   * @param {{position: string, go: string, options?: object, isNewGame?: boolean, onInfo?: (info: object) => void}} job as USI has them
   * @returns {Promise<string[] | null>} the words of the answer: `bestmove 7g7f`, `checkmate nomate` …
   */
  search(job) {
    return new Promise(done => {
      if (this.isBroken) return done(null);
      this.stop();
      this.next = { ...job, done };
      if (!this.job) this.begin();
    });
  }

  /** Stops the search that is under way and drops the one that waits. */
  stop() {
    if (this.next) this.next.done(null);
    this.next = null;
    if (!this.job || this.job.stopped) return;
    this.job.stopped = true;
    this.send("stop");
  }

  begin() {
    this.job = this.next;
    this.next = null;
    if (this.job.isNewGame) this.send("usinewgame");
    for (const [name, value] of Object.entries({ ...SEARCH_OPTIONS, ...this.job.options })) {
      if (this.options[name] !== value) this.send(`setoption name ${name} value ${value}`);
      this.options[name] = value;
    }
    this.send(`position ${this.job.position}`);
    this.send(`go ${this.job.go}`);
  }

  take(line) {
    const words = line.split(" ");
    if (!this.job) return;
    if (words[0] === "info" && this.job.onInfo && !this.job.stopped) {
      const info = readInfo(words);
      if (info) this.job.onInfo(info);
    } else if (words[0] === "bestmove" || words[0] === "checkmate") {
      const { done, stopped } = this.job;
      this.job = null;
      if (this.next) this.begin();
      done(stopped ? null : words);
    }
  }
}

/** The numbers of an `info` with a line, whose `score` [kind, number] is of the side to move; else null. */
function readInfo(words) {
  const start = words.indexOf("pv");
  if (start < 0 || words.includes("lowerbound") || words.includes("upperbound")) return null;
  const after = key => words[words.indexOf(key, 1) + 1];
  const number = key => words.includes(key) ? Number(after(key)) : null;
  const pv = words.slice(start + 1);
  const moves = pv.filter(word => /^([1-9][a-i]|[A-Z]\*)/.test(word));
  const byRule = pv.length > moves.length && pv[pv.length - 1] !== "resign";
  const at = words.indexOf("score");
  const [kind, value] = [words[at + 1], Number(words[at + 2])];
  return {
    depth: number("depth"), rank: number("multipv") || 1, nodes: number("nodes"), nps: number("nps"), time: number("time"),
    score: [kind === "mate" && byRule ? "rule" : kind, value], moves,
  };
}
