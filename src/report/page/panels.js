// What stands beside the board: the graph, the best lines, variations, both sides, the moves.
"use strict";

let graph = null;

function buildGraph() {
  graph = drawGraph(positions, go);
  $("graph").replaceChildren(graph.graph);
}

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

/** A variation from its first move on, each move a button. */
function variationRow(first) {
  const words = [];
  for (let node = first; node; node = node.children[0]) {
    const to = node;
    words.push(element("button", { class: "word", "aria-current": node === state.node && !state.line && "step", onclick: () => goTo(to) },
      word(node.move, node.parent.turn), node.children.length > 1 || node.notes.length > 0 ? "…" : ""));
  }
  return element("div", { class: "pv" }, element("span", { class: "words" }, ...words));
}

/** The variation that the position is in, and those that begin in it. */
function showVariations() {
  const rows = [];
  let first = state.node;
  while (first.at === null && first.parent.children[0] === first) first = first.parent;
  if (first.at === null && !first.isOwn) rows.push(variationRow(first));
  rows.push(...state.node.children.slice(1).filter(node => !node.isOwn).map(variationRow));
  $("variations").replaceChildren(...rows);
  $("variations").parentElement.hidden = rows.length === 0;
}

function showMarks() {
  const at = state.node.branch.at, list = $("moves");
  graph.moveTo(at);
  list.querySelectorAll("[aria-current]").forEach(row => row.removeAttribute("aria-current"));
  const row = list.children[at];
  row.firstElementChild.setAttribute("aria-current", "true");
  list.scrollTop = Math.max(0, row.offsetTop - list.clientHeight / 2);
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

function moveRow(at, number, text, mistake) {
  return element("li", {}, element("button", { onclick: () => go(at) }, element("span", { class: "n" }, number), element("span", {}, text),
    element("b", { class: mistake === null ? "" : `m${mistake}` }, mistake === null ? "" : ["?!", "?", "??"][mistake]),
    element("span", { class: "s" }, scoreText(positions[at].score))));
}

function buildPanels() {
  $("graph-title").textContent = say().graph(sideName(0));
  $("sides").replaceChildren(sideCard(0), sideCard(1));
  $("moves").replaceChildren(moveRow(0, "0", say().start, null), ...nodes.slice(1).map((node, at) =>
    moveRow(at + 1, `${node.number - 1}`, word(node.move, node.parent.turn), positions[at].played.mistake)));
}

builders.push(buildGraph, buildPanels);
views.push(showLines, showVariations, showMarks);
