// What pages have in common: their data, what the reader chose, and how moves and scores are written.
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const $ = id => document.getElementById(id);

/** What the reader chose and made, where the browser keeps it; `set` says whether it does. */
const store = {
  get: key => { try { return localStorage.getItem("kurosabi-" + key); } catch { return null; } },
  set: (key, value) => {
    try { localStorage.setItem("kurosabi-" + key, value); return true; } catch { return false; /* no storage, or a full one */ }
  },
};

/** The notation that a language begins with: that of the page in its own language, else one that readers know. */
const notationOf = language => {
  if (language === data.language) return data.notation;
  if (language === "ja") return "japanese";
  return data.notation === "japanese" ? "western" : data.notation;
};
const initialLanguage = ["en", "ja"].find(code => code === store.get("language")) || data.language;

const state = {
  language: initialLanguage,
  notation: store.get("notation") || notationOf(initialLanguage),
  kanji: (store.get("pieces") || "kanji") === "kanji",
};
const say = () => WORDS[state.language];

/** What both sides are called: in a handicap game 先手 would be wrong, White moves first. */
const sideNames = isHandicap => isHandicap ? say().handicapSides : say().sides;

/** A move [usi, japanese, western] in the notation chosen. */
function word(move, color) {
  const mark = color === 0 ? "▲" : "△";
  switch (state.notation) {
    case "usi": return mark + move[0];
    case "western": return mark + move[2];
    case "numeric": return mark + move[2].replace(/([1-9])([a-i])/g, (_, file, rank) => file + (rank.charCodeAt(0) - 96));
    default: return move[1];
  }
}

/** A score [kind, number] from Black's view. */
function scoreText(score) {
  if (!score) return "";
  const [kind, number] = score;
  const sign = number < 0 || Object.is(number, -0) ? "-" : "+";
  if (kind === "mate") return number === 0 ? say().mated : `${sign}${say().mate(Math.abs(number))}`;
  if (kind === "rule") return number > 0 ? `+${say().win}` : `-${say().loses}`;
  return state.language === "ja" ? `${sign}${Math.abs(number)}` : `${sign}${(Math.abs(number) / 100).toFixed(2)}`;
}

/** An element; functions among the attributes listen to events (`onclick`), `null` and `false` leave one out. */
function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (typeof value === "function") made.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

function svg(name, attributes, children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
  made.append(...children || []);
  return made;
}

/** The other language, with moves written as its readers know them. */
function setLanguage() {
  state.language = state.language === "ja" ? "en" : "ja";
  state.notation = notationOf(state.language);
  store.set("language", state.language);
  store.set("notation", "");
}

function setTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  store.set("theme", root.dataset.theme);
}
if (store.get("theme")) document.documentElement.dataset.theme = store.get("theme");
