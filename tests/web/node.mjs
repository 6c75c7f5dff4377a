// The engine for pages, under Node.js: `node tests/web/node.mjs FOLDER [BENCH]` with the folder that holds kurosabi.js.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runCases } from './cases.mjs';

const [folder, bench] = process.argv.slice(2);
const { default: createEngine, createRules } = await import(pathToFileURL(resolve(folder, 'kurosabi.js')));
const presets = JSON.parse(await readFile(new URL('../../src/web/presets.json', import.meta.url), 'utf8'));
await runCases(createEngine, { presets, bench }, console.log);

// Who has the network already has an ArrayBuffer, as `fetch` gives it; `locateFile` may return a path.
const network = await readFile(resolve(folder, (await readdir(folder)).find((name) => name.endsWith('.nnue'))));
const locateFile = (path) => resolve(folder, path);
const engine = await createEngine({ locateFile, networkBinary: new Uint8Array(network).buffer });
engine.terminate();

// The rules answer without a network, before there is an engine.
const rules = await createRules({ locateFile });
const { moves, lines, error } = rules.ask({ position: 'startpos moves 7g7f', lines: ['3c3d 8h2b+'] });
assert.deepEqual([moves.length, lines[0][1], error], [30, ['8h2b+', '▲２二角成', 'Bx2b+'], undefined]);
assert.match(rules.ask({ position: 'startpos moves 7g7e' }).error, /illegal move "7g7e"/);

// A page may get less memory than it asks for.
const commands = 'setoption name USI_Hash value 512\nisready\ngo depth 3\n';
const short = spawnSync('node', ['--wasm-max-mem-pages=1300', resolve(folder, 'usi.js')], { input: commands });
assert.match(String(short.stdout), /not enough memory for USI_Hash 512: using \d+ MiB\nreadyok\n[^]*bestmove /);
