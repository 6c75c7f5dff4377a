// Questions: a position in which a better move was there than the one played, to be found on the board.
"use strict";

const QUESTION_WORDS = {
  en: {
    findMate: (n, side) => `${side} to move: mate in ${n}.`, findMove: side => `${side} to move: find a better move.`,
    rate: share => `the win rate by ${share}`, points: pawns => `the score by ${pawns.toFixed(1)} pawns`,
    playedHere: (move, loss) => `In the game ${move} lowered ${loss}.`,
    missedHere: move => `In the game ${move} was played, and the mate was missed.`,
    thinking: "The engine is looking …", best: "Right: that is the best move.", alsoGood: "Right: nearly as good as the best move.",
    asInGame: loss => `That is the move of the game. It lowers ${loss}.`,
    loses: (loss, reply) => `That lowers ${loss}${reply && `, because of ${reply}`}.`,
    noCheck: "That gives no check.", escapes: move => `No mate is left after ${move}.`, goOn: move => `Right. The longest defence is ${move}. Go on.`,
    mated: "Mate. Right!", shown: "This is the solution.", hintGiven: "The marked piece moves.",
    hint: "Hint", solution: "Show the solution", again: "Try again", next: "Next question", flip: "Flip the board", toGame: "See it in the game",
    type: "Or type the move", enter: "Play", unreadable: "That is no legal move here.", step: n => `Show the position after move ${n} of the line`,
    keys: "Keys: h hint, s solution, r try again, n next, ← → step through the line.",
    noEngine: "The engine, which these questions need, does not run in this browser.",
    unjudged: "The engine, which would judge this move, does not run.",
  },
  ja: {
    findMate: (n, side) => `${side}の番です。${n}手詰です。`, findMove: side => `${side}の番です。もっと良い手を探してください。`,
    rate: share => `勝率が${share}`, points: pawns => `評価値が${(100 * pawns).toFixed(0)}点`,
    playedHere: (move, loss) => `実戦は${move}で、${loss}下がりました。`,
    missedHere: move => `実戦は${move}で、詰みを逃しました。`,
    thinking: "エンジンが調べています…", best: "正解です。最善手です。", alsoGood: "正解です。最善手とほとんど差のない手です。",
    asInGame: loss => `実戦と同じ手です。${loss}下がります。`,
    loses: (loss, reply) => `${loss}下がります${reply && `（${reply}）`}。`,
    noCheck: "王手ではありません。", escapes: move => `${move}で詰みません。`, goOn: move => `正解です。最も長い受けは${move}です。続けてください。`,
    mated: "詰みました。正解です。", shown: "正解の手順です。", hintGiven: "印の付いた駒を動かします。",
    hint: "ヒント", solution: "答えを見る", again: "もう一度", next: "次の問題", flip: "盤を反転", toGame: "対局で見る",
    type: "指し手を入力", enter: "指す", unreadable: "この局面では指せない手です。", step: n => `手順の${n}手目の局面を表示`,
    keys: "キー: h ヒント、s 答え、r もう一度、n 次の問題、← → 手順を一手ずつ。",
    noEngine: "このブラウザーではエンジンが動かないため、問題を出せません。",
    unjudged: "エンジンが動かないため、この手は判定できません。",
  },
};
const asking = () => QUESTION_WORDS[state.language];

/** A move this close to the best one is right as well: in win rate or, where a handicap has decided that, in centipawns. */
const MARGIN = { rate: .05, points: 100 };
/** How long the engine looks at a move that the analysis did not, and at each defence against a mate. */
const JUDGING = "movetime 1500", DEFENDING = "mate 3000";

/** The name of the player whose moves the reader studies, the same on every page; null for none. */
function readerName() {
  try { return (JSON.parse(store.get("whose")) || {}).name || null; } catch { return null; }
}

function setReader(color, name) {
  store.set("whose", JSON.stringify({ color, name }));
}

/** A side's chance to win by a score from Black's view. */
function rateOf([kind, number], color) {
  const own = color === 0 ? number : -number;
  return kind === "cp" ? 1 / (1 + Math.exp(-own / data.scale)) : Number(own > 0);
}

/** A score from Black's view in a side's centipawns; a mate is worth more than any. */
const pointsOf = ([kind, number], color) => (color === 0 ? 1 : -1) * (kind === "cp" ? number : Math.sign(number) * 5000);

