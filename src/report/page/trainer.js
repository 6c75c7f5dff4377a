// The page of questions from many games: which is asked when, by how it went before.
"use strict";

const TRAINER_WORDS = {
  en: {
    title: "Find the move", counts: (due, fresh, all) => `${due} due, ${fresh} new, ${all} in all`,
    player: "Moves of", everybody: "all players", unnamed: "players without a name", kind: "Questions",
    kinds: { all: "all", mate: "missed mates", move: "better moves" },
    idle: when => `Nothing is due now${when && `; the next question is due ${when}`}.`, anyway: "Practise all the same", none: "There are no such questions.",
    game: (players, number) => `${players}, move ${number}`, minutes: n => `in ${n} minutes`, hours: n => `in ${n} hours`, days: n => `in ${n} days`,
    progress: "Progress", about: "How each question went is kept in this browser alone. A question comes again after 1, 3, 7, 16, 35 and 90 days while it is found at once, after a day where it took a second try, and after ten minutes where the solution was shown. As text it can be taken to another browser.",
    kept: "Progress as text", write: "Write it here", read: "Take over from here", forget: "Forget all", written: "Copy the text.",
    notKept: "This browser does not keep your progress: its storage is full or off. Write it as text and keep that.",
    taken: n => `Taken over: ${n} questions.`, unreadable: "This is no progress of this page.", forgotten: "All progress is forgotten.", sure: "Forget all progress?",
  },
  ja: {
    title: "次の一手", counts: (due, fresh, all) => `復習${due}問、新しい問題${fresh}問、全${all}問`,
    player: "対局者", everybody: "全員", unnamed: "名前のない対局者", kind: "問題",
    kinds: { all: "すべて", mate: "詰み逃し", move: "悪手" },
    idle: when => `いま復習する問題はありません${when && `。次の復習は${when}です`}。`, anyway: "続けて解く", none: "該当する問題はありません。",
    game: (players, number) => `${players} ${number}手目`, minutes: n => `${n}分後`, hours: n => `${n}時間後`, days: n => `${n}日後`,
    progress: "進み具合", about: "結果は、このブラウザーだけに保存されます。一度で正解した問題は1、3、7、16、35、90日後、二度目で正解した問題は翌日、答えを見た問題は10分後に、もう一度出題します。テキストとして、別のブラウザーに移すこともできます。",
    kept: "進み具合のテキスト", write: "ここに書き出す", read: "ここから取り込む", forget: "すべて消す", written: "テキストをコピーしてください。",
    notKept: "このブラウザーには進み具合を保存できません（保存領域がいっぱいか、無効です）。テキストに書き出して保管してください。",
    taken: n => `${n}問の進み具合を取り込みました。`, unreadable: "このページの進み具合ではありません。", forgotten: "進み具合をすべて消しました。", sure: "進み具合をすべて消しますか。",
  },
};

const MINUTE = 60_000, DAY = 24 * 60 * MINUTE;
/** After how many days a question comes again that was found at once, the more often, the later. */
const DAYS = [1, 3, 7, 16, 35, 90];
const PROGRESS = "kurosabi progress 1";

