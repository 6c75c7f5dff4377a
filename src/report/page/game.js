// The page of a game: its positions, where the reader is, and what keys and clicks do. The other scripts of the page add
// what they show to `builders` and `views`, and their keys to `ACTIONS`.
"use strict";

const positions = data.positions;

/** A position of the game or of a variation. */
class TreeNode {
  /** `move` is the one that leads here, as [usi, japanese, western]. */
  constructor(parent, move, start) {
    this.parent = parent;
    this.move = move;
    /** The first goes on with the line, the others are variations. */
    this.children = [];
    /** Its place in the game itself; null in variations. */
    this.at = null;
    /** What the record says of it, in both languages. */
    this.notes = [];
    this.position = start;
    this.turn = parent ? 1 - parent.turn : start.turn;
    this.number = parent ? parent.number + 1 : positions[0].number;
    if (parent) parent.children.push(this);
  }

  get board() {
    if (!this.position) {
      const path = [];
      let node = this;
      for (; !node.position; node = node.parent) path.push(node);
      const position = node.position.copy();
      path.reverse().forEach(made => position.play(made.move[0]));
      this.position = position;
    }
    return this.position;
  }

  /** Where the game itself was left; the node where it is part of that. */
  get branch() {
    let node = this;
    while (node.at === null) node = node.parent;
    return node;
  }
}

/** The positions of the game itself, the start first. */
const nodes = [new TreeNode(null, null, new Position(data.start))];
positions.slice(0, -1).forEach(position => nodes.push(new TreeNode(nodes[nodes.length - 1], position.played.move)));
nodes.forEach((node, at) => { node.at = at; node.notes = positions[at].notes; });
// The record's own variations; the parents stand before their children.
const all = [...nodes];
for (const { parent, move, notes } of data.variations) {
  const node = new TreeNode(all[parent], move);
  Object.assign(node, { notes, id: `variation-${all.length}` });
  all.push(node);
}

Object.assign(state, {
  node: nodes[0],
  /** A line being played out from `node`: {moves, made, id}, where `id` names the line on the page. */
  line: null,
  flipped: false,
});
/** Functions that show what depends on language and notation but not on the position. */
const builders = [];
/** Functions that show what depends on the position. */
const views = [];

/** What a side is called where the record has no name for it. */
function sideName(color) {
  return sideNames(data.handicap)[color];
}

/** The position on the board: that of the node, or within the line being played out. */
function shown() {
  if (!state.line) return state.node.board;
  const position = state.node.board.copy();
  state.line.moves.slice(0, state.line.made).forEach(move => position.play(move[0]));
  return position;
}

function lastMove() {
  return state.line ? state.line.moves[state.line.made - 1] : state.node.move;
}

/** The lines found for a position of the tree. */
function linesOf(node) {
  return node.at === null ? [] : positions[node.at].lines;
}

function nextMove() {
  if (state.line) return state.line.moves[state.line.made] || null;
  const [best] = linesOf(state.node);
  return best ? best.moves[0] || null : null;
}

/** Writes an address, so that a link can be given to the position; once the reader stays, for browsers allow few a second. */
function keepAddress(address) {
  clearTimeout(state.addressTimer);
  state.addressTimer = setTimeout(() => {
    try { history.replaceState(null, "", address); } catch { /* not where the page is shown in another */ }
  }, 200);
}

function goTo(node) {
  state.line = null;
  state.node = node;
  show();
  if (node.at !== null) keepAddress(`#${node.at}`);
}

function go(at) {
  goTo(nodes[Math.max(0, Math.min(nodes.length - 1, at))]);
}

/** The position that the address names. */
function goToAddress() {
  const at = Number(location.hash.slice(1));
  if (Number.isInteger(at) && location.hash.length > 1) go(at);
}

function step(by) {
  if (state.line) {
    const made = state.line.made + by;
    if (made < 1) state.line = null;
    else state.line.made = Math.min(made, state.line.moves.length);
    return show();
  }
  const next = by > 0 ? state.node.children[0] : state.node.parent;
  if (next) goTo(next);
}

/** Plays a line out from a node as far as `made` moves. */
function play(node, moves, made, id) {
  state.node = node;
  state.line = { moves, made, id };
  show();
}

/** The words of a line as buttons that play it out that far. */
function lineWords(node, moves, id) {
  return moves.map((move, made) => {
    const on = state.line && state.line.id === id && state.node === node && state.line.made === made + 1;
    return element("button", { class: "word", "data-key": `${id}-${made}`, "aria-current": on && "step", onclick: () => play(node, moves, made + 1, id) },
      word(move, (node.turn + made) % 2));
  });
}