/** What a move lost, in words. */
const lossText = ({ in_points: inPoints }, { drop, loss }) =>
  inPoints ? asking().points(loss / 100) : asking().rate(`${Math.ceil(100 * drop)}%`);

/** A position of USI with moves behind it. */
const withMoves = (position, moves) => moves.length === 0 ? position
  : `${position}${position.includes(" moves ") ? "" : " moves"} ${moves.join(" ")}`;

/** Asks one question after the other on a board of its own. */
class Examiner {
  /**
   * @param {HTMLElement} root
   * @param {{done: (question: object, grade: string) => void, next: () => void, toGame?: (question: object) => void,
   *   gameOf?: (question: object) => Node | string}} page what follows, and the name of the game; the grade is `right`,
   *   `late` (after a mistake or a hint) or `shown`
   */
  constructor(root, page) {
    Object.assign(this, { page, question: null, turned: false, run: 0 });
    const button = (name, action) => {
      this[name] = element("button", { type: "button", onclick: () => this[action]() });
      return this[name];
    };
    this.board = element("div", { class: "board" });
    this.task = element("h2");
    this.about = element("p", { class: "about" });
    this.verdict = element("p", { class: "verdict", role: "status" });
    this.lines = element("div", { class: "lines" });
    this.field = element("input", { type: "text", autocomplete: "off", spellcheck: "false", size: 12 });
    this.label = element("label", {}, element("span"), this.field);
    this.form = element("form", {}, this.label, element("button", { class: "enter" }));
    this.form.addEventListener("submit", event => { event.preventDefault(); this.take(this.field.value); });
    this.buttons = element("div", { class: "buttons" }, button("nextButton", "next"), button("againButton", "again"),
      button("hintButton", "hint"), button("solutionButton", "solution"), button("gameButton", "toGame"), button("flipButton", "flip"));
    this.keys = element("p", { class: "none keys" });
    root.classList.add("questions");
    root.replaceChildren(element("div", { class: "game" }, this.board), element("div", { class: "card" },
      this.task, this.about, this.verdict, this.buttons, this.form, this.lines, this.keys));
    this.input = new BoardInput(this.board, {
      game: () => this.phase === "asking" && this.rules
        ? { position: new Position(this.rules.sfen), moves: this.rules.moves.map(move => move[0]), flipped: this.flipped, kanji: state.kanji }
        : null,
      play: usi => this.answer(usi),
    });
  }

  get color() { return new Position(engine.ask({ position: this.question.position }).sfen).turn; }

  /** Whose turn it is: ☗ and the player's name, where the record has one. */
  get sideName() {
    const { players, handicap } = this.question;
    return `${"☗☖"[this.side]} ${players[this.side] || sideNames(handicap)[this.side]}`;
  }

  get flipped() { return (this.side === 1) !== this.turned; }

  /** The moves behind the position of the question that are shown. */
  get shown() { return this.isOver ? this.view.slice(0, this.at) : this.made; }

  get isOver() { return this.phase === "over"; }

  ask(question) {
    this.stop();
    Object.assign(this, { question, made: [], view: [], at: 0, grade: "right", phase: "asking", hinted: false });
    this.side = this.color;
    this.field.value = "";
    this.say("");
    this.show();
  }

  /** Drops what the engine is asked. */
  stop() {
    this.run += 1;
    if (this.searcher) this.searcher.stop();
  }

  search(job) {
    this.searcher ||= engine.start();
    return this.searcher.search(job);
  }

  /** A move that was typed, in any notation. */
  take(text) {
    const plain = written => written.normalize("NFKC").replace(/[\s▲△☗☖]/g, "").toLowerCase()
      .replace(/[一二三四五六七八九]/g, digit => 1 + "一二三四五六七八九".indexOf(digit));
    const numeric = written => written.replace(/([1-9])([a-i])/g, (_, file, rank) => file + (rank.charCodeAt(0) - 96));
    const typed = plain(text);
    const isTyped = typed => words => [...words, numeric(words[2])].some(written => plain(written) === typed);
    // 打 is only part of the name where another piece could go there, but it is written all the same.
    const move = this.rules.moves.find(isTyped(typed)) || this.rules.moves.find(isTyped(typed.replace(/打$/, "")));
    if (this.phase !== "asking" || typed === "") return;
    if (!move) return this.say(asking().unreadable, "wrong");
    this.field.value = "";
    this.answer(move[0]);
  }