/** How questions went, by position: [how often in turn at once, when due]. */
const progress = {
  cards: {},
  /** What this page read or wrote last. */
  kept: null,
  /** Whether the browser keeps it. */
  isKept: true,

  /** Takes what the browser keeps, where another page has changed it. */
  load() {
    const kept = store.get("progress");
    if (kept !== this.kept) [this.kept, this.cards] = [kept, this.parse(kept || "") || this.cards];
  },

  save() {
    this.isKept = store.set("progress", this.text);
    this.kept = store.get("progress");
  },

  get text() {
    return [PROGRESS, ...Object.entries(this.cards).map(([key, [times, due]]) => `${times} ${new Date(due).toISOString()} ${key}`)].join("\n");
  },

  /** Null where the text is something else; lines that are damaged are left out. */
  parse(text) {
    const [first, ...lines] = text.trim().split(/\r?\n/);
    if (first !== PROGRESS) return null;
    const cards = {};
    for (const line of lines) {
      const [times, due, ...key] = line.split(" ");
      if (key.length === 3 && /^\d+$/.test(times) && !Number.isNaN(Date.parse(due))) cards[key.join(" ")] = [Number(times), Date.parse(due)];
    }
    return cards;
  },

  take(key, grade) {
    this.load();
    const [times] = this.cards[key] || [0], now = Date.now();
    if (grade === "right") this.cards[key] = [times + 1, now + DAYS[Math.min(times, DAYS.length - 1)] * DAY];
    else this.cards[key] = [0, now + (grade === "late" ? DAY : 10 * MINUTE)];
    this.save();
  },

  /** Adds what another browser kept; of a question that both know, what is due later. */
  add(cards) {
    this.load();
    for (const [key, card] of Object.entries(cards)) {
      if (!this.cards[key] || this.cards[key][1] < card[1]) this.cards[key] = card;
    }
    this.save();
  },
};

/** Board, turn and hands: the same position of two games is one question. */
const keyOf = question => question.position.split(" ").slice(1, 4).join(" ");
const numberOf = question => Number(question.position.split(" ")[4]);
const sideOf = question => question.position.split(" ")[2] === "w" ? 1 : 0;
const nameOf = question => question.players[sideOf(question)] || "";

const questions = [...new Map(data.questions.map(question => [keyOf(question), question])).values()];

