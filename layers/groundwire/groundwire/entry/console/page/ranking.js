// The ranking as a picture: the rank of each passage by words, by meaning, fused, and in the answer.

import { badge, fill, freshId, plural, table } from "./controls.js";
import { element, shape } from "./element.js";

const COLUMN = 76;
const ROW = 26;
const LEFT = 54;
const TOP = 34;
const RADIUS = 10;
const LEAST_ROWS = 3;
const MOST_ROWS = 10;

/** Return the best rank of a passage in one of the two searches, over all phrases. */
function bestRank(passage, name) {
  const ranks = passage.why.phrases.map((phrase) => phrase[name]).filter((rank) => rank !== null);
  return ranks.length === 0 ? null : Math.min(...ranks);
}

/** Return the steps that this search had, each with the rank that it gave a passage; null: not among its candidates. */
function stepsOf(passages) {
  const steps = [
    ["words", (passage) => bestRank(passage, "bm25_rank")],
    ["meaning", (passage) => bestRank(passage, "vector_rank")],
    ["fused", (passage) => passage.why.ranks.fused],
  ];
  if (passages.some((passage) => passage.why.ranks.reranked !== null)) steps.push(["reranker", (passage) => passage.why.ranks.reranked]);
  return [...steps, ["answer", (passage) => passages.indexOf(passage) + 1]];
}

/** Return the row of a rank: its own one, the row of those further down, or the row of those that are absent. */
function rowOf(rank, ranked) {
  if (rank === null) return ranked + 2;
  return Math.min(rank, ranked + 1);
}

/** Return the places of all passages in one step. Those in a shared row are side by side. */
function placesOf(passages, rank, column, ranked) {
  const rows = passages.map((passage) => rowOf(rank(passage), ranked));
  return rows.map((row, index) => {
    const shared = rows.map((each, at) => (each === row ? at : -1)).filter((at) => at >= 0);
    const shift = (shared.indexOf(index) - (shared.length - 1) / 2) * Math.min(RADIUS * 1.6, 60 / shared.length);
    return { x: LEFT + COLUMN / 2 + column * COLUMN + shift, y: TOP + (row - 1) * ROW + ROW / 2 };
  });
}

function drawing(passages, shown, steps) {
  const worst = Math.max(...steps.flatMap(([, rank]) => passages.map((passage) => rank(passage) ?? 0)));
  const ranked = Math.min(Math.max(worst, LEAST_ROWS), MOST_ROWS);
  const places = steps.map(([, rank], column) => placesOf(passages, rank, column, ranked));
  const width = LEFT + steps.length * COLUMN;
  const labels = [...Array(ranked).keys()].map((row) => String(row + 1));
  const rows = [...labels, "further", "absent"].map((label, row) =>
    shape("text", { x: LEFT - 8, y: TOP + row * ROW + ROW / 2 + 4, "text-anchor": "end" }, label));
  const columns = steps.map(([name], column) =>
    shape("text", { x: LEFT + COLUMN / 2 + column * COLUMN, y: 16, "text-anchor": "middle", class: "step" }, name));
  const lines = passages.map((passage, index) => shape("polyline", {
    points: places.map((column) => `${column[index].x},${column[index].y}`).join(" "),
    class: shown.has(passage.segment_uid) ? "way" : "way below" }));
  const dots = passages.flatMap((passage, index) => places.map((column) => shape("g", {
    class: shown.has(passage.segment_uid) ? "dot" : "dot below" },
  shape("circle", { cx: column[index].x, cy: column[index].y, r: RADIUS }),
  shape("text", { x: column[index].x, y: column[index].y + 4, "text-anchor": "middle" }, index + 1))));
  const id = freshId("ranking");
  return shape("svg", { viewBox: `0 0 ${width} ${TOP + (ranked + 2) * ROW + 6}`, class: "ranking", role: "img", "aria-labelledby": id },
    shape("title", { id }, "Ranks of each passage by step; the table below has the same numbers."), rows, columns, lines, dots);
}

/** Return the picture of an answer whose passages have explanations; `shown` has the uids of those above the floor. */
function picture(answer, shown) {
  const { passages, steps: counts } = answer;
  if (passages.length === 0) return element("p", { class: "quiet" }, "No passage to rank.");
  const steps = stepsOf(passages);
  const below = passages.filter((passage) => !shown.has(passage.segment_uid)).length;
  const relevance = (passage) => passage.relevance === null ? "unknown" : `${Math.round(passage.relevance * 100)} %`;
  return [
    element("p", { class: "quiet" }, `${plural(counts.candidates, "candidate")} that this person may read, ${counts.distinct} after near-duplicates, `
      + `${plural(shown.size, "passage")} in the answer. A number is the same passage in each column.`),
    element("div", { class: "drawing" }, drawing(passages, shown, steps)),
    below === 0 ? null : element("p", { class: "quiet" }, `Below the floor of relevance, so not in the answer: ${below} (hollow).`),
    table("Ranks of the passages", ["Passage", ...steps.slice(0, -1).map(([name]) => `By ${name}`.replace("By fused", "Fused")), "Relevance"],
      passages.map((passage, index) => [
        element("span", {}, `${index + 1}. ${passage.source_file_name} `, shown.has(passage.segment_uid) ? null : badge("below the floor", "busy")),
        ...steps.slice(0, -1).map(([, rank]) => rank(passage) ?? "absent"), relevance(passage)])),
  ];
}

/** Return a part that draws the ranking when somebody opens it; `load` gives the same search without a floor. */
export function rankingPart(answer, load) {
  const place = element("div", { class: "rows" });
  const shown = new Set(answer.passages.map((passage) => passage.segment_uid));
  let isAsked = false;
  return element("details", { class: "ranks", ontoggle: () => {
    if (isAsked) return;
    isAsked = true;
    fill(place, load, (found) => picture(found, shown));
  } }, element("summary", {}, "How the passages were ranked"), place);
}
