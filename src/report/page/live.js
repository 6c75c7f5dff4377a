// The engine beside the board: what it thinks of the position shown, and games against it from there.
"use strict";

const LIVE_LINES = 3, LIVE_MOVES = 10;
/** How long the reader stays before a search begins, how often it is shown, how long it thinks in a game; milliseconds. */
const LIVE_REST = 100, LIVE_PERIOD = 150, REPLY_TIME = 1000;

const live = {
  isOn: store.get("live") === "on",
  /** The position that is searched, and the lines found for it so far. */
  position: null,
  lines: [],
  rest: null,
  timer: null,
  searcher: null,
  /** A game against the engine: {from (its first node), human (0 for Black), level, isThinking, owed (where it is to move)}. */
  game: null,
  /** What the last game came to. */
  outcome: null,
};

function searcher() {
  live.searcher ||= engine.start();
  return live.searcher;
}

/** Whether the reader may move now: in a game, when it is the reader's turn. */
function mayMove() {
  return !live.game || shown().turn === live.game.human;
}

/** Searches what the board shows, and nothing else. */
function watch() {
  if (!engine.ask) return;
  const rules = rulesHere();
  const position = live.isOn && !live.game && !document.hidden && rules && !rules.over ? positionText() : null;
  if (position !== live.position) {
    if (live.position && live.searcher) live.searcher.stop();
    Object.assign(live, { position, lines: [] });
    clearTimeout(live.rest);
    if (position) live.rest = setTimeout(searchLive, LIVE_REST);
  }
  drawLive();
}

function searchLive() {
  const { turn } = shown();
  searcher().search({ position: live.position, go: "infinite", options: { MultiPV: LIVE_LINES }, onInfo: info => {
    const { score: [kind, number] } = info;
    live.lines[info.rank - 1] = { ...info, score: [kind, turn === 0 ? number : -number] };
    if (!live.timer) live.timer = setTimeout(drawLive, LIVE_PERIOD);
  } });
}

/** Black's chance to win at a score from Black's view. */
function chance([kind, number]) {
  return kind === "cp" ? 1 / (1 + Math.exp(-number / data.scale)) : number > 0 || Object.is(number, 0) ? 1 : 0;
}

function drawLive() {
  clearTimeout(live.timer);
  live.timer = null;
  const lines = live.lines.filter(Boolean), [best] = lines;
  $("live-speed").textContent = best ? say().live.speed(best.depth, best.nps) : live.position ? say().live.starts : "";
  const words = lines.length > 0
    ? engine.ask({ position: live.position, lines: lines.map(line => line.moves.slice(0, LIVE_MOVES).join(" ")) }).lines : [];
  const { turn } = shown();
  lines.forEach((line, rank) => drawLiveRow(rank, line, words[rank], turn));
  while ($("live").children.length > Math.max(lines.length, live.position ? LIVE_LINES : 0)) $("live").lastChild.remove();
  while (live.position && $("live").children.length < LIVE_LINES) $("live").append(liveRow());
  if (lines.length > 0 || live.game) drawCandidates(lines);
}

/** Rows stay while what they say changes, so that they can be clicked. */
function liveRow() {
  return element("div", { class: "pv" }, element("span", { class: "value" }, "…"), element("span", { class: "words" }));
}

function drawLiveRow(rank, line, moves, turn) {
  const row = $("live").children[rank] || $("live").appendChild(liveRow());
  const [value, words] = row.children;
  value.replaceChildren(scoreText(line.score), element("small", {}, `${(100 * chance(line.score)).toFixed(0)}%`));
  moves.forEach((move, made) => {
    const button = words.children[made] || words.appendChild(element("button", { class: "word" }));
    button.textContent = word(move, (turn + made) % 2);
    button.onclick = () => {
      const before = state.line ? state.line.moves.slice(0, state.line.made) : [];
      play(state.node, [...before, ...moves], before.length + made + 1, `live${rank}`);
    };
  });
  while (words.children.length > moves.length) words.lastChild.remove();
}

/** Arrows for the candidates, the best one strongest. */
function drawCandidates(lines) {
  const drawing = $("board").querySelector("svg");
  drawing.querySelectorAll(".proposal").forEach(arrow => arrow.remove());
  [...lines].reverse().forEach((line, index) => {
    if (line.moves.length === 0) return;
    const arrow = proposal(line.moves[0], state.flipped, shown(), state.kanji);
    arrow.setAttribute("opacity", [1, .55, .3][lines.length - 1 - index]);
    drawing.append(arrow);
  });
}

