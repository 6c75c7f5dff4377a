/** Where the engine finds its module, and where it writes what is for developers. */
export interface EngineOptions {
  /** Takes a line that the engine writes to standard error. */
  printErr?: (line: string) => void;
  /** The address of a file of the package, such as `kurosabi.wasm`. */
  locateFile?: (path: string) => string | URL;
  /** The content of `kurosabi.wasm`, where it is there already. */
  wasmBinary?: ArrayBuffer | ArrayBufferView;
  /** Likewise the content of the network, `kurosabi-….nnue`. */
  networkBinary?: ArrayBuffer | ArrayBufferView;
}

/** A USI engine. Lines go in by `postMessage`, and come out by the listeners. */
export interface Engine {
  /** Takes a line of USI. Returns before it is carried out. */
  postMessage(command: string): void;
  addMessageListener(listener: (line: string) => void): void;
  removeMessageListener(listener: (line: string) => void): void;
  /** Ends the engine when all that was sent is done: searches without end give way; with `stop`, all of them. */
  finish(options?: { stop?: boolean }): Promise<void>;
  /** Ends the engine at once. It writes nothing any more, not even `bestmove`. */
  terminate(): void;
}

/** Loads an engine. Rejects where the module cannot be fetched, or the browser cannot run it. */
export default function createEngine(options?: EngineOptions): Promise<Engine>;
