// Moves of the reader's own: played on the board, kept as variations in the tree of positions, and copied out.
"use strict";

/** Called when the reader has made a move. */
const moveListeners = [];

/** The nodes from the start to a node, without the start. */
function pathTo(node) {
  const path = [];
  for (let at = node; at.parent; at = at.parent) path.unshift(at);
  return path;
}

/** The position on the board as USI's `position` has it. */
function positionText(node = state.node, line = state.line) {
  const moves = pathTo(node).map(made => made.move[0]).concat(line ? line.moves.slice(0, line.made).map(move => move[0]) : []);
  return `sfen ${data.start}${moves.length > 0 ? " moves " : ""}${moves.join(" ")}`;
}

const asked = { text: null, answer: null };

/** What the rules say of the position on the board; null where there is no engine. */
function rulesHere() {
  const text = engine.ask && positionText();
  if (text && text !== asked.text) Object.assign(asked, { text, answer: engine.ask({ position: text }) });
  return text && !asked.answer.error ? asked.answer : null;
}

/** The node that a move leads to from another: there already, or one of the reader's own. */
function follow(node, move) {
  const known = node.children.find(child => child.move[0] === move[0]);
  if (known) return known;
  const made = new TreeNode(node, move);
  Object.assign(made, { isOwn: true, name: "" });
  return made;
}

/** The node of the position on the board; a line that is played out there becomes a variation. */
function currentNode() {
  const { node, line } = state;
  if (line) goTo(line.moves.slice(0, line.made).reduce(follow, node));
  return state.node;
}

/** Makes a move on the board: along the line that is shown, into a variation that is there, or into a new one. */
function makeMove(move) {
  const { line } = state;
  if (line && line.moves[line.made] && line.moves[line.made][0] === move[0]) return step(1);
  const path = line ? [...line.moves.slice(0, line.made), move] : [move];
  goTo(path.reduce(follow, state.node));
  keepOwn();
}

/** Where rows of own variations begin: where one leaves what is not the reader's, or another one. */
function ownRows() {
  const rows = [], waiting = [nodes[0]];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    rows.push(...node.children.filter((child, index) => child.isOwn && (index > 0 || !node.isOwn)));
    waiting.push(...node.children);
  }
  return rows.sort((a, b) => a.number - b.number);
}

function lineOf(first) {
  const line = [];
  for (let node = first; node; node = node.children[0]) line.push(node);
  return line;
}

/** By what own variations are kept: the game, in short. */
const keptName = (() => {
  const letters = [...positionText(nodes[nodes.length - 1], null)];
  return `study-${letters.reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0) | 0, 7)}`;
})();

/** What this page read or wrote last of own variations. */
let keptText = null;
/** Whether the browser keeps them. */
let isKept = true;

/** Keeps own variations in the browser: each line from where it leaves the game. */
function keepOwn() {
  takeKept();
  isKept = store.set(keptName, JSON.stringify(ownRows().map(first => {
    const path = pathTo(first).slice(first.branch.at).concat(lineOf(first).slice(1));
    return { at: first.branch.at, moves: path.map(node => node.move[0]).join(" "), names: path.map(node => node.name || "") };
  })));
  keptText = store.get(keptName);
  showOwn();
}

/** Adds the line of these moves, as far as they are legal; gives its last node. */
function addLine({ at, moves, names = [] }) {
  const start = nodes[at];
  if (!start || typeof moves !== "string") return null;
  const { lines } = engine.ask({ position: positionText(start, null), lines: [moves] });
  return lines[0].reduce((node, move, index) => {
    const made = follow(node, move);
    if (made.isOwn && !made.name && names[index]) made.name = String(names[index]).slice(0, 80);
    return made;
  }, start);
}

/** Adds what the browser keeps, of this page in another tab as well. */
function takeKept() {
  const text = store.get(keptName);
  if (text === keptText) return;
  keptText = text;
  try {
    for (const line of JSON.parse(text) || []) addLine(line);
  } catch { /* what another page may have put there */ }
}

/** An address of the position on the board: `#12/7g7f,3c3d/name` is two moves behind the twelfth. */
function addressHere() {
  const { node, line } = state, { at } = node.branch;
  const moves = pathTo(node).slice(at).map(made => made.move[0]).concat(line ? line.moves.slice(0, line.made).map(move => move[0]) : []);
  const named = pathTo(node).slice(at).find(made => made.name);
  return `#${at}${moves.length > 0 ? `/${moves.join(",")}` : ""}${named ? `/${encodeURIComponent(named.name)}` : ""}`;
}

