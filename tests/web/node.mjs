// The engine for pages, under Node.js: `node tests/web/node.mjs FOLDER [BENCH]` with the folder that holds kurosabi.js.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runCases } from './cases.mjs';

const [folder, bench] = process.argv.slice(2);
const { default: createEngine } = await import(pathToFileURL(resolve(folder, 'kurosabi.js')));
const presets = JSON.parse(await readFile(new URL('../../src/web/presets.json', import.meta.url), 'utf8'));
await runCases(createEngine, { presets, bench }, console.log);
