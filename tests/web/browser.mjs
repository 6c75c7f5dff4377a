// The engine for pages, in a worker of Chromium: `node tests/web/browser.mjs FOLDER [BENCH]`.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';

const [folder, bench = ''] = process.argv.slice(2);
const presets = await readFile(new URL('../../src/web/presets.json', import.meta.url), 'utf8');
const CHROMIUM = process.env.CHROMIUM ?? 'chromium';
const TYPES = { html: 'text/html', js: 'text/javascript', mjs: 'text/javascript', wasm: 'application/wasm' };

const WORKER = `
import createEngine from './kurosabi.js';
import { runCases } from './cases.mjs';
const report = (text) => fetch('/report', { method: 'POST', body: text });
try {
  await runCases(createEngine, { presets: ${presets}, bench: '${bench}' }, report);
  await report('end');
} catch (error) {
  await report('FAILED ' + error.stack);
}`;

let end;
const ended = new Promise((done) => { end = done; });
const server = createServer(async (request, response) => {
  if (request.method === 'POST') {
    const text = Buffer.concat(await request.toArray()).toString();
    if (text === 'end' || text.startsWith('FAILED')) end(text);
    if (text !== 'end') console.log(text);
    response.end();
    return;
  }
  const name = request.url.slice(1);
  const page = { '': "<script>new Worker('worker.mjs', { type: 'module' })</script>", 'worker.mjs': WORKER }[name];
  try {
    const file = name === 'cases.mjs' ? new URL(name, import.meta.url) : join(folder, name);
    const content = page ?? await readFile(file);
    response.writeHead(200, { 'content-type': TYPES[name ? name.split('.').at(-1) : 'html'] ?? 'text/plain' });
    response.end(content);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--remote-debugging-port=0'];
const browser = execFile(CHROMIUM, [...flags, `http://127.0.0.1:${server.address().port}/`], (error) => {
  if (error && !error.killed) end(`FAILED ${error.message}`);
});
const late = setTimeout(() => end('FAILED no answer for ten minutes'), 600_000);
const result = await ended;
clearTimeout(late);
browser.kill();
server.close();
server.closeAllConnections();
if (result !== 'end') {
  console.error(result);
  process.exitCode = 1;
}