const trainer = {
  examiner: null,
  player: readerName(),
  kind: "all",
  words() { return TRAINER_WORDS[state.language]; },

  get asked() {
    const isKind = { all: () => true, mate: ({ mate }) => mate, move: ({ mate }) => !mate }[this.kind];
    return questions.filter(question => isKind(question) && (this.player === null || nameOf(question) === this.player));
  },

  dueOf(question) { return (progress.cards[keyOf(question)] || [0, null])[1]; },

  /** What comes next: what is due longest, then what is new. */
  next(anyway = false) {
    const asked = this.asked.filter(question => question !== this.examiner.question || this.asked.length === 1);
    const seen = asked.filter(question => this.dueOf(question) !== null).sort((a, b) => this.dueOf(a) - this.dueOf(b));
    const due = seen.filter(question => this.dueOf(question) <= Date.now());
    const next = due[0] || asked.find(question => this.dueOf(question) === null) || (anyway ? seen[0] : null);
    this.idle = next ? null : seen;
    if (next) this.examiner.ask(next);
    this.show();
  },

  done(question, grade) {
    progress.take(keyOf(question), grade);
    this.show();
  },

  /** When the first of these is due, in words. */
  when(seen) {
    if (seen.length === 0) return "";
    const minutes = Math.max(1, Math.ceil((this.dueOf(seen[0]) - Date.now()) / MINUTE)), words = this.words();
    if (minutes < 100) return words.minutes(minutes);
    return minutes < 48 * 60 ? words.hours(Math.round(minutes / 60)) : words.days(Math.round(minutes / 60 / 24));
  },

  show() {
    const words = this.words(), { asked, examiner } = this, now = Date.now();
    const due = asked.filter(question => this.dueOf(question) !== null && this.dueOf(question) <= now).length;
    const fresh = asked.filter(question => this.dueOf(question) === null).length;
    $("about").textContent = words.counts(due, fresh, asked.length);
    $("not-kept").textContent = progress.isKept ? "" : words.notKept;
    $("idle").hidden = !this.idle;
    $("questions").hidden = Boolean(this.idle) || !examiner.question;
    if (this.idle) {
      const anyway = element("button", { onclick: () => this.next(true) }, words.anyway);
      $("idle").replaceChildren(...(asked.length === 0 ? [words.none] : [words.idle(this.when(this.idle)), " ", anyway]));
    } else if (examiner.question) {
      examiner.show();
    }
  },

  /** The game, with its page where there is one. */
  gameOf(question) {
    const { players, source, moves, handicap } = question, sides = sideNames(handicap);
    const named = this.words().game(players.map((name, side) => `${"☗☖"[side]} ${name || sides[side]}`).join(" "), numberOf(question));
    return data.index ? element("a", { href: `${encodeURIComponent(source)}#${moves}` }, named) : `${named} (${source})`;
  },

  build() {
    const words = this.words(), common = say();
    document.documentElement.lang = state.language;
    document.title = words.title;
    $("language").textContent = common.other;
    for (const id of ["theme", "pieces", "notation"]) $(id).title = common.titles[id];
    $("notation").setAttribute("aria-label", common.titles.notation);
    $("theme").setAttribute("aria-label", common.titles.theme);
    const texts = { title: words.title, "player-label": words.player, "kind-label": words.kind, "progress-title": words.progress,
      "progress-about": words.about, "kept-label": words.kept, write: words.write, read: words.read, forget: words.forget };
    for (const [id, text] of Object.entries(texts)) $(id).textContent = text;
    const options = (id, rows, chosen) => {
      $(id).replaceChildren(...rows.map(([value, text]) => element("option", { value }, text)));
      $(id).value = chosen;
    };
    options("notation", Object.entries(common.notations), state.notation);
    options("kind", Object.entries(words.kinds), this.kind);
    const counts = new Map();
    questions.forEach(question => counts.set(nameOf(question), (counts.get(nameOf(question)) || 0) + 1));
    const names = [...counts].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0], state.language));
    options("player", [["*", `${words.everybody} (${questions.length})`],
      ...names.map(([name, count]) => [`=${name}`, `${name || words.unnamed} (${count})`])], this.player === null ? "*" : `=${this.player}`);
    this.show();
  },

  listen() {
    const said = text => { $("kept-said").textContent = text; };
    const clicks = {
      language: () => { setLanguage(); this.build(); },
      theme: setTheme,
      pieces: () => { state.kanji = !state.kanji; store.set("pieces", state.kanji ? "kanji" : "letters"); this.show(); },
      write: () => { $("kept").value = progress.text; $("kept").select(); said(this.words().written); },
      read: () => {
        const cards = progress.parse($("kept").value);
        if (!cards) return said(this.words().unreadable);
        progress.add(cards);
        said(this.words().taken(Object.keys(cards).length));
        this.show();
      },
      forget: () => {
        if (!confirm(this.words().sure)) return;
        progress.cards = {};
        progress.save();
        said(this.words().forgotten);
        this.show();
      },
    };
    for (const [id, click] of Object.entries(clicks)) $(id).addEventListener("click", click);
    const changes = {
      notation: value => { state.notation = value; store.set("notation", value); this.build(); },
      kind: value => { this.kind = value; this.next(); },
      player: value => { this.player = value === "*" ? null : value.slice(1); setReader(null, this.player); this.next(); },
    };
    for (const [id, change] of Object.entries(changes)) $(id).addEventListener("change", event => change(event.target.value));
    addEventListener("keydown", event => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("select, input, textarea")) return;
      if (this.examiner.question && !this.idle && this.examiner.key(event.key)) event.preventDefault();
    });
  },

  start() {
    progress.load();
    if (!questions.some(question => nameOf(question) === this.player)) this.player = null;
    this.examiner = new Examiner($("questions"), {
      done: (question, grade) => this.done(question, grade),
      next: () => this.next(),
      gameOf: question => this.gameOf(question),
    });
    this.listen();
    this.next();
    this.build();
  },
};

addEventListener("DOMContentLoaded", () => {
  $("home").hidden = !data.index;
  $("idle").hidden = false;
  $("idle").textContent = QUESTION_WORDS[state.language].noEngine;
  engine.whenReady(() => trainer.start());
});
