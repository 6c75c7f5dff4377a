// The module for pages, under Node.js: `node tests/web/smoke.mjs FOLDER [BENCH]` with the folder that holds kurosabi.js.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, bench] = process.argv.slice(2);
const { default: createEngine } = await import(pathToFileURL(resolve(folder, 'kurosabi.js')));

/** How long `stop` may take on a busy machine; on an idle one it takes 2 ms. */
const STOPPED_WITHIN = 500;

async function start() {
  const engine = await createEngine();
  const lines = [];
  const waiting = [];
  engine.addMessageListener((line) => {
    lines.push(line);
    for (const wait of waiting.splice(0)) {
      if (wait.pattern.test(line)) wait.resolve(line);
      else waiting.push(wait);
    }
  });
  const answer = (pattern) => new Promise((done) => waiting.push({ pattern, resolve: done }));
  const ask = (command, pattern) => {
    const answered = answer(pattern);
    engine.postMessage(command);
    return answered;
  };
  await ask('usi', /^usiok$/);
  await ask('isready', /^readyok$/);
  return { engine, lines, ask };
}

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

async function playsAGame() {
  const { engine, ask } = await start();
  engine.postMessage('usinewgame');
  const moves = [];
  let best = '';
  while (moves.length < 400) {
    engine.postMessage(`position startpos${moves.length > 0 ? ' moves ' : ''}${moves.join(' ')}`);
    best = (await ask('go nodes 300', /^bestmove /)).split(' ')[1];
    if (best === 'resign' || best === 'win') break;
    moves.push(best);
  }
  assert.ok(moves.length > 20, `a game of ${moves.length} moves`);
  // Every move was legal: the board says so of the whole game.
  const board = await ask('d', /^Sfen: /);
  assert.match(board, new RegExp(` ${moves.length + 1}$`));
  engine.terminate();
}

async function stopsAtOnce() {
  const { engine, ask } = await start();
  engine.postMessage('setoption name USI_OwnBook value false');
  engine.postMessage('position startpos');
  for (const go of ['go infinite', 'go btime 600000 wtime 600000 byoyomi 300000', 'go ponder btime 1000 wtime 1000']) {
    engine.postMessage(go);
    await pause(200);
    const begin = performance.now();
    await ask('stop', /^bestmove /);
    const took = performance.now() - begin;
    assert.ok(took < STOPPED_WITHIN, `${go}: stopped after ${took} ms`);
  }
  engine.terminate();
}

async function answersDuringASearchAndAPonderHit() {
  const { engine, ask } = await start();
  engine.postMessage('position startpos moves 7g7f 3c3d 2g2f');
  engine.postMessage('go ponder byoyomi 300');
  await ask('isready', /^readyok$/);
  await pause(100);
  await ask('ponderhit', /^bestmove /);
  engine.terminate();
}

async function solvesMates() {
  const { engine, ask } = await start();
  engine.postMessage('position sfen 4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1');
  assert.equal(await ask('go mate infinite', /^checkmate /), 'checkmate G*5b');
  engine.terminate();
}

async function saysNothingAtTheEnd() {
  for (const end of [(engine) => engine.postMessage('quit'), (engine) => engine.terminate()]) {
    const { engine, lines } = await start();
    engine.postMessage('position startpos');
    engine.postMessage('go infinite');
    await pause(50);
    end(engine);
    const before = lines.length;
    await pause(200);
    assert.equal(lines.length, before);
  }
}

async function countsAsTheProgram() {
  const { engine, ask } = await start();
  const total = await ask('bench', / nps$/);
  assert.equal(total.split(' ')[0], bench);
  engine.terminate();
}

/** ShogiHome refuses a preset whose numbers are strings, and then plays no game with it. */
async function hasOptionsForPresets() {
  const { engine, lines } = await start();
  const presets = JSON.parse(await readFile(new URL('../../src/web/presets.json', import.meta.url), 'utf8'));
  for (const [name, value] of presets.flatMap(({ values }) => Object.entries(values))) {
    const [, min, max] = lines.join('\n').match(new RegExp(`^option name ${name} type spin .*min (\\d+) max (\\d+)$`, 'm'));
    assert.ok(Number.isInteger(value) && value >= min && value <= max, `${name}: ${JSON.stringify(value)}`);
  }
  engine.terminate();
}

for (const test of [
  hasOptionsForPresets, playsAGame, stopsAtOnce, answersDuringASearchAndAPonderHit, solvesMates, saysNothingAtTheEnd,
  ...(bench ? [countsAsTheProgram] : []),
]) {
  const begin = performance.now();
  await test();
  console.log(`${test.name}: ${((performance.now() - begin) / 1000).toFixed(1)} s`);
}
