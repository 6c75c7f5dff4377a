// The graph of the game: Black's chance to win, or points where that says nothing, and below it the time for each move.
"use strict";

const GRAPH = { left: 40, right: 10, top: 6, times: 30, bottom: 18, text: 12 };

/** Numbers of which a few stand along an axis of this length. */
function niceStep(length, count) {
  const rough = length / count, power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].find(step => step * power >= rough) * power;
}

/** What the graph shows of each position, with its range and the marks of its axis. */
function graphScale() {
  if (!data.in_points) {
    const marks = [0, .25, .5, .75, 1].map(rate => [rate, `${rate * 100}%`]);
    return { values: positions.map(position => position.rate), low: 0, high: 1, middle: .5, marks };
  }
  const centipawns = positions.flatMap(({ score }) => score && score[0] === "cp" ? [Math.max(-6000, Math.min(6000, score[1]))] : []);
  const step = niceStep(Math.max(0, ...centipawns) - Math.min(0, ...centipawns) || 1, 5);
  const [low, high] = [Math.floor(Math.min(0, ...centipawns) / step) * step, Math.ceil(Math.max(0, ...centipawns) / step) * step || step];
  // A mate is at the edge.
  const values = positions.map(({ score, rate }) => !score ? null : score[0] === "cp" ? Math.max(low, Math.min(high, score[1])) : rate > .5 ? high : low);
  const marks = [];
  for (let value = low; value <= high; value += step) marks.push([value, state.language === "ja" ? String(value) : String(value / 100)]);
  return { values, low, high, middle: 0, marks };
}

/** Draws all positions in this width; `go` is called with the one that is pointed at. */
function drawGraph(width, go) {
  const count = positions.length, times = positions.map(position => position.time || 0), longest = Math.max(...times);
  const { values, low, high, middle, marks } = graphScale();
  // Lower where it stands below the board of a desktop.
  const plot = innerWidth >= 960 ? 96 : 150;
  const [top, bottom] = [GRAPH.top, GRAPH.top + plot], floor = longest > 0 ? bottom + GRAPH.times : bottom;
  const height = floor + GRAPH.bottom, right = width - GRAPH.right;
  const x = index => GRAPH.left + (count > 1 ? index / (count - 1) : 0) * (right - GRAPH.left);
  const y = value => bottom - (value - low) / (high - low) * (bottom - top);
  const graph = svg("svg", { viewBox: `0 0 ${width} ${height}`, tabindex: 0, role: "slider", "aria-labelledby": "graph-title",
    "aria-valuemin": 0, "aria-valuemax": count - 1 });
  const text = (words, at) => {
    const label = svg("text", { "font-size": GRAPH.text, fill: "var(--faint)", ...at });
    label.textContent = words;
    graph.append(label);
  };
  graph.append(svg("rect", { x: GRAPH.left, y: top, width: right - GRAPH.left, height: bottom - top, fill: "var(--white-area)" }));
  const known = values.map((value, index) => [x(index).toFixed(1), value]).filter(([, value]) => value !== null);
  if (known.length > 0) {
    const path = known.map(([left, value]) => `${left} ${y(value).toFixed(1)}`).join(" L");
    graph.append(svg("path", { d: `M${known[0][0]} ${bottom} L${path} L${known[known.length - 1][0]} ${bottom} Z`, fill: "var(--black-area)" }),
      svg("path", { d: `M${path}`, fill: "none", stroke: "var(--accent)", "stroke-width": 2, "stroke-linejoin": "round" }));
  }
  for (const [value, words] of marks) {
    graph.append(svg("line", { x1: GRAPH.left, x2: right, y1: y(value), y2: y(value), stroke: "var(--faint)",
      "stroke-width": value === middle ? 1 : .5, "stroke-dasharray": value === middle ? "none" : "2 4" }));
    text(words, { x: GRAPH.left - 5, y: y(value) + 4, "text-anchor": "end" });
  }
  const step = Math.max(5, niceStep(count, (width - 60) / 55));
  for (let index = step; index < count; index += step) text(index, { x: x(index), y: height - 5, "text-anchor": "middle" });
  if (longest > 0) {
    // Roots, so that short ones are seen beside long ones.
    const bar = Math.min(12, Math.max(1, (right - GRAPH.left) / count - .5));
    times.forEach((time, index) => {
      const length = Math.sqrt(time / longest) * (GRAPH.times - 6);
      if (index > 0 && time > 0) graph.append(svg("rect", { x: x(index) - bar / 2, y: floor - length, width: bar, height: length,
        fill: nodes[index - 1].turn === 0 ? "var(--ink)" : "var(--faint)" }));
    });
    text(say().time, { x: GRAPH.left - 5, y: floor - 8, "text-anchor": "end" });
  }
  positions.forEach(({ played }, index) => {
    if (!played || played.mistake === null || values[index + 1] === null) return;
    graph.append(svg("circle", { cx: x(index + 1), cy: y(values[index + 1]), r: 4 + played.mistake,
      fill: `var(--${["dubious", "mistake", "blunder"][played.mistake]})`, stroke: "var(--card)", "stroke-width": 1.5 }));
  });
  const cursor = svg("line", { y1: top, y2: floor, stroke: "var(--last)", "stroke-width": 2, id: "cursor" });
  graph.append(cursor);
  const point = event => {
    const box = graph.getBoundingClientRect();
    const share = ((event.clientX - box.left) / box.width * width - GRAPH.left) / (right - GRAPH.left);
    go(Math.round(Math.min(1, Math.max(0, share)) * (count - 1)));
  };
  graph.addEventListener("pointerdown", event => { graph.setPointerCapture(event.pointerId); point(event); });
  graph.addEventListener("pointermove", event => { if (event.buttons) point(event); });
  return { graph, moveTo: index => {
    const { rate, score } = positions[index], node = nodes[index];
    cursor.setAttribute("x1", x(index));
    cursor.setAttribute("x2", x(index));
    graph.setAttribute("aria-valuenow", index);
    graph.setAttribute("aria-valuetext", [index === 0 ? say().start : `${node.number - 1} ${word(node.move, node.parent.turn)}`,
      data.in_points || rate === null ? scoreText(score) : `${(100 * rate).toFixed(0)}%`].join(say().comma));
  } };
}
