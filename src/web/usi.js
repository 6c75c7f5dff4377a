#!/usr/bin/env node
// A USI engine on standard input and output, for GUIs and scripts where Node.js is: `npx kurosabi`.
import { createInterface } from 'node:readline';
import createEngine from './kurosabi.js';

const engine = await createEngine();
engine.addMessageListener((line) => process.stdout.write(`${line}\n`));
// Nobody reads any more.
process.stdout.on('error', () => process.exit());

let isEnding = false;
createInterface({ input: process.stdin })
  .on('line', (line) => {
    if (isEnding) return;
    if (/^\s*quit(\s|$)/.test(line)) end({ stop: true });
    else engine.postMessage(line);
  })
  .on('close', () => end());

/** As the program does: what has a limit is finished for whoever reads the output, and a benchmark in any case. */
async function end(options) {
  if (isEnding) return;
  isEnding = true;
  await engine.finish(options);
  process.stdin.destroy();
}
