// The list of games: searched, filtered and sorted, with sums for each player.
"use strict";

const TEXT = {
  en: {
    title: "Games", trainer: "Find the missed moves", other: "日本語", theme: "Light or dark", count: (n, all) => n === all ? `${n} games` : `${n} of ${all} games`,
    search: "Search", hint: "names, event, opening, date", clear: "Clear", none: "No game fits. Clear the search or a filter.",
    filters: { player: "Player", opening: "Opening", result: "Result", sort: "Sort by" }, all: "all",
    results: { 0: "Black won", 1: "White won", none: "no winner" }, own: { won: "won", lost: "lost", none: "no winner" },
    back: "all players", up: "ascending", down: "descending", players: "Players", more: n => `Show all ${n} players`,
    columns: { game: "Game", date: "Date", event: "Event", opening: "Opening", result: "Result", moves: "Moves",
      black: "Accuracy of Black", white: "Accuracy of White", course: "Black's win rate", mistakes: "Mistakes and blunders" },
    sums: { player: "Player", games: "Games", score: "Won – lost – no winner", accuracy: "Accuracy", phase0: "in the opening",
      phase1: "in the middle game", phase2: "in the endgame", mistakes: "Mistakes and blunders a game", missed: "Mates missed",
      lead: "Leads lost", openings: "Openings played most" },
    phases: ["opening (to move 30)", "middle game", "endgame (from 5 pieces in hand)"],
    typical: "Typical mistakes", most: (phase, n) => `most mistakes and blunders in the ${phase}, ${n} per 100 moves.`, played: "Openings played",
    missed: n => `Mates missed: ${n}.`, leads: n => `Leads lost: ${n}.`, noMistakes: "none",
  },
  ja: {
    title: "対局一覧", trainer: "次の一手（悪手と詰み逃しの復習）", other: "English", theme: "ライト/ダーク切替", count: (n, all) => n === all ? `${n}局` : `${all}局中${n}局`,
    search: "検索", hint: "対局者・棋戦・戦型・日付", clear: "クリア", none: "該当する対局がありません。検索や絞り込みを解除してください。",
    filters: { player: "対局者", opening: "戦型", result: "結果", sort: "並べ替え" }, all: "すべて",
    results: { 0: "先手勝ち", 1: "後手勝ち", none: "勝敗なし" }, own: { won: "勝ち", lost: "負け", none: "勝敗なし" },
    back: "全対局者", up: "昇順", down: "降順", players: "対局者", more: n => `${n}人すべてを表示`,
    columns: { game: "対局", date: "日付", event: "棋戦", opening: "戦型", result: "結果", moves: "手数",
      black: "先手の正確さ", white: "後手の正確さ", course: "先手の勝率", mistakes: "悪手・大悪手の数" },
    sums: { player: "対局者", games: "局数", score: "勝ち・負け・勝敗なし", accuracy: "正確さ", phase0: "序盤の正確さ",
      phase1: "中盤の正確さ", phase2: "終盤の正確さ", mistakes: "1局あたりの悪手・大悪手", missed: "詰み逃し",
      lead: "逆転された回数", openings: "よく指す戦型" },
    phases: ["序盤（30手目まで）", "中盤", "終盤（持ち駒が5枚以上）"],
    typical: "間違いの傾向", most: (phase, n) => `悪手・大悪手がいちばん多いのは${phase}で、100手に${n}回です。`, played: "指した戦型",
    missed: n => `詰み逃しは${n}回です。`, leads: n => `逆転されたのは${n}回です。`, noMistakes: "なし",
  },
};
const text = () => TEXT[state.language];
const said = both => both ? both[state.language] : "";
const percent = number => number === null ? "" : `${number.toFixed(0)}%`;

/** The day in a form that can be sorted, or what the record says. */
const day = row => (row.date || "").replace(/^(\d{4})\D+(\d{1,2})\D+(\d{1,2}).*$/s, (_, year, month, date) =>
  `${year}-${month.padStart(2, "0")}-${date.padStart(2, "0")}`);
const stem = row => row.file.replace(/\.html$/, "");
/** A side's names; without any, the file's name. */
const names = row => row.black || row.white ? [row.black || "?", row.white || "?"] : [];