function setLive() {
  live.isOn = !live.isOn;
  store.set("live", live.isOn ? "on" : "off");
  buildLive();
  show();
}

/** In a game the controls say whose turn it is, and the engine moves when the reader is back from a walk; else the reader takes the side to move. */
function showLive() {
  const { game } = live;
  if (game) buildLive(); else if ($("side")) $("side").value = String(shown().turn);
  if (game && game.owed === state.node && !state.line && !game.isThinking) reply();
}

/** The controls: the switch, and the game against the engine. */
function buildLive() {
  const words = say().live;
  $("live-switch").setAttribute("aria-checked", live.isOn);
  $("live-switch").textContent = words.switch[live.isOn ? 1 : 0];
  // In a game the engine keeps its advice to itself.
  $("live-switch").hidden = live.game !== null;
  const rows = [];
  if (live.game) {
    const turn = mayMove() ? words.turn[0] : live.game.isThinking ? words.turn[1] : "";
    rows.push(element("span", { role: "status" }, [words.level(live.game.level), turn].filter(Boolean).join(" · ")),
      element("button", { id: "take-back", onclick: takeBack }, words.takeBack),
      element("button", { id: "end-game", onclick: () => endGame(null) }, words.end));
  } else {
    if (live.outcome) rows.push(element("b", { role: "status" }, words.outcomes[live.outcome]));
    const chosen = Number(store.get("level") || 10);
    const option = (value, isChosen, text) => element("option", { value, selected: isChosen && "" }, text);
    const levels = Array.from({ length: 21 }, (_, level) => option(level, level === chosen, words.level(level)));
    const sides = [0, 1].map(side => option(side, shown().turn === side, words.side(sideName(side))));
    rows.push(element("select", { id: "side", "aria-label": words.sides }, ...sides),
      element("select", { id: "level", "aria-label": words.levels, onchange: event => store.set("level", event.target.value) }, ...levels),
      element("button", { id: "play-on", disabled: !engine.ask && "", onclick: startGame }, words.playOn));
  }
  $("play").replaceChildren(...rows);
}

function startGame() {
  const side = Number($("side").value);
  live.game = { from: currentNode(), human: side, level: Number($("level").value), isThinking: false };
  live.outcome = null;
  state.flipped = side === 1;
  show();
  reply();
}

function endGame(outcome) {
  if (live.searcher) live.searcher.stop();
  Object.assign(live, { game: null, outcome });
  buildLive();
  show();
}

/** Makes the engine's move, where it is its turn. */
async function reply() {
  const { game } = live;
  if (!game) return;
  const rules = rulesHere();
  if (rules.over) return endGame(rules.winner === null ? "draw" : rules.winner === game.human ? "won" : "lost");
  game.owed = mayMove() ? null : state.node;
  if (!game.owed) return buildLive();
  // It thinks of another position still; then of this one.
  if (game.isThinking) return searcher().stop();
  game.isThinking = true;
  buildLive();
  const position = positionText();
  const options = { SkillLevel: game.level, ConsiderationMode: false, USI_OwnBook: true };
  const answer = await searcher().search({ position, go: `movetime ${REPLY_TIME}`, options, isNewGame: !game.isBegun });
  game.isBegun = true;
  game.isThinking = false;
  if (live.game !== game) return buildLive();
  if (searcher().isBroken) return endGame(null);
  if (!answer || position !== positionText()) return showLive();
  if (answer[1] === "resign" || answer[1] === "win") return endGame(answer[1] === "resign" ? "resigned" : "declared");
  makeMove(rules.moves.find(move => move[0] === answer[1]));
  if (rulesHere().over) return reply();
  buildLive();
}

/** Takes the reader's last move back, and the engine's answer to it. */
function takeBack() {
  if (live.searcher) live.searcher.stop();
  const { from, human } = live.game;
  let { node } = state;
  live.game.owed = null;
  while (node !== from && node.parent) {
    const taken = node;
    node = node.parent;
    if (taken.isOwn && taken.children.length === 0) node.children.splice(node.children.indexOf(taken), 1);
    if (node.turn === human) break;
  }
  goTo(node);
  keepOwn();
  reply();
}

BUTTONS["live-switch"] = setLive;
ACTIONS.e = setLive;
document.addEventListener("visibilitychange", () => { watch(); });
moveListeners.push(reply);
builders.push(buildLive);
views.push(showLive, watch);
engine.whenReady(buildLive);
