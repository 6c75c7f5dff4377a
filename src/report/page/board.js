// The position and its drawing.
"use strict";

const KANJI = { P: "歩", L: "香", N: "桂", S: "銀", G: "金", B: "角", R: "飛", K: "玉",
  "+P": "と", "+L": "杏", "+N": "圭", "+S": "全", "+B": "馬", "+R": "龍" };
const HAND_ORDER = ["R", "B", "G", "S", "N", "L", "P"];

/** A position: squares by file and rank from 1, hands, the turn (0 for Black). */
class Position {
  constructor(sfen) {
    const [board, turn, hands] = sfen.split(" ");
    this.squares = {};
    this.hands = [{}, {}];
    this.turn = turn === "w" ? 1 : 0;
    board.split("/").forEach((row, rank) => {
      let file = 9;
      for (const token of row.match(/\+?[a-z]|[1-9]/gi) || []) {
        if (/[1-9]/.test(token)) { file -= Number(token); continue; }
        const color = token.toUpperCase() === token ? 0 : 1;
        this.squares[file * 10 + rank + 1] = { type: token.toUpperCase(), color };
        file -= 1;
      }
    });
    for (const token of hands === "-" ? [] : hands.match(/\d*[a-z]/gi)) {
      const type = token.slice(-1);
      const count = Number(token.slice(0, -1) || 1);
      this.hands[type === type.toUpperCase() ? 0 : 1][type.toUpperCase()] = count;
    }
  }

  copy() {
    const copy = Object.create(Position.prototype);
    copy.squares = { ...this.squares };
    copy.hands = this.hands.map(hand => ({ ...hand }));
    copy.turn = this.turn;
    return copy;
  }

  /** Makes a move in USI notation, which is known to be legal. */
  play(usi) {
    const to = squareOf(usi.slice(2, 4));
    if (usi[1] === "*") {
      this.hands[this.turn][usi[0]] -= 1;
      this.squares[to] = { type: usi[0], color: this.turn };
    } else {
      const from = squareOf(usi.slice(0, 2));
      const piece = this.squares[from];
      const captured = this.squares[to];
      if (captured) {
        const type = captured.type.replace("+", "");
        this.hands[this.turn][type] = (this.hands[this.turn][type] || 0) + 1;
      }
      delete this.squares[from];
      this.squares[to] = { type: usi.endsWith("+") ? "+" + piece.type : piece.type, color: piece.color };
    }
    this.turn = 1 - this.turn;
  }
}

function squareOf(text) {
  return Number(text[0]) * 10 + text.charCodeAt(1) - 96;
}

const CELL = 50, LEFT = 62, TOP = 30, SIZE = 9 * CELL;
const RIGHT = LEFT + 8;
const WIDTH = LEFT + SIZE + RIGHT, HEIGHT = TOP + SIZE + 14;

/** The middle of a square, the board turned round or not. */
function middle(square, flipped) {
  let file = Math.floor(square / 10), rank = square % 10;
  if (flipped) { file = 10 - file; rank = 10 - rank; }
  return [LEFT + (9 - file + .5) * CELL, TOP + (rank - .5) * CELL];
}

/** Greater pieces are larger, as in a real set. */
const SIZES = { K: 1.06, R: 1.04, B: 1.04, G: 1, S: 1, N: .96, L: .94, P: .9 };

function pieceShape(x, y, piece, flipped, kanji, scale) {
  const turned = (piece.color === 1) !== flipped;
  const promoted = piece.type.startsWith("+");
  const label = kanji ? KANJI[piece.type] : piece.type;
  const group = svg("g", { transform: `translate(${x} ${y}) scale(${scale * SIZES[piece.type.replace("+", "")]})${turned ? " rotate(180)" : ""}` });
  group.append(svg("path", { d: "M0 -21 L13 -15 L19 20 L-19 20 L-13 -15 Z",
    fill: "var(--piece)", stroke: "var(--piece-edge)", "stroke-width": 1.2, "stroke-linejoin": "round" }));
  const text = svg("text", { y: kanji ? 13 : 11, "text-anchor": "middle", "font-size": kanji ? 26 : promoted ? 19 : 22,
    "font-weight": 600, fill: promoted ? "#b3123d" : "#2a2118" });
  text.textContent = label;
  group.append(text);
  return group;
}

/** Where the pieces in a hand are drawn, as [type, x, y]; the mark of the side stands at `x`. */
function handPlaces(position, color, flipped) {
  const right = (color === 0) !== flipped;
  const x = right ? LEFT + SIZE + RIGHT / 2 + 11 : LEFT / 2 - 3;
  const held = HAND_ORDER.filter(type => position.hands[color][type] > 0);
  const step = 46;
  const top = right ? TOP + SIZE - 40 - step * (held.length - 1) : TOP + 42;
  return { right, x, pieces: held.map((type, index) => [type, x - 8, top + step * index]) };
}

function handShapes(position, color, flipped, kanji) {
  const group = svg("g", { class: "hand" });
  const { right, x, pieces } = handPlaces(position, color, flipped);
  const mark = svg("text", { x, y: right ? TOP + SIZE - 2 : TOP + 14, "text-anchor": "middle", "font-size": 18,
    fill: position.turn === color ? "var(--accent)" : "var(--faint)" });
  mark.textContent = color === 0 ? "☗" : "☖";
  group.append(mark);
  for (const [type, left, y] of pieces) {
    group.append(pieceShape(left, y, { type, color }, flipped, kanji, .8));
    const count = position.hands[color][type];
    if (count > 1) {
      const text = svg("text", { x: x + 12, y: y + 16, "font-size": 16, "font-weight": 600, fill: "var(--ink)" });
      text.textContent = count;
      group.append(text);
    }
  }
  return group;
}