  async answer(usi) {
    const before = this.made, run = ++this.run, words = asking();
    Object.assign(this, { before, made: [...before, usi], phase: "thinking", hinted: false });
    this.say(words.thinking);
    this.show();
    const verdict = await (this.question.mate ? this.judgeMate() : this.judge(usi));
    if (run !== this.run) return;
    if (!verdict) {
      this.phase = "wrong";
      this.say(words.unjudged, "wrong");
      return this.show();
    }
    if (verdict.reply) {
      this.made = [...this.made, verdict.reply];
      this.phase = "asking";
    } else if (verdict.right) {
      this.end(this.made, this.made.length);
    } else {
      this.grade = "late";
      this.phase = "wrong";
    }
    this.say(verdict.text, verdict.right ? "right" : "wrong");
    this.show();
  }

  /** What a move is worth: by the lines of the analysis, or else by the engine. */
  async judge(usi) {
    const { question, side } = this, { lines, played } = question, words = asking();
    const known = lines.find(line => line.moves[0] === usi);
    if (known === lines[0]) return { right: true, text: words.best };
    if (usi === played) return { right: false, text: words.asInGame(lossText(question, question)) };
    const rules = engine.ask({ position: withMoves(this.question.position, this.made) });
    if (rules.over) return { right: rules.winner === this.side, text: rules.notes.map(note => note[state.language]).join("\n") };
    let [score, reply] = known ? [known.score, known.moves[1]] : [null, null];
    if (!known) {
      // The score is of the side to move, the opponent.
      const onInfo = ({ rank, score: [kind, number], moves }) => { if (rank === 1) [score, reply] = [[kind, side === 0 ? -number : number], moves[0]]; };
      await this.search({ position: withMoves(question.position, this.made), go: JUDGING, onInfo });
      if (!score) return null;
    }
    const lost = {
      drop: Math.max(0, rateOf(lines[0].score, side) - rateOf(score, side)),
      loss: Math.max(0, pointsOf(lines[0].score, side) - pointsOf(score, side)),
    };
    if (lost.drop < MARGIN.rate && !(question.in_points && lost.loss >= MARGIN.points)) return { right: true, text: words.alsoGood };
    return { right: false, text: words.loses(lossText(question, lost), reply ? this.word(reply) : "") };
  }

  /** Whether the mate is kept against every defence, and the defence that lasts longest. */
  async judgeMate() {
    const words = asking(), position = withMoves(this.question.position, this.made);
    const rules = engine.ask({ position }), known = this.question.lines[0].moves;
    if (rules.over) {
      const won = rules.winner === this.side;
      return { right: won, text: won ? words.mated : rules.notes.map(note => note[state.language]).join("\n") };
    }
    if (!rules.check) return { right: false, text: words.noCheck };
    const isKnown = this.made.every((move, index) => move === known[index]) && known.length > this.made.length;
    let longest = null;
    for (const [defence] of rules.moves) {
      const answer = await this.search({ position: withMoves(position, [defence]), go: DEFENDING });
      if (!answer) return null;
      if (!/^[1-9A-Z]/.test(answer[1] || "")) {
        if (isKnown) { longest = { defence: known[this.made.length] }; break; }
        return { right: false, text: words.escapes(this.word(defence)) };
      }
      if (!longest || answer.length > longest.length) longest = { defence, length: answer.length };
    }
    return { right: true, reply: longest.defence, text: words.goOn(this.word(longest.defence)) };
  }

  /** A move behind those shown, in the notation chosen. */
  word(usi) {
    const { lines, sfen } = engine.ask({ position: withMoves(this.question.position, this.shown), lines: [usi] });
    return word(lines[0][0], new Position(sfen).turn);
  }

  end(view, at) {
    Object.assign(this, { view, at, phase: "over" });
    this.page.done(this.question, this.grade);
  }

  say(text, kind = "") {
    this.verdict.textContent = text;
    this.verdict.className = `verdict ${kind}`;
  }

  again() {
    this.stop();
    Object.assign(this, { made: this.before, phase: "asking" });
    this.say("");
    this.show();
  }

  hint() {
    if (this.phase !== "asking") return;
    this.hinted = true;
    this.grade = "late";
    this.say(asking().hintGiven);
    this.show();
  }

  solution() {
    if (this.isOver) return;
    this.stop();
    this.grade = "shown";
    this.end(this.question.lines[0].moves, 1);
    this.say(asking().shown);
    this.show();
  }

