#!/usr/bin/env node
// A USI engine on standard input and output, for GUIs and scripts where Node.js is: `npx kurosabi`.
import { createInterface } from 'node:readline';
import createEngine from './kurosabi.js';

const engine = await createEngine();
/** Commands whose answer has not come yet. */
let unanswered = 0;
let isEndless = false;
let isClosed = false;

function send(line) {
  if (/^(isready|go(?! *perft))\b/.test(line)) unanswered += 1;
  if (/^go\b/.test(line)) isEndless = /^go *$|infinite|ponder/.test(line);
  engine.postMessage(line);
}

engine.addMessageListener((line) => {
  process.stdout.write(`${line}\n`);
  if (/^(bestmove|checkmate|readyok)\b/.test(line)) unanswered -= 1;
  if (isClosed && unanswered === 0) engine.postMessage('quit');
});
createInterface({ input: process.stdin })
  .on('line', send)
  .on('close', () => {
    // As the program does: behind the last line, what has a limit is finished for whoever reads the output.
    isClosed = true;
    if (isEndless) engine.postMessage('stop');
    send('isready');
  });
