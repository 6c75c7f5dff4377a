// Moves played on a board by tap, drag or keys; only what is legal can be done.
"use strict";

/** Plays on the board that an element holds, even when it is drawn anew. */
class BoardInput {
  /**
   * @param {HTMLElement} place
   * @param {{game: () => {position: Position, moves: string[], flipped: boolean, kanji: boolean} | null,
   *   play: (usi: string) => void}} board the position with the legal moves, where it is to be played on
   */
  constructor(place, board) {
    Object.assign(this, { place, board, from: null, drag: null, cursor: null });
    this.status = element("span", { class: "unseen", role: "status" });
    place.after(this.status);
    place.tabIndex = 0;
    place.addEventListener("keydown", event => this.key(event));
    place.addEventListener("blur", () => { this.cursor = null; this.showCursor(); });
    place.addEventListener("pointerdown", event => this.press(event));
    place.addEventListener("pointermove", event => this.move(event));
    place.addEventListener("pointerup", event => this.release(event));
    place.addEventListener("pointercancel", () => this.clear());
    // A finger that begins on a piece moves that, and not the page.
    place.addEventListener("touchstart", event => {
      if (this.meant(this.at(event.touches[0]))) event.preventDefault();
    }, { passive: false });
  }

  /** Drops what is begun, also where the board is drawn anew. */
  clear() {
    this.from = this.drag = null;
    for (const shown of this.place.querySelectorAll(".chosen, .target, .dragged, .choice")) shown.remove();
    this.showCursor();
  }

  /**
   * With Enter the board takes the keys: arrows move a cursor, Enter takes a piece and puts it down, letters take pieces
   * from the hand, Escape gives up. Where a promotion is asked for, Enter promotes and the minus sign does not.
   */
  key(event) {
    const game = this.board.game(), { key } = event, isEnter = key === "Enter" || key === " ";
    const choice = this.place.querySelectorAll(".choice [data-move]"), [dx, dy] = ARROWS[key] || [];
    if (!game || event.ctrlKey || event.altKey || event.metaKey || !this.cursor && !isEnter) return;
    const piece = key.toUpperCase() + "*";
    if (choice.length > 0 && (isEnter || key === "-")) this.play(choice[isEnter ? 0 : 1].dataset.move);
    else if (!this.cursor) this.cursor = [5, 5];
    else if (key === "Escape" && this.from) this.clear();
    else if (key === "Escape") this.cursor = null;
    else if (isEnter) this.tap({ game, name: squareName(...this.cursor) });
    else if (dx !== undefined) {
      const turn = game.flipped ? -1 : 1;
      this.cursor = [this.cursor[0] - turn * dx, this.cursor[1] + turn * dy].map(number => Math.min(9, Math.max(1, number)));
    } else if (game.moves.some(move => move.startsWith(piece))) this.choose({ game, name: piece });
    else return;
    event.preventDefault();
    event.stopPropagation();
    this.showCursor();
  }

  showCursor() {
    const game = this.cursor && this.board.game(), drawing = this.place.querySelector("svg");
    for (const shown of this.place.querySelectorAll(".cursor")) shown.remove();
    this.status.textContent = "";
    if (!game || !drawing) return;
    const square = squareName(...this.cursor), [x, y] = middle(squareOf(square), game.flipped), piece = game.position.squares[squareOf(square)];
    drawing.append(svg("rect", { class: "cursor", x: x - CELL / 2 + 3, y: y - CELL / 2 + 3, width: CELL - 6, height: CELL - 6, fill: "none",
      stroke: "var(--ink)", "stroke-width": 3, "stroke-dasharray": "8 4", "pointer-events": "none" }));
    this.status.textContent = square + (piece ? ` ${piece.color === 0 ? "☗" : "☖"}${game.kanji ? KANJI[piece.type] : piece.type}` : "");
  }

  /** Where a pointer is in the drawing, and what stands there as the first half of a move has it: `7g`, `P*`. */
  at({ clientX, clientY }) {
    const game = this.board.game(), drawing = this.place.querySelector("svg");
    if (!game || !drawing) return null;
    const box = drawing.getBoundingClientRect();
    const x = (clientX - box.left) / box.width * WIDTH, y = (clientY - box.top) / box.height * HEIGHT;
    const [file, rank] = [9 - Math.floor((x - LEFT) / CELL), 1 + Math.floor((y - TOP) / CELL)];
    const here = { x, y, game, name: null };
    if (file >= 1 && file <= 9 && rank >= 1 && rank <= 9) {
      here.name = game.flipped ? squareName(10 - file, 10 - rank) : squareName(file, rank);
    } else {
      const { pieces } = handPlaces(game.position, game.position.turn, game.flipped);
      const near = pieces.find(([, left, top]) => Math.abs(left - x) < 22 && Math.abs(top - y) < 23);
      if (near) here.name = near[0] + "*";
    }
    return here;
  }

