// Kurosabi for pages, workers and Node.js: USI over postMessage, as ShogiHome's `shogihome-wasm-engine/1` describes it.

/** How long the engine computes before the page gets its turn, in milliseconds. */
const SLICE = 8;
/** How long it waits for a command, where it has nothing else to do, before it looks at its clock again. */
const IDLE = 50;
/** Room for the frames of a search that is put aside. */
const SUSPENDED_BYTES = 1 << 18;
const WASM_PAGE = 1 << 16;

/** The built-in network; its name changes with its content, so that it may be cached for good. */
const NETWORK = 'kurosabi.nnue';

/** `asyncify_get_state` of Binaryen. */
const UNWINDING = 1;
const REWINDING = 2;

/** Error numbers of WASI. */
const SUCCESS = 0;
const BAD_DESCRIPTOR = 8;
const NOT_SUPPORTED = 58;

/**
 * @param {object} [options]
 * @param {(line: string) => void} [options.printErr] takes what the engine writes to standard error
 * @param {(path: string) => string | URL} [options.locateFile] where the files beside this one are
 * @param {ArrayBuffer | ArrayBufferView} [options.wasmBinary] the content of `kurosabi.wasm`, if it is there
 * @param {ArrayBuffer | ArrayBufferView} [options.networkBinary] likewise that of the network
 */
export default async function createEngine({
  printErr = (line) => console.error(line), locateFile, wasmBinary, networkBinary,
} = {}) {
  const locate = locateFile ?? ((path) => new URL(path, import.meta.url).href);
  const [module, network] = await Promise.all([
    Promise.resolve(wasmBinary ?? load(locate('kurosabi.wasm'))).then((binary) => WebAssembly.compile(binary)),
    networkBinary ?? load(locate(NETWORK)),
  ]);

  const listeners = new Set();
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  /** Lines that the engine has written and that no listener has been given yet. */
  let lines = [];
  let isEnded = false;
  /** `kurosabi_run` is under way, computing or put aside. */
  let isRunning = false;
  let isIdle = false;
  let isWoken = false;
  /** Called when all that was sent is done, where no more is to come. */
  let finished;
  let sliceStart = 0;
  let frames = 0;
  let timer;

  const bytes = (start, length) => new Uint8Array(exports.memory.buffer, start, length);
  const page = {
    write(start, length) {
      lines.push(...decoder.decode(bytes(start, length)).split('\n').slice(0, -1));
    },
    give_way(idle) {
      if (exports.asyncify_get_state() === REWINDING) {
        exports.asyncify_stop_rewind();
        sliceStart = performance.now();
        return;
      }
      if (!idle && performance.now() - sliceStart < SLICE) return;
      isIdle = Boolean(idle);
      exports.asyncify_start_unwind(frames);
    },
  };
  const exports = await instantiate(module, page, printErr);
  const { buffer, byteOffset, byteLength } = ArrayBuffer.isView(network) ? network : new Uint8Array(network);
  give(new Uint8Array(buffer, byteOffset, byteLength));
  if (!exports.kurosabi_network()) throw new Error(`${NETWORK} is damaged, or is no network`);
  frames = exports.memory.grow(SUSPENDED_BYTES / WASM_PAGE) * WASM_PAGE;
  const { start, close } = nextTask(run);

  /** Has `run` called as the next task: once, since each further one would make the page wait for a slice more. */
  function wake() {
    if (!isWoken) start();
    isWoken = true;
  }

  /** Puts bytes into the buffer of the module. */
  function give(content) {
    bytes(exports.kurosabi_buffer(content.length), content.length).set(content);
  }

  /** Carries commands out, or goes on with it, until the engine gives way. */
  function run() {
    isWoken = false;
    if (isEnded) return;
    clearTimeout(timer);
    sliceStart = performance.now();
    if (isRunning) {
      exports.asyncify_start_rewind(frames);
    } else {
      isRunning = true;
      new Uint32Array(exports.memory.buffer, frames, 2).set([frames + 8, frames + SUSPENDED_BYTES]);
    }
    isIdle = false;
    try {
      exports.kurosabi_run();
    } catch (error) {
      end();
      throw error;
    }
    isRunning = exports.asyncify_get_state() === UNWINDING;
    if (isRunning) {
      exports.asyncify_stop_unwind();
      if (isIdle) timer = setTimeout(run, IDLE);
      else wake();
    }
    deliver();
    if (!isRunning && finished) {
      end();
      finished();
    }
  }

  function deliver() {
    while (lines.length > 0 && !isEnded) {
      const line = lines.shift();
      for (const listener of [...listeners]) listener(line);
    }
  }

  function end() {
    isEnded = true;
    clearTimeout(timer);
    listeners.clear();
    close();
  }

  return {
    /** Takes a line of USI. */
    postMessage(command) {
      if (isEnded) return;
      give(encoder.encode(command));
      if (!exports.kurosabi_receive()) {
        end();
        return;
      }
      if (!isRunning || isIdle) wake();
    },
    addMessageListener(listener) {
      listeners.add(listener);
    },
    removeMessageListener(listener) {
      listeners.delete(listener);
    },
    /** Ends the engine when all that was sent is done: searches without end give way; with `stop`, all of them. */
    finish({ stop = false } = {}) {
      return new Promise((done) => {
        finished = done;
        if (stop) {
          give(encoder.encode('quit'));
          exports.kurosabi_receive();
        } else {
          exports.kurosabi_end_input();
        }
        wake();
      });
    },
    /** Ends the engine at once; nothing is written any more. */
    terminate: end,
  };
}

