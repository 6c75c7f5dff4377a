// The mistakes of the game, and what should have been played.
"use strict";

/** To the next move (by 1) or the one before (by -1) that was a mistake: to the position in which it was made. */
function nextMistake(by) {
  for (let at = state.node.branch.at + by; at >= 0 && at < positions.length - 1; at += by) {
    if (positions[at].played.mistake !== null) return go(at);
  }
}

function moments() {
  const rows = [];
  const add = (at, title, text, mistake) => rows.push([at, element("li", {}, element("button", { onclick: () => go(at) },
    element("b", { class: mistake === undefined ? "" : `m${mistake}` }, title), text))]);
  const moveAt = index => `${say().move(positions[index].number)} ${word(positions[index].played.move, nodes[index].turn)}`;
  for (const { moves, leader } of data.turning) {
    add(moves, say().turning, `${moveAt(moves)}${say().comma}${say().leads(sideName(leader))}`, 1);
  }
  for (const { moves, plies } of data.mates) add(moves, say().missedMate, `${moveAt(moves)}${say().comma}${say().mate(plies)}`, 2);
  for (const { moves, points, rule } of data.declarations) {
    add(moves, say().missedDeclaration, `${moveAt(moves)}${say().comma}${rule} ${say().points(points)}`, 2);
  }
  positions.forEach((position, index) => {
    const played = position.played;
    if (played && played.mistake !== null && played.mistake > 0) {
      add(index, say().mistakes[played.mistake], `${moveAt(index)}${say().comma}${say().drop(played.drop)}`, played.mistake);
    }
  });
  rows.sort((a, b) => a[0] - b[0]);
  return rows.length > 0 ? rows.map(row => row[1]) : [element("li", { class: "none" }, say().none)];
}

builders.push(() => $("moments").replaceChildren(...moments()));
ACTIONS.ArrowUp = BUTTONS["worse-back"] = () => nextMistake(-1);
ACTIONS.ArrowDown = BUTTONS["worse-forward"] = () => nextMistake(1);