  next() { this.page.next(); }

  toGame() { this.page.toGame(this.question); }

  flip() {
    this.turned = !this.turned;
    this.show();
  }

  /** Steps through the line that is shown. */
  step(by) {
    if (!this.isOver) return;
    this.at = Math.max(0, Math.min(this.view.length, this.at + by));
    this.show();
  }

  key(key) {
    const visible = name => !this[name].hidden && this[name].click();
    const actions = { h: "hintButton", s: "solutionButton", r: "againButton", n: "nextButton", f: "flipButton" };
    if (actions[key]) visible(actions[key]);
    else if (key === "ArrowLeft" || key === "ArrowRight") this.step(key === "ArrowLeft" ? -1 : 1);
    else return false;
    return true;
  }

  /** The best move that is asked for next, as far as the analysis knows it. */
  get expected() {
    const line = this.question.lines.find(({ moves }) => this.made.every((move, index) => move === moves[index]));
    return line ? line.moves[this.made.length] : null;
  }

  show() {
    const { question } = this, words = asking();
    this.rules = engine.ask({ position: withMoves(question.position, this.shown), lines: [question.played] });
    const start = engine.ask({ position: question.position, lines: [question.played, ...question.lines.map(line => line.moves.join(" "))] });
    const position = new Position(this.rules.sfen), side = this.sideName;
    this.input.clear();
    this.board.replaceChildren(drawBoard(position, {
      last: this.shown.at(-1) || null, best: null, flipped: this.flipped, kanji: state.kanji, sides: sideNames(question.handicap),
    }));
    const mark = this.hinted && this.phase === "asking" && this.expected;
    if (mark) this.board.firstChild.append(this.marked(mark, position));
    const mate = question.mate && Math.abs(question.lines[0].score[1]);
    this.task.textContent = question.mate ? words.findMate(mate, side) : words.findMove(side);
    const played = start.lines[0][0] ? word(start.lines[0][0], this.side) : question.played;
    this.about.textContent = question.mate ? words.missedHere(played) : words.playedHere(played, lossText(question, question));
    if (this.page.gameOf) this.about.append(element("br"), this.page.gameOf(question));
    const on = { nextButton: this.isOver, againButton: this.phase === "wrong", hintButton: this.phase === "asking" && Boolean(this.expected),
      solutionButton: !this.isOver, gameButton: this.isOver && Boolean(this.page.toGame), flipButton: true };
    const texts = { nextButton: words.next, againButton: words.again, hintButton: words.hint, solutionButton: words.solution,
      gameButton: words.toGame, flipButton: "⇅" };
    for (const [name, isOn] of Object.entries(on)) {
      this[name].hidden = !isOn;
      this[name].textContent = texts[name];
    }
    this.flipButton.title = words.flip;
    this.flipButton.setAttribute("aria-label", words.flip);
    this.form.hidden = this.phase !== "asking";
    this.label.firstChild.textContent = words.type;
    this.form.lastChild.textContent = words.enter;
    this.keys.textContent = words.keys;
    this.lines.replaceChildren(...(this.isOver ? question.lines.map((line, index) => this.line(line, start.lines[index + 1])) : []));
  }

  /** A ring about the piece that moves. */
  marked(usi, position) {
    const [x, y] = usi[1] === "*"
      ? handPlaces(position, position.turn, this.flipped).pieces.find(([type]) => type === usi[0]).slice(1)
      : middle(squareOf(usi.slice(0, 2)), this.flipped);
    return svg("circle", { class: "hint", cx: x, cy: y, r: 24, fill: "none", stroke: "var(--arrow)", "stroke-width": 5, "pointer-events": "none" });
  }

  /** A line of the analysis to step through. */
  line({ score, moves }, written) {
    const words = element("span", { class: "words" });
    written.forEach((move, index) => {
      const on = this.at === index + 1 && moves.slice(0, this.at).every((move, at) => move === this.view[at]);
      const show = () => { Object.assign(this, { view: moves, at: index + 1 }); this.show(); };
      words.append(element("button", { type: "button", class: "word", "aria-current": on && "step", title: asking().step(index + 1), onclick: show },
        word(move, (this.side + index) % 2)));
    });
    return element("div", { class: "pv" }, element("span", { class: "value" }, scoreText(score)), words);
  }
}
