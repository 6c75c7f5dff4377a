// The mistakes of the game, and what should have been played: the game's line and the better one beside each other.
"use strict";

/** Mates and declarations that were missed, by the moves made before. */
const missed = new Map();
for (const { moves, plies } of data.mates) missed.set(moves, { title: () => say().missedMate, text: () => say().mate(plies), lesson: () => say().lesson.mate(plies) });
for (const { moves, rule, points } of data.declarations) {
  missed.set(moves, { title: () => say().missedDeclaration, text: () => say().declared(rule, points), lesson: () => say().lesson.declaration(rule, points) });
}
const turning = new Map(data.turning.map(({ moves, leader }) => [moves, leader]));

/** Where something is to be learnt, by the moves made before. */
const lessons = positions.flatMap(({ played }, at) => played && (played.mistake !== null || missed.has(at)) ? [at] : []);

/** Whose mistakes the reader wants to see: 0 for Black, 1 for White, null for both. A player is known again by name. */
function whoseChosen() {
  try {
    const { color, name } = JSON.parse(store.get("whose")) || {};
    const named = data.sides.findIndex(side => name && side.name === name);
    return named >= 0 ? named : color === 0 || color === 1 ? color : null;
  } catch { return null; }
}
let whose = whoseChosen();

function setWhose(color) {
  whose = color;
  store.set("whose", JSON.stringify({ color, name: color === null ? null : data.sides[color].name }));
  $("whose").value = String(color);
  show();
}

const wanted = () => lessons.filter(at => whose === null || nodes[at].turn === whose);

/** The mistake that the position belongs to: the next move is one, or the last. */
function lessonHere() {
  const { at } = state.node;
  if (at === null) return null;
  const own = wanted();
  return [at, at - 1].find(at => own.includes(at)) ?? [at, at - 1].find(at => lessons.includes(at)) ?? null;
}

/** To the next mistake (by 1) or the one before (by -1): to the position in which it was made. */
function nextMistake(by) {
  const here = state.node.branch.at;
  const next = by > 0 ? wanted().find(at => at > here) : wanted().findLast(at => at < here);
  if (next !== undefined) go(next);
}

/** What a move lost: of the chance to win, or in points where that says nothing. */
const lostBy = ({ drop, loss }) => data.in_points ? say().lost(loss) : say().drop(drop);

function mistakeChip(at) {
  const { played } = positions[at];
  return element("span", { class: `chip m${played.mistake}` }, `${say().mistakes[played.mistake]} ${lostBy(played)}`);
}

/** One of the two lines, to be played out. */
function lessonLine(at, title, kind, moves, score) {
  const words = lineWords(nodes[at], moves, kind);
  if (words.length === 0) words.push(element("b", {}, say().declare));
  return element("div", { class: `way-of ${kind}` }, element("h3", {}, `${title} `, element("small", {}, scoreText(score))),
    element("div", { class: "words" }, ...words));
}

/** What the mistake cost, in words. */
function lessonText(at) {
  const { played, rate, score } = positions[at], { turn } = nodes[at], words = say().lesson;
  const text = missed.has(at) ? [missed.get(at).lesson()] : [];
  if (data.in_points) {
    if (played.loss > 0) text.push(words.points(sideName(turn), played.loss, scoreText(score), scoreText(positions[at + 1].score)));
  } else if (rate !== null && played.drop >= .01) {
    const from = turn === 0 ? rate : 1 - rate, percent = share => (100 * share).toFixed(0);
    text.push(words.rate(sideName(turn), percent(from), percent(Math.max(0, from - played.drop))));
  }
  if (played.level !== null) text.push(words.level(played.level));
  return text.join(state.language === "ja" ? "" : " ");
}

function lessonRows(at) {
  const { played, lines } = positions[at], after = positions[at + 1];
  const better = lines.find(line => !line.moves[0] || line.moves[0][0] !== played.move[0]);
  const title = element("p", { class: "mistake" }, element("b", {}, `${say().move(nodes[at].number)} ${word(played.move, nodes[at].turn)} `));
  if (played.mistake !== null) title.append(mistakeChip(at));
  const reply = after.lines[0] ? after.lines[0].moves : [];
  return [title, element("p", {}, lessonText(at)), element("div", { class: "both" },
    lessonLine(at, say().lesson.played, "played", [played.move, ...reply], after.score),
    better ? lessonLine(at, say().lesson.better, "better", better.moves, better.score) : element("p", { class: "none" }, say().lesson.none))];
}

function showLesson() {
  const own = wanted(), at = lessonHere(), words = say().lesson, here = state.node.branch.at;
  const rank = own.indexOf(at);
  $("lesson-count").textContent = own.length === 0 ? "" : rank >= 0 ? words.count(rank + 1, own.length) : String(own.length);
  const rows = at === null ? [] : lessonRows(at);
  const next = own.find(at => at > here);
  if (next !== undefined) {
    rows.push(element("button", { id: "next-mistake", "data-key": "next-mistake", onclick: () => go(next) }, `${next === own[0] ? words.first : words.next} ›`));
  } else if (at === null) {
    rows.push(element("p", { class: "none" }, own.length === 0 ? words.clean : words.ended));
  }
  $("lesson").replaceChildren(...rows);
}

/** Each moment once, with all that made it one. */
function moments() {
  const places = lessons.filter(at => missed.has(at) || positions[at].played.mistake > 0).concat([...turning.keys()]);
  return [...new Set(places)].sort((a, b) => a - b).map(at => {
    const { played } = positions[at], chips = [];
    if (played.mistake !== null) chips.push(mistakeChip(at));
    if (missed.has(at)) chips.push(element("span", { class: "chip m2" }, `${missed.get(at).title()}${say().comma}${missed.get(at).text()}`));
    if (turning.has(at)) chips.push(element("span", { class: "chip" }, `${say().turning}${say().comma}${say().leads(sideName(turning.get(at)))}`));
    return element("li", {}, element("button", { onclick: () => go(at) },
      element("span", {}, `${say().move(nodes[at].number)} ${word(played.move, nodes[at].turn)}`), ...chips));
  });
}

function buildLesson() {
  const rows = moments();
  $("moments").replaceChildren(...rows);
  $("moments").parentElement.hidden = rows.length === 0;
  const choices = [["null", say().lesson.both], ...[0, 1].map(color => [String(color), `${"☗☖"[color]} ${data.sides[color].name || sideName(color)}`])];
  $("whose").replaceChildren(...choices.map(([value, text]) => element("option", { value }, text)));
  $("whose").value = String(whose);
}

builders.push(buildLesson);
views.push(showLesson);
$("whose").addEventListener("change", event => setWhose(event.target.value === "null" ? null : Number(event.target.value)));
ACTIONS.ArrowUp = BUTTONS["worse-back"] = () => nextMistake(-1);
ACTIONS.ArrowDown = BUTTONS["worse-forward"] = () => nextMistake(1);
ACTIONS.m = () => setWhose({ null: 0, 0: 1, 1: null }[whose]);