function showBoard() {
  const last = lastMove(), next = nextMove(), lesson = state.line ? null : lessonHere();
  const worse = lesson !== null && lesson === state.node.at ? positions[lesson].played.move : null;
  $("board").replaceChildren(drawBoard(shown(), {
    last: last && last[0], best: next && next[0], worse: worse && worse[0], flipped: state.flipped, kanji: state.kanji, sides: sideNames(data.handicap),
  }));
}

function showNow() {
  const now = $("now"), { node, line } = state;
  const way = () => element("button", { class: "way", id: "way", onclick: () => goTo(node.branch) }, `↩ ${say().way}`);
  if (line) {
    now.replaceChildren(`${word(lastMove(), (node.turn + line.made + 1) % 2)} (${line.made}/${line.moves.length})`, way());
  } else if (node.at === null) {
    now.replaceChildren(`${say().variation}: ${node.number - 1} ${word(node.move, node.parent.turn)}`, way());
  } else if (node.at > 0) {
    const { mistake } = positions[node.at - 1].played, { score, time } = positions[node.at];
    now.replaceChildren(`${node.number - 1} ${word(node.move, node.parent.turn)}  ${scoreText(score)} `);
    if (mistake !== null) now.append(mistakeChip(node.at - 1));
    if (time) now.append(element("small", {}, ` ${say().time} ${clock(time)}`));
    if (node.at === nodes.length - 1) now.append(element("b", {}, ` ${data.result[state.language]}`));
  } else {
    now.replaceChildren(`${say().start}  ${scoreText(positions[0].score)}`);
  }
  const notes = node.notes.map(note => note[state.language]);
  if (node.at !== null && positions[node.at].check) notes.unshift(say().check);
  $("notes").textContent = line ? "" : notes.join("\n");
}

/** Shows the position; the element that has the focus keeps it, though it be made anew. */
function show() {
  const { key } = (document.activeElement || document.body).dataset;
  views.forEach(view => view());
  const again = key && document.querySelector(`[data-key="${key}"]`);
  if (again && again !== document.activeElement) again.focus({ preventScroll: true });
}

/** All that depends on language and notation but not on the position. */
function build() {
  const words = say();
  document.documentElement.lang = state.language;
  const names = data.sides.map((side, color) => side.name || sideName(color));
  $("players").textContent = `☗ ${names[0]}  ☖ ${names[1]}`;
  $("about").textContent = data.about.map(part => part[state.language]).join(" · ");
  $("language").textContent = words.other;
  $("footer").textContent = `${data.engine} · ${words.footer}`;
  for (const [name, text] of Object.entries(words.headings)) $(`${name}-title`).textContent = text;
  for (const [id, title] of Object.entries(words.titles)) {
    $(id).title = title;
    $(id).setAttribute("aria-label", title);
  }
  $("keys").replaceChildren(...words.keys.map(([key, does]) => element("div", {}, element("dt", {}, element("kbd", {}, key)), element("dd", {}, does))));
  $("notation").replaceChildren(...Object.entries(words.notations).map(([value, text]) => element("option", { value }, text)));
  $("notation").value = state.notation;
  builders.forEach(builder => builder());
  show();
}

function setPieces() {
  state.kanji = !state.kanji;
  store.set("pieces", state.kanji ? "kanji" : "letters");
  show();
}

function flip() {
  state.flipped = !state.flipped;
  show();
}

/** Seconds as a clock shows them. */
function clock(seconds) {
  const [minutes, rest] = [Math.floor(seconds / 60), String(Math.floor(seconds % 60)).padStart(2, "0")];
  return minutes < 60 ? `${minutes}:${rest}` : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${rest}`;
}

function showKeys() {
  const keys = $("keys").parentElement;
  keys.open = !keys.open;
  if (keys.open) keys.scrollIntoView({ block: "end" });
}

/** What keys do, by their names. */
const ACTIONS = {
  ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => go(0), End: () => go(nodes.length - 1),
  Escape: () => goTo(state.node.branch), f: flip, t: setTheme, p: setPieces,
  l: () => { setLanguage(); build(); }, "?": showKeys,
};
/** What buttons do, by their elements. */
const BUTTONS = {
  first: ACTIONS.Home, back: ACTIONS.ArrowLeft, forward: ACTIONS.ArrowRight, last: ACTIONS.End, flip, theme: setTheme,
  pieces: setPieces, language: ACTIONS.l,
};

function listen() {
  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("select, input, textarea")) return;
    const index = Number(event.key) - 1, line = linesOf(state.node)[index];
    const action = line && line.moves.length > 0 ? () => play(state.node, line.moves, 1, `line${index}`) : ACTIONS[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
  for (const [id, action] of Object.entries(BUTTONS)) $(id).addEventListener("click", action);
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
  addEventListener("hashchange", goToAddress);
}

views.push(showBoard, showNow);
// When all scripts of the page have run.
addEventListener("DOMContentLoaded", () => {
  $("home").hidden = !data.index;
  listen();
  build();
  goToAddress();
});
