// The page of a game: what is shown and what keys and clicks do.
"use strict";

const positions = data.positions;
const boards = [new Position(data.start)];
positions.slice(0, -1).forEach((position, index) => {
  const next = boards[index].copy();
  next.play(position.played.move[0]);
  boards.push(next);
});

Object.assign(state, {
  at: 0,
  /** A line being played out: {moves, made} from position `at`. */
  line: null,
  flipped: false,
});

/** The position on the board: that of the game, or within the line being played out. */
function shown() {
  if (!state.line) return boards[state.at];
  const position = boards[state.at].copy();
  state.line.moves.slice(0, state.line.made).forEach(move => position.play(move[0]));
  return position;
}

function lastMove() {
  if (state.line && state.line.made > 0) return state.line.moves[state.line.made - 1];
  return state.at > 0 ? positions[state.at - 1].played.move : null;
}

function nextMove() {
  if (state.line) return state.line.moves[state.line.made] || null;
  const lines = positions[state.at].lines;
  return lines.length > 0 ? lines[0].moves[0] || null : null;
}

function go(at) {
  state.line = null;
  state.at = Math.max(0, Math.min(positions.length - 1, at));
  show();
  // So that a link can be given to the position.
  try { history.replaceState(null, "", `#${state.at}`); } catch { /* not where the page is shown in another */ }
}

/** The position that the address names. */
function goToAddress() {
  const at = Number(location.hash.slice(1));
  if (Number.isInteger(at) && location.hash.length > 1) go(at);
}

function step(by) {
  if (!state.line) return go(state.at + by);
  const made = state.line.made + by;
  if (made < 0) state.line = null;
  else state.line.made = Math.min(made, state.line.moves.length);
  show();
}

function play(moves, made, line) {
  state.line = { moves, made, line };
  show();
}

/** To the next move (by 1) or the one before (by -1) that was a mistake. */
function nextMistake(by) {
  for (let at = state.at + by; at > 0 && at < positions.length; at += by) {
    if (positions[at - 1].played.mistake !== null) return go(at);
  }
}

function showBoard() {
  const position = shown();
  const last = lastMove(), next = nextMove();
  $("board").replaceChildren(drawBoard(position, {
    last: last && last[0], best: next && next[0], flipped: state.flipped, kanji: state.kanji,
  }));
}

function showNow() {
  const now = $("now");
  now.replaceChildren();
  const last = lastMove();
  const position = positions[state.at];
  if (state.line) {
    const mover = (boards[state.at].turn + state.line.made + 1) % 2;
    now.append(state.line.made > 0 ? word(last, mover) : "", ` (${state.line.made}/${state.line.moves.length})`);
    now.append(element("span", { class: "way", id: "way", onclick: () => go(state.at) }, `↩ ${say().way}`));
  } else if (last) {
    const before = positions[state.at - 1];
    now.append(`${before.number} ${word(last, boards[state.at - 1].turn)}  ${scoreText(position.score)} `);
    const { mistake, drop } = before.played;
    if (mistake !== null) {
      now.append(element("span", { class: `chip m${mistake}` }, `${say().mistakes[mistake]} ${say().drop(drop)}`));
    }
  } else {
    now.append(`${say().start}  ${scoreText(position.score)}`);
  }
  const notes = [];
  if (position.check) notes.push(say().check);
  notes.push(...position.notes.map(note => note[state.language]));
  $("notes").textContent = state.line ? "" : notes.join("\n");
}

function showLines() {
  const position = positions[state.at];
  const rows = position.lines.map((line, index) => {
    const words = element("span", { class: "words" });
    line.moves.forEach((move, made) => {
      const on = state.line && state.line.line === index && state.line.made === made + 1;
      words.append(element("span", { class: on ? "on" : "", onclick: () => play(line.moves, made + 1, index) },
        word(move, (boards[state.at].turn + made) % 2)));
    });
    if (line.moves.length === 0) words.append(element("b", {}, say().declare));
    const value = element("span", { class: "value" }, scoreText(line.score));
    if (line.depth) value.append(element("small", {}, say().depth(line.depth)));
    const button = element("button", { class: "play", title: `${index + 1}`, onclick: () => play(line.moves, 1, index) }, "▶");
    button.disabled = line.moves.length === 0;
    return element("div", { class: "pv" }, button, value, words);
  });
  if (rows.length === 0) rows.push(element("p", { class: "none" }, position.lines.length ? "" : say().noLines));
  $("lines").replaceChildren(...rows);
}

let graph = null;

function showMarks() {
  graph.moveTo(state.at);
  for (const row of $("moves").children) row.classList.toggle("on", Number(row.dataset.at) === state.at);
  const on = $("moves").querySelector(".on");
  if (on) {
    const list = $("moves");
    const top = on.offsetTop - list.clientHeight / 2;
    list.scrollTop = Math.max(0, top);
  }
}

function show() {
  showBoard();
  showNow();
  showLines();
  showMarks();
}

/** What a side is called where the record has no name for it: in a handicap game 先手 would be wrong, White moves first. */
function sideName(color) {
  return (data.handicap ? say().handicapSides : say().sides)[color];
}

function sideCard(color) {
  const side = data.sides[color];
  const name = element("div", { class: "name" }, `${color === 0 ? "☗" : "☖"} ${side.name || sideName(color)}`);
  if (side.accuracy === null) return element("div", { class: "side" }, name, element("p", {}, say().none));
  const accuracy = element("div", { class: "accuracy" }, `${side.accuracy.toFixed(0)}%`, element("small", {}, say().accuracy));
  const bar = element("div", { class: "bar" }, element("i", { style: `width:${side.accuracy.toFixed(0)}%` }));
  const chips = element("div", { class: "chips" });
  side.mistakes.forEach((count, index) => {
    chips.append(element("span", { class: count ? `chip m${index}` : "chip none" }, `${say().mistakes[index]} ${count}`));
  });
  return element("div", { class: "side" }, name, accuracy, bar, element("p", {}, say().loss(side.loss)),
    element("p", {}, say().best(side.best, side.moves)), chips);
}