const COLUMNS = {
  game: { value: row => names(row).join(" ") || stem(row), show: game },
  date: { value: day, show: row => [day(row)] },
  event: { value: row => row.event || "", show: row => [row.event || ""] },
  opening: { value: row => said(row.opening), show: row => [said(row.opening), ...castles(row)] },
  result: { value: row => row.result[state.language], show: row => [row.result[state.language]] },
  moves: { value: row => row.moves, show: row => [row.moves], number: true },
  black: { value: row => row.accuracy[0], show: row => [percent(row.accuracy[0])], number: true },
  white: { value: row => row.accuracy[1], show: row => [percent(row.accuracy[1])], number: true },
  course: { value: row => row.rates.at(-1), show: row => [spark(row)] },
  mistakes: { value: row => row.mistakes, show: row => [row.mistakes], number: true },
};
/** Columns without what says nothing of any game: names and dates that records do not hold. */
const columns = Object.keys(COLUMNS).filter(id =>
  COLUMNS[id].number || data.games.some(row => COLUMNS[id].value(row) !== "" && COLUMNS[id].value(row) !== undefined));

/** What is shown, as the address keeps it. */
const view = { q: "", player: "", opening: "", result: "", sort: columns.includes("date") ? "date" : "game", down: columns.includes("date") ? "1" : "" };
for (const [name, value] of new URLSearchParams(location.hash.slice(1))) if (name in view) view[name] = value;
if (!columns.includes(view.sort)) view.sort = "game";
let showsAll = false;

function change(changes) {
  Object.assign(view, changes);
  try { history.replaceState(null, "", `#${new URLSearchParams(Object.entries(view).filter(([, value]) => value))}`); } catch { /* no address to keep it */ }
  show();
}

const sideOf = row => row.black === view.player ? 0 : 1;
const plays = (row, player) => row.black === player || row.white === player;
const texts = new Map(data.games.map(row => [row, [row.black, row.white, row.event, day(row), row.file, ...[row.opening, row.result, ...(row.sides || []).flatMap(side => [side.opening, side.castle])]
  .flatMap(both => both ? [both.en, both.ja] : [])].join("\n").normalize("NFKC").toLowerCase()]));

function fits(row) {
  if (view.player && !plays(row, view.player)) return false;
  if (view.opening && row.opening?.en !== view.opening) return false;
  if (view.result === "none" && row.winner !== null && row.winner !== undefined) return false;
  if ((view.result === "won" || view.result === "lost")
    && !(view.player && row.winner === (view.result === "won" ? sideOf(row) : 1 - sideOf(row)))) return false;
  if ((view.result === "0" || view.result === "1") && row.winner !== Number(view.result)) return false;
  return view.q.normalize("NFKC").toLowerCase().split(/\s+/).every(part => texts.get(row).includes(part));
}

function sorted(rows) {
  const { value } = COLUMNS[view.sort];
  const order = new Intl.Collator(state.language, { numeric: true });
  const isMissing = it => it === null || it === undefined || it === "";
  const compare = (a, b) => typeof a === "number" ? a - b : order.compare(a, b);
  return rows.map(row => [value(row), row]).sort(([a], [b]) => {
    // What is not known stands last either way.
    if (isMissing(a) || isMissing(b)) return isMissing(a) - isMissing(b);
    return (view.down ? -1 : 1) * compare(a, b);
  }).map(([, row]) => row);
}

function game(row) {
  const parts = names(row).map((name, side) => element(row.winner === side ? "b" : "span", null, `${side ? "☖" : "☗"} ${name} `));
  return [element("a", { href: encodeURIComponent(row.file), title: stem(row) }, ...(parts.length ? parts : [stem(row)]))];
}

/** The castles of both sides. */
function castles(row) {
  const built = (row.sides || []).flatMap((side, color) => side.castle ? [`${color ? "☖" : "☗"} ${said(side.castle)}`] : []);
  return built.length ? [element("small", null, built.join(" "))] : [];
}

function spark(row) {
  const at = (rate, index) => `${(index / Math.max(1, row.rates.length - 1) * 100).toFixed(1)},${(30 - rate * 30).toFixed(1)}`;
  const label = row.rates.length ? `${text().columns.course}: ${percent(100 * row.rates.at(-1))}` : "";
  return svg("svg", { viewBox: "0 0 100 30", preserveAspectRatio: "none", class: "spark", role: "img", "aria-label": label }, [
    svg("rect", { width: 100, height: 30, fill: "var(--white-area)" }),
    svg("polygon", { points: `0,30 ${row.rates.map(at).join(" ")} 100,30`, fill: "var(--black-area)" }),
    svg("line", { x1: 0, x2: 100, y1: 15, y2: 15, stroke: "var(--accent)", "stroke-width": .6 }),
  ]);
}

/** Rows that are made at once; the others follow when there is time. */
const AT_ONCE = 60;
let later = 0;

