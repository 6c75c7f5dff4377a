#!/usr/bin/env node
// A USI engine on standard input and output, for GUIs and scripts where Node.js is: `npx kurosabi`.
import { createInterface } from 'node:readline';
import createEngine from './kurosabi.js';

/** How long `quit` waits for the answers to the commands before it, in milliseconds. */
const PATIENCE = 700;
/** The name of no option: that there is none is said when all before it is answered. */
const END = 'the end of the input';

const engine = await createEngine();
let isEnding = false;
/** What was asked for last takes its time: scripts send `quit` right behind it. */
let isBenchmark = false;
let patience;

engine.addMessageListener((line) => {
  if (line.includes(END)) leave();
  else process.stdout.write(`${line}\n`);
});
createInterface({ input: process.stdin })
  .on('line', (line) => {
    if (isEnding) return;
    if (/^\s*quit(\s|$)/.test(line)) {
      if (!isBenchmark) {
        engine.postMessage('stop');
        patience = setTimeout(leave, PATIENCE);
      }
      end();
      return;
    }
    if (/^\s*(go|bench)\b/.test(line)) isBenchmark = /^\s*bench/.test(line);
    engine.postMessage(line);
  })
  .on('close', end);
// Nobody reads any more.
process.stdout.on('error', leave);

/** As the program does: what has a limit is finished for whoever reads the output. */
function end() {
  if (isEnding) return;
  isEnding = true;
  engine.postMessage(`setoption name ${END}`);
  // A search without end gives way to the next.
  engine.postMessage('go perft 0');
}

/** Ends the process, when its output is written. */
function leave() {
  engine.terminate();
  clearTimeout(patience);
  process.stdin.destroy();
}
