// The list of games.
"use strict";

const TEXT = {
  en: { title: "Games", trainer: "Find the missed moves", other: "日本語", count: n => `${n} games`,
    head: ["Game", "Black", "White", "Result", "Moves", "Black %", "White %", "Win rate", "? / ??"] },
  ja: { title: "対局一覧", trainer: "次の一手（悪手と詰み逃しの復習）", other: "English", count: n => `${n}局`,
    head: ["棋譜", "先手", "後手", "結果", "手数", "先手 %", "後手 %", "勝率", "悪手"] },
};
let order = [0, 1];

const percent = number => number === null ? "" : number.toFixed(0);
const VALUES = [
  row => row.file, row => row.black, row => row.white, row => row.result[state.language], row => row.moves,
  row => row.accuracy[0] ?? -1, row => row.accuracy[1] ?? -1, row => row.rates.at(-1) ?? .5, row => row.mistakes,
];
const NUMBERS = [4, 5, 6, 8];

function spark(rates) {
  const points = rates.map((rate, index) => `${(index / Math.max(1, rates.length - 1) * 100).toFixed(1)},${(30 - rate * 30).toFixed(1)}`);
  const drawing = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  drawing.setAttribute("viewBox", "0 0 100 30");
  drawing.setAttribute("preserveAspectRatio", "none");
  drawing.setAttribute("class", "spark");
  drawing.innerHTML = `<rect width="100" height="30" fill="var(--white-area)"/>` +
    `<polygon points="0,30 ${points.join(" ")} 100,30" fill="var(--black-area)"/>` +
    `<line x1="0" x2="100" y1="15" y2="15" stroke="var(--accent)" stroke-width=".6"/>`;
  return drawing;
}

function cell(index, ...content) {
  const made = document.createElement("td");
  if (NUMBERS.includes(index)) made.className = "number";
  made.append(...content);
  return made;
}

/** Columns that say nothing of any game: names and results that records do not hold. */
const isEmpty = index => [1, 2, 3].includes(index) && data.games.every(row => !VALUES[index](row));

function build() {
  const words = TEXT[state.language];
  document.documentElement.lang = state.language;
  document.title = words.title;
  $("title").textContent = words.title;
  $("about").textContent = words.count(data.games.length);
  $("language").textContent = words.other;
  $("trainer").textContent = words.trainer;
  $("trainer").hidden = !data.trainer;
  const shown = cells => cells.filter((_, index) => !isEmpty(index));
  $("head").replaceChildren(...shown(words.head.map((text, index) => {
    const made = document.createElement("th");
    if (NUMBERS.includes(index)) made.className = "number";
    made.textContent = text + (order[0] === index ? (order[1] > 0 ? " ▲" : " ▼") : "");
    made.addEventListener("click", () => { order = [index, order[0] === index ? -order[1] : 1]; build(); });
    return made;
  })));
  const [column, sign] = order;
  const value = VALUES[column];
  const compare = (a, b) => typeof value(a) === "number" ? value(a) - value(b) : String(value(a)).localeCompare(value(b), state.language, { numeric: true });
  $("games").replaceChildren(...[...data.games].sort((a, b) => sign * compare(a, b)).map(row => {
    const made = document.createElement("tr");
    const link = document.createElement("a");
    link.href = encodeURIComponent(row.file);
    link.textContent = row.file.replace(/\.html$/, "");
    made.append(...shown([cell(0, link), cell(1, row.black), cell(2, row.white), cell(3, row.result[state.language]),
      cell(4, row.moves), cell(5, percent(row.accuracy[0])), cell(6, percent(row.accuracy[1])), cell(7, spark(row.rates)),
      cell(8, row.mistakes)]));
    return made;
  }));
}

$("language").addEventListener("click", () => { setLanguage(); build(); });
$("theme").addEventListener("click", setTheme);
build();