/** A table whose rows become cards on phones; the roles stay what they are. */
function table(label, heads, rows) {
  const kind = ({ id, number }) => `col-${id}${number ? " number" : ""}`;
  const head = heads.map(it => element("th", {
    role: "columnheader", scope: "col", class: kind(it),
    "aria-sort": it.sort && view.sort === it.id ? (view.down ? "descending" : "ascending") : null,
  }, it.sort ? element("button", { type: "button", id: `by-${it.id}`, onclick: it.sort }, it.name, element("span", { "aria-hidden": "true" },
    view.sort !== it.id ? "" : view.down ? " ▼" : " ▲")) : it.name));
  const body = element("tbody", { role: "rowgroup" });
  const add = (from, to) => body.append(...rows.slice(from, to).map(cells => element("tr", { role: "row" }, ...cells().map((content, at) =>
    element("td", { role: "cell", class: kind(heads[at]), "data-label": heads[at].name }, ...content)))));
  add(0, AT_ONCE);
  const more = from => {
    if (from >= rows.length) return;
    later = setTimeout(() => { add(from, from + AT_ONCE); more(from + AT_ONCE); });
  };
  more(AT_ONCE);
  return element("table", { role: "table", "aria-label": label },
    element("thead", { role: "rowgroup" }, element("tr", { role: "row" }, ...head)), body);
}

/** How a player, or each of both sides, has played in some games. */
function sums(player, rows) {
  const sum = { player, games: 0, won: 0, lost: 0, none: 0, phases: [0, 1, 2].map(() => ({ moves: 0, accuracy: 0, mistakes: 0 })), missed: 0, leads: 0, openings: new Map() };
  for (const row of rows) {
    const color = row.black === player ? 0 : 1;
    const side = row.sides?.[color];
    const end = row.winner === color ? "won" : row.winner === 1 - color ? "lost" : "none";
    sum.games++;
    sum[end]++;
    for (const [at, phase] of (side?.phases || []).entries()) {
      sum.phases[at].moves += phase.moves;
      sum.phases[at].accuracy += phase.accuracy;
      sum.phases[at].mistakes += phase.mistakes[1] + phase.mistakes[2];
    }
    sum.missed += side?.missed || 0;
    sum.leads += side?.lost || 0;
    if (!side?.opening) continue;
    const played = sum.openings.get(side.opening.en) || { name: side.opening, games: 0, won: 0, lost: 0, none: 0, moves: 0, accuracy: 0 };
    sum.openings.set(side.opening.en, played);
    played.games++;
    played[end]++;
    for (const phase of side.phases) { played.moves += phase.moves; played.accuracy += phase.accuracy; }
  }
  sum.openings = [...sum.openings.values()].sort((a, b) => b.games - a.games);
  sum.all = { moves: 0, accuracy: 0, mistakes: 0 };
  for (const phase of sum.phases) for (const name of Object.keys(sum.all)) sum.all[name] += phase[name];
  return sum;
}
const mean = phase => phase.moves ? percent(phase.accuracy / phase.moves) : "";
const score = sum => `${sum.won} – ${sum.lost} – ${sum.none}`;

/** All players, those of most games first. */
const players = (() => {
  const rows = new Map();
  for (const row of data.games) for (const name of new Set([row.black, row.white])) if (name) rows.set(name, [...(rows.get(name) || []), row]);
  return [...rows].map(([name, own]) => sums(name, own)).sort((a, b) => b.games - a.games || a.player.localeCompare(b.player));
})();
const SHOWN_PLAYERS = 3;
let showsPlayers = matchMedia("(min-width: 60rem)").matches;

function showPlayers() {
  const words = text();
  const place = $("players");
  place.hidden = players.length === 0;
  if (view.player) return place.replaceChildren(...player(sums(view.player, data.games.filter(row => plays(row, view.player)))));
  const heads = Object.entries(words.sums).map(([id, name]) => ({ id, name, number: id !== "player" && id !== "openings" }));
  const rows = players.slice(0, showsAll ? undefined : SHOWN_PLAYERS).map(sum => () => [
    [element("button", { type: "button", class: "name", onclick: () => { change({ player: sum.player, result: "" }); $("player").focus(); } }, sum.player)],
    [sum.games], [score(sum)], [mean(sum.all)], ...sum.phases.map(phase => [mean(phase)]),
    [sum.all.moves ? (sum.all.mistakes / sum.games).toFixed(1) : ""], [sum.missed], [sum.leads],
    [sum.openings.slice(0, 2).map(it => `${said(it.name)} (${it.games})`).join(state.language === "ja" ? "、" : ", ")],
  ]);
  const more = element("button", { type: "button", onclick: () => { showsAll = true; showPlayers(); } }, words.more(players.length));
  const list = element("details", { open: showsPlayers ? "" : null, ontoggle: event => { showsPlayers = event.target.open; } },
    element("summary", null, element("h2", null, words.players)), table(words.players, heads, rows),
    ...(rows.length < players.length ? [more] : []));
  place.replaceChildren(list);
}

