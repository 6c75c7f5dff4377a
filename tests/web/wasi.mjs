// Runs a WebAssembly program of cargo, such as a test's, under Node.js with what a page has: arguments, clocks, no files.
// (node:wasi of Node.js 20 crashes at the end of some programs.)
import { readFile } from 'node:fs/promises';
import { system } from '../../src/web/kurosabi.js';

/** An error number of WASI. */
const NOT_SUPPORTED = 58;
const args = process.argv.slice(2).map((text) => Buffer.from(`${text}\0`));
const module = await WebAssembly.compile(await readFile(process.argv[2]));
const wasi = {
  ...system(() => exports.memory, console.log),
  args_sizes_get(count, size) {
    new Uint32Array(exports.memory.buffer, count, 1)[0] = args.length;
    new Uint32Array(exports.memory.buffer, size, 1)[0] = Buffer.concat(args).length;
    return 0;
  },
  args_get(starts, texts) {
    new Uint8Array(exports.memory.buffer).set(Buffer.concat(args), texts);
    let start = texts;
    new Uint32Array(exports.memory.buffer, starts, args.length).set(args.map((text) => (start += text.length) - text.length));
    return 0;
  },
};
for (const { name } of WebAssembly.Module.imports(module)) wasi[name] ??= () => NOT_SUPPORTED;
const { exports } = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wasi });
exports._start();
