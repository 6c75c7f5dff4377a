// What the page says, in both languages.
"use strict";

const WORDS = {
  en: {
    other: "日本語", graph: side => `${side}'s chance to win`, variation: "variation",
    headings: { lesson: "The mistake", lines: "Best lines", variations: "Variations of the record", moments: "Key moments", moves: "Moves" },
    accuracy: "accuracy", loss: cp => `mean loss ${(cp / 100).toFixed(2)} pawns`, best: (n, all) => `best move ${n} of ${all}`,
    mistakes: ["dubious", "mistake", "blunder"], start: "Start", way: "back to the game", sides: ["Black", "White"], handicapSides: ["Black", "White"],
    turning: "Turning point", leads: side => `${side} leads from here on`, mate: n => `mate in ${n}`, mated: "mate",
    missedMate: "Missed mate", missedDeclaration: "Missed declaration", points: n => `${n} points`, none: "none",
    noLines: "The game is over here.", drop: rate => `-${(100 * rate).toFixed(0)}%`, depth: n => `depth ${n}`,
    comma: ", ", win: "win by rule", declare: "declare the win", loses: "loss by rule", check: "check", rank: n => `choice ${n}`, move: n => `move ${n}`,
    footer: "Win rates by a model fitted to the engine's own games. Keys: ← → step, ↑ ↓ mistakes, Home End, 1–9 play a line, Esc back, f flip.",
    titles: { first: "First (Home)", back: "Back (←)", forward: "Forward (→)", last: "Last (End)", flip: "Flip the board (f)",
      "worse-back": "Mistake before (↑)", "worse-forward": "Next mistake (↓)", theme: "Light or dark (t)", pieces: "Pieces (p)",
      notation: "Notation" },
    notations: { usi: "USI 7g7f", western: "Western P-7f", numeric: "Numeric P-76", japanese: "▲７六歩" },
  },
  ja: {
    other: "English", graph: side => `${side}の勝率`, variation: "変化",
    headings: { lesson: "悪手の検討", lines: "最善手順", variations: "棋譜の変化", moments: "重要局面", moves: "指し手" },
    accuracy: "正確さ", loss: cp => `平均損失 ${cp.toFixed(0)}`, best: (n, all) => `最善手 ${all}手中${n}手`,
    mistakes: ["疑問手", "悪手", "大悪手"], start: "開始局面", way: "本譜に戻る", sides: ["先手", "後手"], handicapSides: ["下手", "上手"],
    turning: "逆転", leads: side => `以後${side}優勢`, mate: n => n % 2 ? `${n}手詰` : `${n}手で詰み`, mated: "詰み",
    missedMate: "詰み逃し", missedDeclaration: "宣言逃し", points: n => `${n}点`, none: "なし",
    noLines: "ここで終局です。", drop: rate => `-${(100 * rate).toFixed(0)}%`, depth: n => `深さ${n}`,
    comma: "、", win: "ルールによる勝ち", declare: "宣言勝ち", loses: "ルールによる負け", check: "王手", rank: n => `候補${n}`, move: n => `${n}手目`,
    footer: "勝率はエンジン自身の対局から求めたものです。キー: ← → 一手、↑ ↓ 悪手、Home End、1–9 手順再生、Esc 本譜、f 盤反転。",
    titles: { first: "最初 (Home)", back: "戻る (←)", forward: "進む (→)", last: "最後 (End)", flip: "盤を反転 (f)",
      "worse-back": "前の悪手 (↑)", "worse-forward": "次の悪手 (↓)", theme: "ライト/ダーク切替 (t)", pieces: "駒の文字 (p)",
      notation: "指し手の表記" },
    notations: { usi: "USI 7g7f", western: "英語式 P-7f", numeric: "数字式 P-76", japanese: "▲７六歩" },
  },
};