/** Opens the variation that the address names. */
function goToVariation() {
  const [, at, moves, name] = location.hash.match(/^#(\d+)\/([^/]+)(?:\/(.*))?$/) || [];
  if (!moves || location.hash === addressHere()) return;
  const plain = text => { try { return decodeURIComponent(text || ""); } catch { return ""; /* It was cut. */ } };
  const node = addLine({ at: Number(at), moves: plain(moves).split(",").slice(0, 1000).join(" "), names: [plain(name)] });
  if (node) goTo(node);
}

function remove(first) {
  const { parent } = first;
  takeKept();
  parent.children.splice(parent.children.indexOf(first), 1);
  if (pathTo(state.node).includes(first)) goTo(parent); else show();
  keepOwn();
}

function ownRow(first) {
  const words = lineOf(first).map(node => element("button", {
    class: "word", "aria-current": node === state.node && !state.line && "step", onclick: () => goTo(node),
  }, word(node.move, node.parent.turn)));
  const texts = say().study;
  const name = element("input", {
    class: "name", value: first.name, maxlength: 80, placeholder: texts.name, "aria-label": texts.name,
    onchange: event => { first.name = event.target.value.trim(); keepOwn(); show(); },
  });
  const gone = element("button", { class: "remove", title: texts.remove, "aria-label": texts.remove, onclick: () => remove(first) }, "✕");
  const number = element("span", { class: "n" }, texts.from(first.number - 1));
  return element("li", {}, element("div", { class: "head" }, number, name, gone), element("span", { class: "words" }, ...words));
}

function showOwn() {
  $("own-kept").textContent = isKept ? "" : say().study.notKept;
  // A name that is being written stays.
  if (document.activeElement && document.activeElement.matches("#own .name") && $("own").children.length === ownRows().length) return;
  const rows = ownRows().map(ownRow);
  $("own").replaceChildren(...rows.length > 0 ? rows : [element("li", { class: "none" }, say().study.hint)]);
}

/** What the rules say of a position that the record does not have. */
function showRules() {
  if (state.node.at !== null && !state.line) return;
  keepAddress(addressHere());
  const rules = rulesHere();
  if (!rules) return;
  const notes = (state.line ? [] : state.node.notes).concat(rules.notes).map(note => note[state.language]);
  if (rules.check && !rules.over) notes.unshift(say().check);
  $("notes").textContent = notes.join("\n");
}

/** The game's record with the reader's own variations. */
function kif() {
  const lines = ownRows().map(first => [
    ...pathTo(first.parent).map(node => [node.move[0], ""]), ...lineOf(first).map(node => [node.move[0], node.name]),
  ]);
  return engine.ask({ position: `sfen ${data.start}`, record: { text: data.record, lines } }).record;
}

/** The board as a picture: its drawing with the colours of the page in it. */
async function boardPicture() {
  const drawing = $("board").querySelector("svg").cloneNode(true);
  drawing.querySelectorAll(".chosen, .target, .cursor").forEach(mark => mark.remove());
  const style = getComputedStyle(document.body), scale = 2;
  drawing.setAttribute("width", WIDTH * scale);
  drawing.setAttribute("height", HEIGHT * scale);
  drawing.setAttribute("font-family", style.fontFamily);
  drawing.prepend(svg("rect", { width: WIDTH, height: HEIGHT, fill: "var(--card)" }));
  const colour = (_, name) => style.getPropertyValue(name).trim();
  const text = new XMLSerializer().serializeToString(drawing).replace(/var\((--[\w-]+)\)/g, colour);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = element("canvas", { width: WIDTH * scale, height: HEIGHT * scale });
  canvas.getContext("2d").drawImage(image, 0, 0);
  return new Promise(done => canvas.toBlob(done, "image/png"));
}

async function savePicture() {
  const link = element("a", { download: `${document.title.replace(/[\\/:*?"<>|]/g, "_")} ${state.node.number - 1}.png` });
  link.href = URL.createObjectURL(await boardPicture());
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** Puts a text where it can be pasted from; where the browser refuses, the reader may take it from a field. */
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = element("textarea", { class: "copied", readonly: "" }, text);
    $("copies").after(field);
    field.select();
    if (document.execCommand("copy")) field.remove();
    else field.addEventListener("blur", () => field.remove());
  }
}

/** What can be copied out, by the names of the buttons. */
const COPIES = {
  kif: () => copyText(kif()),
  sfen: () => copyText(rulesHere().sfen),
  bod: () => copyText(rulesHere().bod),
  link: () => copyText(location.href.replace(/#.*/, "") + addressHere()),
  picture: savePicture,
};

function buildCopies() {
  $("copies").replaceChildren(...Object.entries(COPIES).map(([id, copy]) => element("button", { id: `copy-${id}`, disabled: !engine.ask && "", onclick: async event => {
    const button = event.target;
    await copy();
    button.textContent = say().study.copied;
    setTimeout(() => { button.textContent = say().study.copies[id]; }, 1500);
  } }, say().study.copies[id])));
}

const input = new BoardInput($("board"), {
  game: () => {
    const rules = rulesHere();
    if (!rules || rules.over || !mayMove()) return null;
    return { position: shown(), moves: rules.moves.map(move => move[0]), flipped: state.flipped, kanji: state.kanji };
  },
  play: usi => {
    makeMove(rulesHere().moves.find(move => move[0] === usi));
    moveListeners.forEach(listen => listen());
  },
});

// A tap on a piece, or with one that is chosen, is no step through the game.
let isMeant = false;
$("board").addEventListener("pointerdown", event => {
  const here = input.at(event);
  const isOfMove = input.from !== null || $("board").querySelector(".choice") !== null || live.game !== null;
  const isPiece = ({ name, game }) => name !== null && (name[1] === "*" || game.position.squares[squareOf(name)] !== undefined);
  isMeant = isOfMove || here !== null && isPiece(here);
}, true);
$("board").addEventListener("click", event => { if (isMeant) event.stopImmediatePropagation(); }, true);

builders.push(buildCopies);
views.push(() => input.clear(), showOwn, showRules);
engine.whenReady(() => {
  document.documentElement.classList.add("alive");
  buildCopies();
  takeKept();
  show();
  goToVariation();
  addEventListener("hashchange", goToVariation);
});