/**
 * The rules without the engine: answers at once, in the thread that asks. `kurosabi.d.ts` says what may be asked.
 * @param {object} [options] as for {@link createEngine}; there is no network
 */
export async function createRules({ printErr = (line) => console.error(line), locateFile, wasmBinary } = {}) {
  const locate = locateFile ?? ((path) => new URL(path, import.meta.url).href);
  const module = await WebAssembly.compile(await (wasmBinary ?? load(locate('kurosabi.wasm'))));
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const bytes = (start, length) => new Uint8Array(exports.memory.buffer, start, length);
  let answer;
  const page = {
    write(start, length) {
      answer += decoder.decode(bytes(start, length), { stream: true });
    },
    give_way() {},
  };
  const exports = await instantiate(module, page, printErr);
  return {
    ask(question) {
      const content = encoder.encode(JSON.stringify(question));
      bytes(exports.kurosabi_buffer(content.length), content.length).set(content);
      answer = '';
      exports.kurosabi_answer();
      return JSON.parse(answer);
    },
  };
}

/** An instance of the module that is ready for its first call; `page` is what it calls besides the system. */
async function instantiate(module, page, printErr) {
  const wasi = system(() => exports.memory, printErr);
  const imports = { kurosabi: page, wasi_snapshot_preview1: {} };
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    if (from === 'wasi_snapshot_preview1') imports[from][name] = wasi[name] ?? (() => NOT_SUPPORTED);
  }
  const { exports } = await WebAssembly.instantiate(module, imports);
  exports._initialize?.();
  return exports;
}

async function load(address) {
  // A path is one of the page, as for `fetch`.
  const url = new URL(address, globalThis.location?.href ?? import.meta.url);
  if (url.protocol === 'file:' && globalThis.process?.versions?.node) {
    const { readFile } = await import('node:fs/promises');
    return readFile(url);
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  return response.arrayBuffer();
}

/** Does something as the next task, without the 4 ms that browsers add to repeated timeouts. */
function nextTask(task) {
  if (typeof setImmediate === 'function') return { start: () => setImmediate(task), close() {} };
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = task;
  return {
    start: () => port2.postMessage(null),
    close: () => port1.close(),
  };
}

/** What the engine asks of the system: clocks, random numbers, standard error. There are no files. */
export function system(memory, printErr) {
  const view = () => new DataView(memory().buffer);
  const decoder = new TextDecoder();
  let errorLine = '';
  const nothing = (count, size) => {
    view().setUint32(count, 0, true);
    view().setUint32(size, 0, true);
    return SUCCESS;
  };
  return {
    args_sizes_get: nothing,
    environ_sizes_get: nothing,
    args_get: () => SUCCESS,
    environ_get: () => SUCCESS,
    clock_time_get(clock, _precision, time) {
      const milliseconds = clock === 0 ? Date.now() : performance.now();
      view().setBigUint64(time, BigInt(Math.round(milliseconds * 1e6)), true);
      return SUCCESS;
    },
    random_get(start, length) {
      crypto.getRandomValues(new Uint8Array(memory().buffer, start, length));
      return SUCCESS;
    },
    fd_write(descriptor, vectors, count, written) {
      let total = 0;
      for (let index = 0; index < count; index += 1) {
        const start = view().getUint32(vectors + 8 * index, true);
        const length = view().getUint32(vectors + 8 * index + 4, true);
        errorLine += decoder.decode(new Uint8Array(memory().buffer, start, length), { stream: true });
        total += length;
      }
      const complete = errorLine.split('\n');
      errorLine = complete.pop();
      complete.forEach((line) => printErr(line));
      view().setUint32(written, total, true);
      return SUCCESS;
    },
    fd_prestat_get: () => BAD_DESCRIPTOR,
    proc_exit(code) {
      throw new Error(`the engine ended with ${code}`);
    },
    sched_yield: () => SUCCESS,
  };
}