/** A move that is proposed: an arrow, or for a drop the piece seen faintly in its place. */
function proposal(usi, flipped, position, kanji, color = "var(--arrow)") {
  const [toX, toY] = middle(squareOf(usi.slice(2, 4)), flipped);
  if (usi[1] === "*") {
    const piece = pieceShape(toX, toY, { type: usi[0], color: position.turn }, flipped, kanji, 1);
    piece.setAttribute("opacity", .6);
    const ring = svg("circle", { cx: toX, cy: toY, r: 22, fill: "none", stroke: color, "stroke-width": 5 });
    return svg("g", { class: "proposal", "pointer-events": "none" }, [piece, ring]);
  }
  const [fromX, fromY] = middle(squareOf(usi.slice(0, 2)), flipped);
  const length = Math.hypot(toX - fromX, toY - fromY) || 1;
  const [ux, uy] = [(toX - fromX) / length, (toY - fromY) / length];
  const [endX, endY] = [toX - ux * 12, toY - uy * 12];
  const points = [[toX, toY], [endX - uy * 9 - ux * 4, endY + ux * 9 - uy * 4], [endX + uy * 9 - ux * 4, endY - ux * 9 - uy * 4]];
  return svg("g", { class: "proposal", "pointer-events": "none" }, [
    svg("line", { x1: fromX, y1: fromY, x2: endX, y2: endY, stroke: color, "stroke-width": 6,
      "stroke-linecap": "round" }),
    svg("polygon", { points: points.map(p => p.join(",")).join(" "), fill: color }),
  ]);
}

/** What stands on the board and in hand, in words: for those who do not see the drawing. */
function describe(position, sides) {
  const { turn, hand, empty, list, pieces } = say().board;
  const held = [0, 1].map(color => {
    const own = Object.entries(position.squares).filter(([, piece]) => piece.color === color);
    const onBoard = own.map(([square, { type }]) => `${pieces[type]} ${square}`);
    const inHand = HAND_ORDER.filter(type => position.hands[color][type] > 0).map(type => `${pieces[type]} ${position.hands[color][type]}`);
    return `${sides[color]}: ${onBoard.join(list)}${list}${hand} ${inHand.join(list) || empty}.`;
  });
  return `${turn(sides[position.turn])}. ${held.join(" ")}`;
}

/**
 * The board with both hands. `last` and `best` are moves in USI notation; `worse`, one that was worse, is marked as such;
 * `sides` is what both are called.
 */
function drawBoard(position, { last, best, worse, flipped, kanji, sides }) {
  const board = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": describe(position, sides) });
  board.append(svg("rect", { x: LEFT, y: TOP, width: SIZE, height: SIZE, rx: 3, fill: "var(--wood)",
    stroke: "var(--wood-line)", "stroke-width": 2 }));
  if (last) {
    const marked = last[1] === "*" ? [last.slice(2, 4)] : [last.slice(0, 2), last.slice(2, 4)];
    marked.forEach((square, index) => {
      const [x, y] = middle(squareOf(square), flipped);
      const faint = index < marked.length - 1;
      board.append(svg("rect", { x: x - CELL / 2, y: y - CELL / 2, width: CELL, height: CELL, fill: "var(--last)",
        opacity: faint ? .35 : .8 }));
    });
  }
  for (let line = 1; line < 9; line++) {
    const at = line * CELL;
    board.append(svg("line", { x1: LEFT + at, y1: TOP, x2: LEFT + at, y2: TOP + SIZE, stroke: "var(--wood-line)" }),
      svg("line", { x1: LEFT, y1: TOP + at, x2: LEFT + SIZE, y2: TOP + at, stroke: "var(--wood-line)" }));
  }
  for (const x of [3, 6]) for (const y of [3, 6]) {
    board.append(svg("circle", { cx: LEFT + x * CELL, cy: TOP + y * CELL, r: 3, fill: "var(--wood-line)" }));
  }
  for (let i = 1; i <= 9; i++) {
    const [x] = middle(i * 10 + 1, flipped), [, y] = middle(10 + i, flipped);
    const file = svg("text", { x, y: TOP - 9, "text-anchor": "middle", "font-size": 14, fill: "var(--faint)" });
    file.textContent = i;
    const rank = svg("text", { x: LEFT + SIZE + 4, y: y + 5, "font-size": 12, fill: "var(--faint)" });
    rank.textContent = kanji ? "一二三四五六七八九"[i - 1] : "abcdefghi"[i - 1];
    board.append(file, rank);
  }
  for (const [square, piece] of Object.entries(position.squares)) {
    const [x, y] = middle(Number(square), flipped);
    board.append(pieceShape(x, y, piece, flipped, kanji, 1));
  }
  board.append(handShapes(position, 0, flipped, kanji), handShapes(position, 1, flipped, kanji));
  if (worse) board.append(proposal(worse, flipped, position, kanji, "var(--worse)"));
  if (best) board.append(proposal(best, flipped, position, kanji));
  return board;
}
