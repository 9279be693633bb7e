// Quality: the stored evaluations of search, and what changed between two of them, question by question.

import { call, get, path } from "../api.js";
import { badge, button, empty, field, fill, input, notice, plural, select, table, time } from "../controls.js";
import { askBefore } from "../dialog.js";
import { element, heading, replace } from "../element.js";
import { commandLine, curlLine } from "../equivalents.js";

const SEARCH = "search";
const figure = (value) => value.toFixed(3);
const estimate = ({ mean, low, high }) => `${figure(mean)} (${figure(low)} to ${figure(high)})`;
const titleOf = (each) => `${each.name}, ${new Date(each.created_at).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" })}`;

/** Return the figures of the search itself; other rows are rankings beside it. */
function searchRow(each) {
  return each.rows.find((row) => row.ranked_by === SEARCH) ?? each.rows[0];
}

function listView(context, { evaluations }, redraw) {
  if (evaluations.length === 0) {
    return empty("No evaluation yet", "Write questions with the documents that answer them, then run:",
      element("code", {}, `groundwire eval samples/questions --tenant ${context.tenant} --collection handbook`));
  }
  const remove = (each) => askBefore({ title: `Delete the evaluation ${titleOf(each)}`, action: "Delete", isDangerous: true,
    preview: () => element("p", {}, `Its figures and its ${plural(each.questions, "question")} are deleted. Documents stay as they are.`),
    act: async () => { await call("DELETE", path`evaluations/${each.id}`); redraw(); } });
  return table("Evaluations", ["Evaluation", "Searched", "Questions", "nDCG@10", "Recall@100", "MRR@10", "Actions"], evaluations.map((each) => {
    const row = searchRow(each);
    return [element("a", { href: `#/quality/${encodeURIComponent(each.id)}` }, titleOf(each)),
      `${each.collection ?? "every collection"}, ${plural(each.documents, "document")}`, each.questions,
      estimate(row.ndcg_at_10), estimate(row.recall_at_100), estimate(row.mrr_at_10),
      button("Delete", () => remove(each), { kind: "small", "aria-label": `Delete ${titleOf(each)}` })];
  }));
}

function facts(each) {
  const rows = [["Run", time(each.created_at)], ["By", each.operator], ["Collection", each.collection ?? "all"], ["Model", each.model],
    ["Searched", `${plural(each.documents, "document")}, ${plural(each.segments, "passage")}`], ["Weight of words", each.bm25_weight],
    ["Judgements", each.qrels]].filter(([, value]) => value !== null && value !== undefined);
  return element("dl", {}, rows.map(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
}

function comparisonView(found) {
  const { change } = found;
  const isSure = change.low > 0 || change.high < 0;
  return [
    found.gate === null ? null : notice(found.gate.passed ? `The gate passes: the mean fell by at most ${found.gate.max_loss}.`
      : `The gate does not pass: the mean fell by more than ${found.gate.max_loss}.`, found.gate.passed ? "good" : "bad"),
    element("p", {}, `nDCG@10 changed by ${estimate(change)} over ${plural(found.questions, "question")}. `
      + `${found.better} better, ${found.worse} worse, ${found.equal} equal. `
      + `${isSure ? "The interval does not include 0" : "The interval includes 0, so it may be chance"} (p = ${figure(found.p)}).`),
    found.unmatched > 0 ? element("p", { class: "quiet" }, `Only one of the two has ${plural(found.unmatched, "question")}.`) : null,
    table("Differences by question", ["Question", "Before", "After", "Difference"], found.differences.map((each) => {
      const difference = each.after - each.before;
      return [each.text, figure(each.before), figure(each.after),
        badge(`${difference > 0 ? "+" : ""}${figure(difference)}`, difference < 0 ? "bad" : difference > 0 ? "good" : "")];
    })),
  ];
}

/** Return the form that compares an evaluation with another one. */
function comparison(context, each, others) {
  if (others.length === 0) return element("p", { class: "quiet" }, "There is no other evaluation to compare it with.");
  const other = select(others.map((one) => [one.id, titleOf(one)]), others[0].id);
  const loss = input({ placeholder: "0.02", inputmode: "decimal" });
  const result = element("div", { class: "rows", "aria-live": "polite" });
  const send = (event) => {
    event.preventDefault();
    const values = { earlier: other.value, max_loss: loss.value.trim() };
    const route = path`evaluations/${each.id}/comparison`;
    context.equivalents.show([{ command: commandLine(["evaluation", "compare", each.id, other.value],
      { "max-loss": values.max_loss, tenant: context.tenant }), curl: curlLine("GET", route, { values }) }]);
    fill(result, () => get(route, values), comparisonView);
  };
  return [element("form", { class: "card", onsubmit: send }, element("div", { class: "fields" }, field("Earlier evaluation", other),
    field("Gate: largest loss (optional)", loss, "The gate passes if the mean of nDCG@10 fell by at most this.")),
  element("div", { class: "actions" }, button("Compare", null, { kind: "primary", type: "submit" }))), result];
}

function evaluationView(context, { evaluation, per_question: questions }, others) {
  const score = (each) => each.scores[SEARCH] ?? Object.values(each.scores)[0];
  const worst = [...questions].sort((one, two) => score(one).ndcg_at_10 - score(two).ndcg_at_10);
  return [
    element("div", { class: "card" }, facts(evaluation)),
    table("Figures by ranking", ["Ranked by", "nDCG@10", "Recall@100", "MRR@10"], evaluation.rows.map((row) =>
      [row.ranked_by, estimate(row.ndcg_at_10), estimate(row.recall_at_100), estimate(row.mrr_at_10)])),
    element("h2", {}, "Compare"), comparison(context, evaluation, others),
    element("h2", {}, "Questions, the worst first"),
    table("Questions", ["Question", "nDCG@10", "Recall@100", "First documents"], worst.map((each) => [
      each.text, figure(score(each).ndcg_at_10), figure(score(each).recall_at_100),
      element("span", {}, each.top.slice(0, 3).map((id) => element("div", {}, element("a", { href: `#/documents/${encodeURIComponent(id)}` }, id))))])),
  ];
}

export const qualityScreen = {
  id: "quality",
  title: "Quality",
  scopes: ["admin"],
  render(place, context, [id]) {
    const body = element("div", { class: "rows" });
    const again = () => this.render(place, context, [id]);
    replace(place, id === undefined ? null : element("p", {}, element("a", { href: "#/quality" }, "← All evaluations")), heading(1, "Quality"),
      element("p", { class: "lead" }, "How well the search finds the documents that answer your own questions."), body);
    if (id === undefined) {
      context.equivalents.show([{ command: commandLine(["evaluation", "list"], { tenant: context.tenant }), curl: curlLine("GET", "evaluations") }]);
      return fill(body, () => get("evaluations"), (answer) => listView(context, answer, again));
    }
    const route = path`evaluations/${id}`;
    context.equivalents.show([{ command: commandLine(["evaluation", "show", id], { tenant: context.tenant }), curl: curlLine("GET", route) }]);
    return fill(body, async () => [await get(route), (await get("evaluations")).evaluations], ([answer, all]) =>
      evaluationView(context, answer, all.filter((each) => each.id !== id)));
  },
};