  /** Whether something can be done there. */
  meant(here) {
    return here && here.name && (here.game.moves.some(move => move.startsWith(here.name)) || this.moves(here).length > 0);
  }

  /** The moves of the chosen piece to that place, with promotion and without. */
  moves({ game, name }) {
    return this.from ? game.moves.filter(move => move.startsWith(this.from) && move.slice(2, 4) === name) : [];
  }

  press(event) {
    const choice = event.target.closest && event.target.closest(".choice [data-move]");
    if (choice) return this.play(choice.dataset.move);
    const here = this.at(event), isChoosing = this.place.querySelector(".choice");
    if (!here || event.button > 0 || isChoosing) return this.clear();
    this.tap(here);
    if (!this.from || this.from !== here.name) return;
    event.preventDefault();
    this.place.setPointerCapture(event.pointerId);
  }

  /** Goes to a place with the piece that is chosen, or chooses the one there. */
  tap(here) {
    if (this.moves(here).length > 0) this.finish(here);
    else if (here.name && here.name !== this.from && here.game.moves.some(move => move.startsWith(here.name))) this.choose(here);
    else this.clear();
  }

  choose(here) {
    this.clear();
    const { position, flipped, moves, kanji } = here.game, drawing = this.place.querySelector("svg");
    this.from = here.name;
    const isDrop = this.from[1] === "*";
    const places = new Set(moves.filter(move => move.startsWith(this.from)).map(move => move.slice(2, 4)));
    for (const to of places) {
      const [x, y] = middle(squareOf(to), flipped), taken = position.squares[squareOf(to)];
      drawing.append(svg("circle", { class: "target", cx: x, cy: y, r: taken ? 22 : 9, "pointer-events": "none",
        ...(taken ? { fill: "none", stroke: "var(--accent)", "stroke-width": 4 } : { fill: "var(--accent)", opacity: .75 }) }));
    }
    const piece = isDrop ? { type: this.from[0], color: position.turn } : position.squares[squareOf(this.from)];
    const [x, y] = isDrop
      ? handPlaces(position, position.turn, flipped).pieces.find(([type]) => type === piece.type).slice(1)
      : middle(squareOf(this.from), flipped);
    drawing.append(svg("rect", { class: "chosen", x: x - CELL / 2 + 1, y: y - CELL / 2 + 1, width: CELL - 2, height: CELL - 2,
      fill: "none", stroke: "var(--accent)", "stroke-width": 3, rx: 4, "pointer-events": "none" }));
    this.drag = here.x === undefined ? null : { x: here.x, y: here.y, shape: () => pieceShape(0, 0, piece, flipped, kanji, 1.1), shown: null };
  }

  move(event) {
    const { drag } = this, here = drag && this.at(event);
    if (!here) return;
    if (!drag.shown) {
      if (Math.hypot(here.x - drag.x, here.y - drag.y) < 8) return;
      drag.shown = svg("g", { class: "dragged", "pointer-events": "none", opacity: .9 }, [drag.shape()]);
      this.place.querySelector("svg").append(drag.shown);
    }
    drag.shown.setAttribute("transform", `translate(${here.x} ${here.y})`);
  }

  release(event) {
    const { drag } = this;
    this.drag = null;
    if (!drag || !drag.shown) return;
    drag.shown.remove();
    const here = this.at(event);
    if (here && this.moves(here).length > 0) this.finish(here);
    else if (!here || here.name !== this.from) this.clear();
  }

  /** Plays the move to that place, having asked whether it promotes where it may and need not. */
  finish(here) {
    const moves = this.moves(here);
    if (moves.length === 1) return this.play(moves[0]);
    const { position, flipped, kanji } = here.game;
    const { type, color } = position.squares[squareOf(this.from)];
    this.clear();
    const [x, y] = middle(squareOf(here.name), flipped), toLeft = x > LEFT + CELL ? -CELL : CELL;
    const shapes = [["+" + type, `${moves[0].slice(0, 4)}+`, x], [type, moves[0].slice(0, 4), x + toLeft]].map(([type, move, x]) =>
      svg("g", { "data-move": move, style: "cursor:pointer" }, [
        svg("rect", { x: x - CELL / 2, y: y - CELL / 2, width: CELL, height: CELL, fill: "var(--card)", stroke: "var(--accent)",
          "stroke-width": 3, rx: 4 }),
        pieceShape(x, y, { type, color }, flipped, kanji, 1),
      ]));
    this.place.querySelector("svg").append(svg("g", { class: "choice" }, [
      svg("rect", { width: WIDTH, height: HEIGHT, fill: "var(--ground)", opacity: .4 }), ...shapes]));
  }

  play(usi) {
    this.clear();
    this.board.play(usi);
  }
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const squareName = (file, rank) => `${file}${"abcdefghi"[rank - 1]}`;
