// The module for pages answers as the program does: `node tests/web/same.mjs FOLDER PROGRAM [SEED]`.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const [folder, program, firstSeed = '1'] = process.argv.slice(2);
const COMMANDS = 500;

let seed = Number(firstSeed);
const below = (limit) => (seed = (seed * 48271) % 2147483647) % limit;
const one = (list) => list[below(list.length)];

const GAME = '7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d 8e8f 8g8f 8b8f 2d3d 2b3c 3d3f 3a2b'.split(' ');
const SFENS = [
  '4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1', 'lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1',
  '8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124',
  '+P+P+P+P+P+P+P+P+P/4K4/9/9/9/9/9/4k4/+p+p+p+p+p+p+p+p+p b 2R2B4G4S4N4L 1',
  '9/9/9/9/9/9/9/9/9 b - 1', 'k8/1G7/9/9/9/9/9/9/8K b - 1', '4k4/4P4/4P4/9/9/9/9/9/4K4 b - 1',
];
const WRONG = [
  'position', 'position sfen', 'position startpos moves 7g7e', 'position startpos moves 7g7f xyzzy', 'why P*5e',
  'hello', 'why', 'setoption name', 'setoption name Nothing value 3', 'setoption name MultiPV value 0', 'gameover x', '歩',
  'setoption name EnteringKingRule value Chess', 'setoption name FV_SCALE value 99999999999999999999',
];
// No moves at a level or from the book, which are drawn, and no Stochastic_Ponder, whose searches go on from others
// that were stopped.
const OPTIONS = [
  'USI_Hash 1 2 16 33', 'MultiPV 1 1 1 2 3 7', 'FV_SCALE 10 16 24', 'MaxMovesToDraw 0 0 30', 'DrawValueBlack -2 300',
  'ResignValue 99999 500', 'ConsiderationMode true false', 'OutputFailLHPV true false', 'DepthLimit 0 0 4', 'Threads 1',
  'NodesLimit 0 0 700', 'RootMateSearchNodesLimit 0 1000 1000000', 'GenerateAllLegalMoves true false',
  'EnteringKingRule CSARule24 CSARule27 NoEnteringKing TryRule CSARule27H', 'USI_Ponder true false',
].map((words) => words.split(' '));
const LIMITS = [() => `nodes ${below(4000)}`, () => `depth ${1 + below(5)} searchmoves 7g7f 2g2f`];
const setting = ([name, ...values]) => `setoption name ${name} value ${one(values)}`;
const KINDS = [
  () => `position startpos moves ${GAME.slice(0, below(GAME.length)).join(' ')}`, () => `position sfen ${one(SFENS)}`,
  () => `position startpos moves ${Array(below(120)).fill('2h3h 8b7b 3h2h 7b8b').join(' ')}`,
  () => one(['d', 'eval', 'usinewgame', 'isready', 'gameover win', 'help', 'why 7g7f']), () => one(WRONG),
  ...Array(3).fill(() => setting(one(OPTIONS))), () => `go perft ${1 + below(2)}`, () => `go mate nodes ${below(3000)}`,
  ...Array(4).fill(() => `go ${one(LIMITS)()}`), () => `go ponder ${one(LIMITS)()}\nponderhit`, () => one(WRONG),
];
const START = ['USI_Hash 16', 'PvInterval 0', 'USI_OwnBook false'];
const asked = [...START.map((words) => setting(words.split(' '))), 'isready', 'bench 3'];
while (asked.length < COMMANDS) asked.push(one(KINDS)());

/** What is written for each command; the next is sent when it is carried out. */
async function answers(command, words) {
  const engine = spawn(command, words, { stdio: ['pipe', 'pipe', 'inherit'] });
  const written = engine.stdout.setEncoding('utf8')[Symbol.asyncIterator]();
  let text = '';
  const readTo = async (end) => {
    while (!end.test(text)) {
      const { value, done } = await written.next();
      assert.ok(!done, `${command} has ended`);
      text += value;
    }
  };
  const all = [];
  for (const command of asked) {
    text = '';
    engine.stdin.write(`${command}\n`);
    if (/^go (?!perft)/.test(command)) await readTo(/^(bestmove|checkmate) .*\n/m);
    engine.stdin.write('setoption name Mark\n');
    await readTo(/.*"Mark".*\n/);
    all.push(text.replace(/.*"Mark".*\n/, '').replace(/ time \d+| nps \d+|\d+ nps$/gm, ''));
  }
  // Behind the end of the input nothing is written but what was asked for.
  engine.stdin.end('isready\ngo infinite\n');
  text = '';
  for await (const rest of written) text += rest;
  assert.match(text, /^readyok\n(info .*\n)*(bestmove|checkmate) .*\n$/, `${command} at its end`);
  return all;
}

const usi = join(folder, 'usi.js');
const [web, native] = await Promise.all([answers('node', ['--no-warnings', usi]), answers(program, [])]);
asked.forEach((command, index) => assert.equal(web[index], native[index], command));
console.log(`${asked.length} commands, ${native.join('').split('\n').length - 1} lines: the same`);

// It ends at `quit` with an open input, as that of an engine in a GUI, and then all was answered.
const engine = spawn('node', ['--no-warnings', usi]);
let written = '';
engine.stdout.on('data', (text) => { written += text; });
engine.stdin.write('usi\nbench 3\nquit\n');
await once(engine, 'close');
assert.match(written, /\nusiok\n[^]* nps\n$/);
