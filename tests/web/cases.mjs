// What the engine for pages must do, under Node.js (node.mjs) and in browsers (browser.mjs).

/** How long `stop` may take on a busy machine; on an idle one it takes 2 ms. */
const STOPPED_WITHIN = 500;

const assert = {
  ok(holds, message) {
    if (!holds) throw new Error(message);
  },
  equal(found, expected) {
    assert.ok(found === expected, `${found} instead of ${expected}`);
  },
};

async function start(createEngine) {
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

async function playsAGame(createEngine) {
  const { engine, ask } = await start(createEngine);
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
  assert.ok(board.endsWith(` ${moves.length + 1}`), board);
  engine.terminate();
}

async function stopsAtOnce(createEngine) {
  const { engine, ask } = await start(createEngine);
  // As many commands together as GUIs send: the page must get its turn after one slice of the search all the same.
  for (let count = 0; count < 100; count += 1) engine.postMessage('setoption name USI_OwnBook value false');
  engine.postMessage('position startpos');
  for (const go of ['go infinite', 'go btime 600000 wtime 600000 byoyomi 300000', 'go ponder btime 1000 wtime 1000']) {
    engine.postMessage(go);
    const begin = performance.now();
    await pause(200);
    await ask('stop', /^bestmove /);
    const took = performance.now() - begin - 200;
    assert.ok(took < STOPPED_WITHIN, `${go}: stopped after ${took} ms`);
  }
  engine.terminate();
}

async function answersDuringASearchAndAPonderHit(createEngine) {
  const { engine, ask } = await start(createEngine);
  engine.postMessage('position startpos moves 7g7f 3c3d 2g2f');
  engine.postMessage('go ponder byoyomi 300');
  await ask('isready', /^readyok$/);
  await pause(100);
  await ask('ponderhit', /^bestmove /);
  engine.terminate();
}

async function solvesMates(createEngine) {
  const { engine, ask } = await start(createEngine);
  engine.postMessage('position sfen 4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1');
  assert.equal(await ask('go mate infinite', /^checkmate /), 'checkmate G*5b');
  engine.terminate();
}

async function saysNothingAtTheEnd(createEngine) {
  for (const end of [(engine) => engine.postMessage('quit'), (engine) => engine.terminate()]) {
    const { engine, lines } = await start(createEngine);
    engine.postMessage('position startpos');
    engine.postMessage('go infinite');
    await pause(50);
    end(engine);
    const before = lines.length;
    await pause(200);
    assert.equal(lines.length, before);
  }
}

async function countsAsTheProgram(createEngine, { bench }) {
  const { engine, ask } = await start(createEngine);
  const total = await ask('bench', / nps$/);
  assert.equal(total.split(' ')[0], bench);
  engine.terminate();
}

/** ShogiHome refuses a preset whose numbers are strings, and then plays no game with it. */
async function hasOptionsForPresets(createEngine, { presets }) {
  const { engine, lines } = await start(createEngine);
  for (const [name, value] of presets.flatMap(({ values }) => Object.entries(values))) {
    const [, min, max] = lines.join('\n').match(new RegExp(`^option name ${name} type spin .*min (\\d+) max (\\d+)$`, 'm'));
    assert.ok(Number.isInteger(value) && value >= min && value <= max, `${name}: ${JSON.stringify(value)}`);
  }
  engine.terminate();
}

async function refusesADamagedNetwork(createEngine) {
  for (const networkBinary of [new ArrayBuffer(1000), new Uint8Array()]) {
    const refusal = await createEngine({ networkBinary }).then(() => 'none', (error) => error.message);
    assert.ok(/^kurosabi-.*nnue is damaged/.test(refusal), refusal);
  }
}

/**
 * Runs all cases with an engine, and gives each one's name and seconds to `report`.
 * @param {{ presets: object[], bench?: string }} expected what presets.json holds, and the nodes that `kurosabi bench` counts
 */
export async function runCases(createEngine, expected, report) {
  const cases = [
    hasOptionsForPresets, playsAGame, stopsAtOnce, answersDuringASearchAndAPonderHit, solvesMates, saysNothingAtTheEnd,
    refusesADamagedNetwork,
  ];
  for (const test of expected.bench ? [...cases, countsAsTheProgram] : cases) {
    const begin = performance.now();
    await test(createEngine, expected);
    report(`${test.name}: ${((performance.now() - begin) / 1000).toFixed(1)} s`);
  }
}
