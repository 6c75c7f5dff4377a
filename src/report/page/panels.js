// What stands beside the board: the graph, the best lines, variations, both sides, the moves.
"use strict";

let graph = null;

function buildGraph() {
  graph = drawGraph(Math.max(240, $("graph").clientWidth), go);
  $("graph").replaceChildren(graph.graph);
}

/** Letters stay as large as they are where the page is narrow. */
new ResizeObserver(() => {
  if (!graph || Math.max(240, $("graph").clientWidth) === graph.graph.viewBox.baseVal.width) return;
  buildGraph();
  showMarks();
}).observe($("graph"));

function showLines() {
  const { node } = state;
  const rows = linesOf(node).map((line, index) => {
    const words = element("span", { class: "words" }, ...lineWords(node, line.moves, `line${index}`));
    if (line.moves.length === 0) words.append(element("b", {}, say().declare));
    const value = element("span", { class: "value" }, scoreText(line.score));
    if (line.depth) value.append(element("small", {}, say().depth(line.depth)));
    return element("div", { class: "pv" }, value, words);
  });
  if (rows.length === 0 && node.at !== null) rows.push(element("p", { class: "none" }, say().noLines));
  $("lines").replaceChildren(...rows);
  $("lines").parentElement.hidden = rows.length === 0;
}

/** What a move has besides itself: variations and comments. */
function signs(node, isVaried) {
  const sign = (text, title) => element("abbr", { title }, text);
  return [isVaried ? sign("↱", say().variation) : "", node.notes.length > 0 ? sign("…", say().headings.notes) : ""];
}

/** A variation from its first move on, each move a button. */
function variationRow(first) {
  const words = [];
  for (let node = first; node; node = node.children[0]) {
    const to = node, on = node === state.node && !state.line;
    words.push(element("button", { class: "word", "data-key": `${first.id}-${node.number}`, "aria-current": on && "step", onclick: () => goTo(to) },
      word(node.move, node.parent.turn), ...signs(node, node.children.length > 1)));
  }
  return element("div", { class: "pv" }, element("span", { class: "value" }, say().move(first.number - 1)), element("span", { class: "words" }, ...words));
}

/** Whether a variation begins with the move: another than the one that stood there, or one behind the end of the game. */
const isOffshoot = node => node.at === null && (node.parent.at !== null || node.parent.children[0] !== node);
const offshoots = node => node.children.filter(child => isOffshoot(child) && !child.isOwn);

/** The variation that the position is in, those that are another choice than the last move, and than the next. */
function showVariations() {
  const { node } = state;
  let first = node;
  while (first.at === null && !isOffshoot(first)) first = first.parent;
  const rows = [...first.at === null && !first.isOwn ? [first] : [], ...node.parent ? offshoots(node.parent) : [], ...offshoots(node)];
  const shown = [...new Set(rows)];
  $("variations").replaceChildren(...shown.map(variationRow));
  $("variations").parentElement.hidden = shown.length === 0;
}

function showMarks() {
  const at = state.node.branch.at, list = $("moves");
  graph.moveTo(at);
  list.querySelectorAll("[aria-current]").forEach(row => row.removeAttribute("aria-current"));
  const row = list.children[at];
  row.firstElementChild.setAttribute("aria-current", "true");
  const { offsetTop: top, offsetHeight: height } = row;
  if (top < list.scrollTop || top + height > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 2;
}

function sideCard(color) {
  const side = data.sides[color];
  const name = element("h2", { class: "name" }, `${color === 0 ? "☗" : "☖"} ${side.name || sideName(color)}`);
  const names = [side.opening, side.castle].filter(Boolean).map(text => text[state.language]);
  if (names.length > 0) name.append(element("small", {}, names.join(say().comma)));
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

function moveRow(node) {
  const { at, parent } = node, mistake = at > 0 ? positions[at - 1].played.mistake : null;
  return element("li", {}, element("button", { onclick: () => go(at) }, element("span", { class: "n" }, at > 0 ? node.number - 1 : ""),
    element("span", {}, at > 0 ? word(node.move, parent.turn) : say().start, ...signs(node, at > 0 && parent.children.length > 1)),
    element("b", { class: mistake === null ? "" : `m${mistake}` }, mistake === null ? "" : ["?!", "?", "??"][mistake]),
    element("span", { class: "s" }, scoreText(positions[at].score))));
}

function buildPanels() {
  $("graph-title").textContent = data.in_points ? say().points : say().graph(sideName(0));
  $("sides").replaceChildren(sideCard(0), sideCard(1));
  $("moves").replaceChildren(...nodes.map(moveRow), element("li", { class: "end" }, data.result[state.language]));
}

builders.push(buildGraph, buildPanels);
// The marks last: they ask where rows stand, and what changed afterwards would have the page laid out twice.
views.push(showLines, showVariations, showMarks);