function moments() {
  const rows = [];
  const add = (at, title, text, mistake) => rows.push([at, element("li", { onclick: () => go(at) },
    element("b", { class: mistake === undefined ? "" : `m${mistake}` }, title), text)]);
  const moveAt = index => `${say().move(positions[index].number)} ${word(positions[index].played.move, boards[index].turn)}`;
  for (const { moves, leader } of data.turning) {
    add(moves + 1, say().turning, `${moveAt(moves)}${say().comma}${say().leads(sideName(leader))}`, 1);
  }
  for (const { moves, plies } of data.mates) add(moves, say().missedMate, `${moveAt(moves)}${say().comma}${say().mate(plies)}`, 2);
  for (const { moves, points, rule } of data.declarations) {
    add(moves, say().missedDeclaration, `${moveAt(moves)}${say().comma}${rule} ${say().points(points)}`, 2);
  }
  positions.forEach((position, index) => {
    const played = position.played;
    if (played && played.mistake !== null && played.mistake > 0) {
      add(index + 1, say().mistakes[played.mistake], `${moveAt(index)}${say().comma}${say().drop(played.drop)}`, played.mistake);
    }
  });
  rows.sort((a, b) => a[0] - b[0]);
  return rows.length > 0 ? rows.map(row => row[1]) : [element("li", { class: "none" }, say().none)];
}

function moveRows() {
  const rows = [element("li", { "data-at": 0, onclick: () => go(0) }, element("span", { class: "n" }, "0"),
    element("span", {}, say().start), element("span"), element("span", { class: "s" }, scoreText(positions[0].score)))];
  positions.slice(0, -1).forEach((position, index) => {
    const { played } = position;
    const mark = played.mistake === null ? "" : ["?!", "?", "??"][played.mistake];
    rows.push(element("li", { "data-at": index + 1, onclick: () => go(index + 1) },
      element("span", { class: "n" }, `${position.number}`), element("span", {}, word(played.move, boards[index].turn)),
      element("b", { class: played.mistake === null ? "" : `m${played.mistake}` }, mark),
      element("span", { class: "s" }, scoreText(positions[index + 1].score))));
  });
  return rows;
}

/** All that depends on language and notation but not on the position. */
function build() {
  const words = say();
  document.documentElement.lang = state.language;
  const names = data.sides.map((side, color) => side.name || sideName(color));
  $("players").textContent = `☗ ${names[0]}  ☖ ${names[1]}`;
  $("about").textContent = data.about.map(part => part[state.language]).join(" · ");
  $("language").textContent = words.other;
  for (const [id, text] of [["graph-title", words.graph(sideName(0))], ["lines-title", words.lines], ["moments-title", words.moments],
    ["moves-title", words.moves], ["footer", `${data.engine} · ${words.footer}`]]) $(id).textContent = text;
  for (const [id, title] of Object.entries(words.titles)) {
    $(id).title = title;
    $(id).setAttribute("aria-label", title);
  }
  $("notation").replaceChildren(...Object.entries(words.notations).map(([value, text]) => element("option", { value }, text)));
  $("notation").value = state.notation;
  $("sides").replaceChildren(sideCard(0), sideCard(1));
  $("moments").replaceChildren(...moments());
  $("moves").replaceChildren(...moveRows());
  show();
}

function setPieces() {
  state.kanji = !state.kanji;
  store.set("pieces", state.kanji ? "kanji" : "letters");
  showBoard();
}

function flip() {
  state.flipped = !state.flipped;
  showBoard();
}

const ACTIONS = {
  ArrowLeft: () => step(-1), ArrowRight: () => step(1), ArrowUp: () => nextMistake(-1), ArrowDown: () => nextMistake(1),
  Home: () => go(0), End: () => go(positions.length - 1), Escape: () => go(state.at), f: flip, t: setTheme, p: setPieces,
  l: () => { setLanguage(); build(); },
};

document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === "SELECT") return;
  const line = positions[state.at].lines[Number(event.key) - 1];
  const action = line && line.moves.length > 0 ? () => play(line.moves, 1, Number(event.key) - 1) : ACTIONS[event.key];
  if (!action) return;
  event.preventDefault();
  action();
});
for (const [id, action] of Object.entries({
  first: ACTIONS.Home, back: ACTIONS.ArrowLeft, forward: ACTIONS.ArrowRight, last: ACTIONS.End, flip, theme: setTheme,
  pieces: setPieces, language: ACTIONS.l, "worse-back": ACTIONS.ArrowUp, "worse-forward": ACTIONS.ArrowDown,
})) $(id).addEventListener("click", action);
$("notation").addEventListener("change", event => {
  state.notation = event.target.value;
  store.set("notation", state.notation);
  build();
});
$("board").addEventListener("wheel", event => { event.preventDefault(); step(Math.sign(event.deltaY)); }, { passive: false });
$("board").addEventListener("click", event => {
  const box = $("board").getBoundingClientRect();
  step(event.clientX - box.left > box.width / 2 ? 1 : -1);
});
$("home").hidden = !data.index;
const drawn = drawGraph(positions, go);
graph = drawn;
$("graph").append(drawn.graph);
build();
goToAddress();
addEventListener("hashchange", goToAddress);
