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

/** What a page asks of the rules. */
export interface Question {
  /** A position as USI's `position` has it: `startpos moves 7g7f`. */
  position: string;
  /** Lines of moves from there, whose notation is asked. */
  lines?: string[];
  /** A record in KIF, and moves from its start (each with a comment) that are added to it as variations. */
  record?: { text: string; lines: [move: string, comment: string][][] };
}

/** A move in USI, Japanese and western notation. */
export type Words = [usi: string, japanese: string, western: string];

export interface Answer {
  /** Why there is no answer; nothing else is there then. */
  error?: string;
  sfen: string;
  /** The number of the next move. */
  number: number;
  check: boolean;
  /** How the game ended here, and what is close to a repetition. */
  notes: { en: string; ja: string }[];
  over: boolean;
  /** Why it is over, or that a win may be declared: `mate`, `repetition`, `declaration` … */
  end: string | null;
  /** 0 for Black, 1 for White. */
  winner: number | null;
  /** The legal moves. */
  moves: Words[];
  lines: Words[][];
  /** The diagram that KIF has. */
  bod: string;
  record: string | null;
}

/** Loads the rules without the engine: no network is needed, and answers come at once. */
export function createRules(options?: EngineOptions): Promise<{ ask(question: Question): Answer }>;
