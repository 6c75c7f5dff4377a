// The graph of Black's win rate.
"use strict";

const GRAPH = { width: innerWidth < 640 ? 430 : 720, height: 210, left: 40, right: 12, top: 12, bottom: 24 };

function graphX(index, count) {
  return GRAPH.left + (count > 1 ? index / (count - 1) : 0) * (GRAPH.width - GRAPH.left - GRAPH.right);
}

function graphY(rate) {
  return GRAPH.top + (1 - rate) * (GRAPH.height - GRAPH.top - GRAPH.bottom);
}

/** Draws the win rates of all positions; `go` is called with the position that is pointed at. */
function drawGraph(positions, go) {
  const count = positions.length;
  const graph = svg("svg", { viewBox: `0 0 ${GRAPH.width} ${GRAPH.height}`, role: "img", "aria-label": "graph" });
  const [bottom, top] = [graphY(0), graphY(1)];
  graph.append(svg("rect", { x: GRAPH.left, y: top, width: GRAPH.width - GRAPH.left - GRAPH.right, height: bottom - top,
    fill: "var(--white-area)" }));
  const known = positions.map((position, index) => [index, position.rate]).filter(([, rate]) => rate !== null);
  if (known.length > 0) {
    const path = known.map(([index, rate]) => `${graphX(index, count).toFixed(1)} ${graphY(rate).toFixed(1)}`);
    const [first, last] = [graphX(known[0][0], count), graphX(known[known.length - 1][0], count)];
    graph.append(svg("path", { d: `M${first} ${bottom} L${path.join(" L")} L${last} ${bottom} Z`,
      fill: "var(--black-area)" }));
    graph.append(svg("path", { d: `M${path.join(" L")}`, fill: "none", stroke: "var(--accent)", "stroke-width": 2,
      "stroke-linejoin": "round" }));
  }
  for (const rate of [0, .25, .5, .75, 1]) {
    const y = graphY(rate);
    graph.append(svg("line", { x1: GRAPH.left, x2: GRAPH.width - GRAPH.right, y1: y, y2: y, stroke: "var(--faint)",
      "stroke-width": rate === .5 ? 1 : .5, "stroke-dasharray": rate === .5 ? "none" : "2 4" }));
    const label = svg("text", { x: GRAPH.left - 6, y: y + 4, "text-anchor": "end", "font-size": 12, fill: "var(--faint)" });
    label.textContent = `${rate * 100}%`;
    graph.append(label);
  }
  const step = [10, 20, 25, 50, 100, 200].find(step => count / step <= 12) || 500;
  for (let index = step; index < count; index += step) {
    const label = svg("text", { x: graphX(index, count), y: GRAPH.height - 6, "text-anchor": "middle", "font-size": 12,
      fill: "var(--faint)" });
    label.textContent = index;
    graph.append(label);
  }
  positions.forEach((position, index) => {
    const mistake = position.played && position.played.mistake;
    const after = positions[index + 1];
    if (mistake === null || mistake === undefined || !after || after.rate === null) return;
    graph.append(svg("circle", { cx: graphX(index + 1, count), cy: graphY(after.rate), r: 4 + mistake,
      fill: `var(--${["dubious", "mistake", "blunder"][mistake]})`, stroke: "var(--card)", "stroke-width": 1.5 }));
  });
  const cursor = svg("line", { y1: top, y2: bottom, stroke: "var(--last)", "stroke-width": 2, id: "cursor" });
  graph.append(cursor);
  const point = event => {
    const box = graph.getBoundingClientRect();
    const x = (event.clientX - box.left) / box.width * GRAPH.width;
    const share = (x - GRAPH.left) / (GRAPH.width - GRAPH.left - GRAPH.right);
    go(Math.round(Math.min(1, Math.max(0, share)) * (count - 1)));
  };
  graph.addEventListener("pointerdown", event => { graph.setPointerCapture(event.pointerId); point(event); });
  graph.addEventListener("pointermove", event => { if (event.buttons) point(event); });
  return { graph, moveTo: index => {
    const x = graphX(index, count);
    cursor.setAttribute("x1", x);
    cursor.setAttribute("x2", x);
  } };
}
