// The mistakes of a game as questions: what is asked in the place of the page, and whose mistakes they are.
"use strict";

const PRACTISE_WORDS = {
  en: { open: n => `Find the move (${n})`, close: "Back to the game", whose: "Whose moves?", both: "both", all: "All questions of this game are done." },
  ja: { open: n => `次の一手（${n}問）`, close: "対局に戻る", whose: "どちらの手番を解きますか", both: "両方", all: "この対局の問題はすべて終わりました。" },
};

/** The mistakes and missed mates of the game. */
function questionsOfGame() {
  const made = positions.map(position => position.played && position.played.move[0]);
  const missed = new Set(data.mates.map(({ moves }) => moves));
  // A win by rule may be nearer than the mate.
  const isMissed = ({ lines: [best] }, index) => missed.has(index) && best !== undefined && best.score[0] === "mate";
  const isAsked = (position, index) => position.played && (position.played.mistake > 0 || isMissed(position, index))
    && position.lines.some(line => line.moves.length > 0);
  return positions.flatMap((position, index) => !isAsked(position, index) ? [] : [{
    moves: index, side: nodes[index].turn, players: data.sides.map(side => side.name), handicap: data.handicap,
    position: withMoves(`sfen ${data.start}`, made.slice(0, index)),
    played: made[index], drop: position.played.drop, loss: position.played.loss, in_points: data.in_points, mate: isMissed(position, index),
    lines: position.lines.filter(line => line.moves.length > 0)
      .map(({ score, moves }) => ({ score, moves: moves.map(move => move[0]) })),
  }]);
}

/** The questions of a game, which stand in the place of its page while they are asked. */
const practice = {
  questions: questionsOfGame(),
  /** 0, 1, or null for both sides. */
  side: null,
  examiner: null,
  grades: new Map(),

  get asked() { return this.questions.filter(({ side }) => this.side === null || side === this.side); },

  get isOpen() { return document.body.classList.contains("asking"); },

  /** What stands on the page until the questions are opened. */
  build() {
    const words = PRACTISE_WORDS[state.language];
    $("practise").hidden = this.questions.length === 0;
    $("practise").disabled = !engine.ask;
    $("practise").textContent = this.isOpen ? words.close : words.open(this.questions.length);
    if (this.isOpen) this.show();
  },

  toggle() {
    document.body.classList.toggle("asking");
    if (this.isOpen) this.open(); else this.examiner.stop();
    this.build();
    scrollTo(0, 0);
  },

  open() {
    this.examiner ||= new Examiner($("questions"), {
      done: (question, grade) => { this.grades.set(question, grade); this.show(); },
      next: () => this.next(),
      toGame: question => { this.toggle(); go(question.moves); },
    });
    const reader = data.sides.findIndex(({ name }) => name && name === readerName());
    if (reader >= 0) this.side = reader;
    if (this.asked.length === 0) this.side = null;
    this.next();
  },

  /** The first question that is not done, behind the one asked last. */
  next() {
    const asked = this.asked, from = asked.indexOf(this.examiner.question) + 1;
    const open = [...asked.slice(from), ...asked.slice(0, from)].filter(question => !this.grades.has(question));
    if (open.length === 0 && this.examiner.question) this.examiner.say(PRACTISE_WORDS[state.language].all, "right");
    else this.examiner.ask(open[0] || asked[0]);
    this.show();
  },

  choose(side) {
    this.side = side;
    setReader(side, side === null ? null : data.sides[side].name);
    if (!this.asked.includes(this.examiner.question)) this.next(); else this.show();
  },

  /** Whose questions are asked, and how each went. */
  show() {
    const words = PRACTISE_WORDS[state.language], { examiner } = this;
    const sides = [[null, words.both], ...[0, 1].map(side => [side, `${"☗☖"[side]} ${data.sides[side].name || sideName(side)}`])];
    const choice = sides.map(([side, text]) => {
      const made = element("button", { type: "button", "aria-pressed": String(this.side === side), onclick: () => this.choose(side) }, text);
      made.disabled = side !== null && !this.questions.some(question => question.side === side);
      return made;
    });
    const row = this.asked.map((question, index) => element("button", {
      type: "button", class: `mark ${this.grades.get(question) || ""}`, "aria-current": question === examiner.question && "step",
      "aria-label": `${index + 1}: ${say().move(positions[question.moves].number)}`, onclick: () => { examiner.ask(question); this.show(); },
    }, `${index + 1}`));
    $("practice").replaceChildren(element("span", {}, words.whose), ...choice, element("span", { class: "marks" }, ...row));
    examiner.show();
  },
};

builders.push(() => practice.build());
BUTTONS.practise = () => practice.toggle();

/** Keys, in the place of those of the page, which is not seen meanwhile. */
function practiseKey(event) {
  event.stopPropagation();
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("select, input, textarea")) return;
  if (event.key === "Escape") practice.toggle();
  else if (!practice.examiner.key(event.key)) return;
  event.preventDefault();
}
$("questions").addEventListener("keydown", practiseKey);
addEventListener("keydown", event => {
  // The board has keys of its own.
  if (practice.isOpen && !$("questions").contains(event.target)) practiseKey(event);
}, true);
addEventListener("DOMContentLoaded", () => engine.whenReady(() => practice.build()));