/** What there is to say of one player. */
function player(sum) {
  const words = text();
  const fact = (name, value) => element("div", null, element("dt", null, name), element("dd", null, value));
  const rates = sum.phases.map(phase => phase.moves ? 100 * phase.mistakes / phase.moves : 0);
  const worst = rates.indexOf(Math.max(...rates));
  const typical = [
    ...(rates[worst] > 0 ? [words.most(words.phases[worst], rates[worst].toFixed(1))] : []),
    ...(sum.missed ? [words.missed(sum.missed)] : []), ...(sum.leads ? [words.leads(sum.leads)] : []),
  ];
  const heads = ["openings", "games", "score", "accuracy"].map((id, at) => ({ id, name: at ? words.sums[id] : words.columns.opening, number: at > 0 }));
  return [
    element("h2", null, sum.player, element("button", { type: "button", onclick: () => change({ player: "", result: "" }) }, words.back)),
    element("dl", null, fact(words.sums.games, sum.games), fact(words.sums.score, score(sum)), fact(words.sums.accuracy, mean(sum.all) || "–"),
      ...sum.phases.map((phase, at) => fact(words.sums[`phase${at}`], mean(phase) || "–"))),
    element("p", null, element("b", null, `${words.typical}: `), typical.join(" ") || words.noMistakes),
    ...(sum.openings.length ? [table(words.played, heads, sum.openings.map(it => () => [[said(it.name)], [it.games], [score(it)], [mean(it)]]))] : []),
  ];
}

function showFilters() {
  const words = text();
  const choice = (name, options, extra) => element("label", null, words.filters[name],
    element("select", { id: name, onchange: event => change({ [name]: event.target.value, ...extra }) },
      ...options.map(([value, label]) => Object.assign(element("option", { value }, label), { selected: view[name] === value }))));
  const everything = [["", words.all]];
  const openings = new Map();
  for (const row of data.games) if (row.opening) openings.set(row.opening.en, [row.opening, (openings.get(row.opening.en)?.[1] || 0) + 1]);
  const byCount = [...openings].sort((a, b) => b[1][1] - a[1][1]).map(([en, [name, n]]) => [en, `${said(name)} (${n})`]);
  const results = view.player ? words.own : words.results;
  $("filters").replaceChildren(
    element("label", { class: "search" }, words.search, element("input", { id: "q", type: "search", placeholder: words.hint, value: view.q,
      oninput: event => change({ q: event.target.value }) })),
    ...(players.length ? [choice("player", [...everything, ...players.map(sum => [sum.player, `${sum.player} (${sum.games})`])], { result: "" })] : []),
    ...(openings.size ? [choice("opening", [...everything, ...byCount])] : []),
    choice("result", [...everything, ...Object.entries(results)]),
    choice("sort", columns.map(id => [id, words.columns[id]])),
    element("button", { type: "button", id: "down", "aria-label": view.down ? words.down : words.up, title: view.down ? words.down : words.up,
      onclick: () => change({ down: view.down ? "" : "1" }) }, view.down ? "▼" : "▲"),
    element("button", { type: "button", id: "clear", onclick: () => change({ q: "", player: "", opening: "", result: "" }) }, words.clear));
}

function show() {
  const words = text();
  clearTimeout(later);
  const rows = sorted(data.games.filter(fits));
  $("about").textContent = words.count(rows.length, data.games.length);
  // The field that is being written in stays.
  const focus = document.activeElement?.id || "";
  if (focus !== "q") showFilters();
  showPlayers();
  const heads = columns.map(id => ({ id, name: words.columns[id], number: COLUMNS[id].number,
    sort: () => change({ sort: id, down: view.sort === id && !view.down ? "1" : "" }) }));
  $("list").replaceChildren(element("h2", null, words.title), rows.length
    ? table(words.title, heads, rows.map(row => () => columns.map(id => COLUMNS[id].show(row)))) : element("p", null, words.none));
  if (focus && focus !== "q") $(focus)?.focus();
}

function build() {
  const words = text();
  document.documentElement.lang = state.language;
  document.title = words.title;
  $("title").textContent = words.title;
  $("language").textContent = words.other;
  $("trainer").textContent = words.trainer;
  $("trainer").hidden = !data.trainer;
  $("language").lang = state.language === "ja" ? "en" : "ja";
  $("theme").title = words.theme;
  $("theme").setAttribute("aria-label", words.theme);
  show();
}

$("filters").addEventListener("submit", event => event.preventDefault());
$("language").addEventListener("click", () => { setLanguage(); build(); });
$("theme").addEventListener("click", setTheme);
build();
