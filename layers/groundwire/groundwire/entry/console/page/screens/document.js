// One document: its passages, its readers and why, and what a person may decide about it.

import { call, get, path, post } from "../api.js";
import { badge, button, empty, fill, notice, plural, problem, table, time } from "../controls.js";
import { askBefore } from "../dialog.js";
import { element, heading, replace } from "../element.js";
import { commandLine, curlLine } from "../equivalents.js";
import { readersOf } from "../explanations.js";
import { auditParts } from "../listing.js";
import { pagesButton, passageText, placeOf } from "../passages.js";
import { effectView } from "../policy_form.js";
import { changeReaders, withReason } from "../readers_change.js";
import { readersView } from "./access.js";
import { readersChange } from "./runs.js";

const PASSAGES = 20;
const SHOWN_LINES = 20;

function facts(record) {
  const rows = [
    ["State", [badge(record.state), record.reason ? ` ${record.reason}` : ""]], ["Collection", record.collection], ["Id", element("code", {}, record.doc_id)],
    ["Type", `${record.type}, ${record.language}`], ["Passages", record.segments], ["Pages", record.pages],
    ["Version", `${record.version}, read by ${record.parser}`], ["Size", `${Math.ceil(record.size_bytes / 1024)} kB`], ["Path", record.source_path],
    ["Contributed by", record.contributed_by], ["First read", time(record.created_at)], ["Updated", time(record.updated_at)],
    ["Attachment of", record.parent ? element("a", { href: `#/documents/${encodeURIComponent(record.parent)}` }, record.parent) : null],
    ["Reading defects", Object.entries(record.defects).map(([name, count]) => `${name}: ${count}`).join(", ")],
    ["Metadata", Object.entries(record.metadata).map(([name, value]) =>
      `${name}: ${value !== null && typeof value === "object" && "date" in value ? value.date : value}`).join("; ")],
  ].filter(([, value]) => value !== null && value !== undefined && value !== "");
  return element("dl", {}, rows.map(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
}

/** Draw to whom passages or the file went, the latest first. */
function shownView({ calls, hasMore }, id) {
  if (calls.length === 0) return empty("Nobody yet", hasMore ? "No recent call gave content of it." : "No call in the present log gave content of it.");
  return [table("Calls that gave content of the document", ["Time", "To whom", "What", "By"], calls.map((row) => [
    time(row.time), element("span", {}, row.details?.as_user ?? row.user ?? "nobody by name", row.kid ? element("div", { class: "quiet" }, row.kid) : null),
    row.content === "original" ? "the file" : "passages", row.call ?? ""])),
  hasMore ? element("p", { class: "quiet" }, "There are older ones: ", element("a", { href: `#/audit/${encodeURIComponent(id)}` }, "search the audit log.")) : null];
}

/** Draw how the document was brought in, version by version, the latest first. */
function ingestionsView({ found, hasMore }, id) {
  const rows = found.flatMap((row) => (row.details.changes ?? []).filter((change) => change.document === id).map((change) => [
    change.version || "none", time(row.time), badge(change.status), row.details.run ? element("a", { href: `#/documents/${encodeURIComponent(row.details.run)}/run` }, "a run of groundwire ingest")
      : row.details.origin === "object" ? "the bucket" : "an upload", row.operator ?? row.user ?? "", readersChange(change) ?? (change.version > 1 ? "as before" : "")]));
  if (rows.length === 0) return empty("No ingestion in the log", "The lines of its ingestion are older than the present log.");
  return [table("Ingestions of the document", ["Version", "Time", "Outcome", "By way of", "By", "Readers"], rows),
    hasMore ? element("p", { class: "quiet" }, "There are older ones: ", element("a", { href: `#/audit/${encodeURIComponent(id)}` }, "search the audit log.")) : null];
}

class DocumentView {
  constructor(place, context, id) {
    Object.assign(this, { place, context, id, route: path`documents/${id}` });
  }

  async load() {
    try {
      this.record = await get(this.route);
    } catch (error) {
      replace(this.place, heading(1, "Document"), problem(error), element("a", { href: "#/documents" }, "All documents"));
      return;
    }
    this.draw();
  }

  equivalent(words, options, method, route, body) {
    this.context.equivalents.show([{ command: commandLine(["documents", ...words], { tenant: this.context.tenant, ...options }),
      curl: curlLine(method, route, { body }) }]);
  }

  draw() {
    const { record } = this;
    this.equivalent(["show", this.id], {}, "GET", this.route);
    const passages = element("div", { class: "rows" });
    const readers = element("div", {});
    const shown = element("div", {});
    const ingestions = element("div", {});
    replace(this.place,
      element("p", {}, element("a", { href: "#/documents" }, "← All documents")),
      heading(1, record.title || record.file), element("p", { class: "lead" }, record.file),
      element("div", { class: "pair" },
        element("section", { class: "rows" }, element("div", { class: "card" }, element("h2", {}, "Record"), facts(record)), this.policyCard()),
        element("section", { class: "rows" }, element("h2", {}, "Passages"), passages)),
      this.context.isAdmin ? [
        element("section", { class: "rows" }, element("h2", {}, "Who can read it, and through what"), readers),
        element("section", { class: "rows" }, element("h2", {}, "Who was shown it"), shown),
        element("section", { class: "rows" }, element("h2", {}, "Its ingestions"), ingestions)] : null);
    this.passages(passages, 0);
    if (this.context.isAdmin) fill(readers, () => post("access/readers", { document: this.id }), readersView);
    if (this.context.isAdmin) fill(shown, () => this.calls(), (answer) => shownView(answer, this.id));
    if (this.context.isAdmin) fill(ingestions, () => this.lines({ call: "ingest" }, (row) => row.details.changes !== undefined), (answer) => ingestionsView(answer, this.id));
  }

  /** Return the calls that gave content of this document. */
  async calls() {
    const { found, hasMore } = await this.lines({}, (row) => row.content !== null);
    return { calls: found, hasMore };
  }

  /** Return the latest lines of the audit log on this document that `isWanted` selects, and whether there are more. */
  async lines(values, isWanted) {
    const found = [];
    const isComplete = await auditParts({ document: this.id, limit: SHOWN_LINES, ...values }, (rows) => {
      found.push(...rows.filter(isWanted));
      return found.length > SHOWN_LINES;
    });
    return { found: found.slice(0, SHOWN_LINES), hasMore: !isComplete || found.length > SHOWN_LINES };
  }

  policyCard() {
    const { record } = this;
    return element("div", { class: "card" }, element("h2", {}, "Readers"),
      element("p", {}, record.readers),
      element("p", { class: "quiet" }, `Declared by ${record.policy_source}: ${readersOf(record.policy)}.`),
      record.ceiling ? notice(`Limited by ${record.ceiling.decided_by ?? "an operator"} to ${readersOf(record.ceiling.policy)}`
        + `${record.ceiling.decision_reason ? `: ${record.ceiling.decision_reason}` : "."}`) : null,
      element("div", { class: "actions" },
        button("Change the readers", () => this.changeReaders()),
        record.ceiling ? button("Lift the limit", () => this.decide("lift", "Lift the limit", record.policy)) : null,
        button("Close for everybody", () => this.decide("close", "Close", NOBODY), { kind: "danger" }),
        button("Delete", () => this.remove(), { kind: "danger" })));
  }

  async passages(place, from) {
    try {
      const answer = await get(this.route, { segments: true, from_passage: from, max_passages: PASSAGES });
      if (from === 0) replace(place);
      for (const passage of answer.passages ?? []) {
        place.append(element("article", { class: "passage" },
          element("p", { class: "place" }, `${passage.ordinal + 1}. ${placeOf(passage)}`),
          passage.text === null ? element("p", { class: "quiet" }, `${plural(passage.characters, "character")}. The text is for those who may read the document.`)
            : passageText(passage.text),
          this.record.type === "pdf" ? pagesButton(passage) : null));
      }
      if ((answer.passages ?? []).length === 0) replace(place, empty("No passages", "A document has them when it is indexed."));
      if (answer.next_passage !== null && answer.next_passage !== undefined) {
        const more = button("Show more passages", () => { more.remove(); this.passages(place, answer.next_passage); });
        place.append(more);
      }
    } catch (error) {
      replace(place, problem(error));
    }
  }

  async effect(policy) {
    if (!this.context.isAdmin) return notice(`Afterwards: ${readersOf(policy)}.`);
    return effectView(await post("access/what-if", { change: "policy", document: this.id, policy }));
  }

  async changeReaders() {
    const isDone = await changeReaders(this.context, [this.record], this.record.ceiling?.policy ?? this.record.policy);
    if (isDone !== undefined) await this.load();
  }

  async decide(verb, action, policy) {
    const route = `${this.route}/${verb}`;
    this.equivalent([verb, this.id], {}, "POST", route);
    await askBefore({ title: `${action}: ${this.record.file}`, action, asksReason: true, isDangerous: verb === "close",
      preview: () => this.effect(policy),
      act: async (reason) => { await call("POST", withReason(route, reason)); await this.load(); } });
  }

  async remove() {
    this.equivalent(["delete", this.id], {}, "DELETE", this.route);
    const gone = await askBefore({ title: `Delete ${this.record.file}`, action: "Delete", asksReason: true, isDangerous: true,
      preview: async () => [element("p", {}, "No answer contains it from the next call on. No ingestion brings it back until it is restored."),
        await this.effect(NOBODY)],
      act: (reason) => call("DELETE", withReason(this.route, reason)) });
    if (gone !== undefined) location.hash = "#/documents";
  }
}

const NOBODY = { public: false, users: [], any_tags: [], all_tags: [] };

/** Draw the documents that a person deleted, each with the way back. */
async function drawDeleted(place, context) {
  const list = element("div", {});
  context.equivalents.show([{ command: commandLine(["documents", "list"], { tenant: context.tenant, deleted: true }), curl: curlLine("GET", "deletions") }]);
  replace(place, element("p", {}, element("a", { href: "#/documents" }, "← All documents")), heading(1, "Deleted documents"),
    element("p", { class: "lead" }, "What a person deleted stays deleted: no ingestion brings it back by itself."), list);
  const act = (row, verb) => askBefore({ title: `${verb === "restore" ? "Restore" : "Forget"} ${row.file}`, asksReason: true,
    action: verb === "restore" ? "Restore" : "Forget",
    preview: () => element("p", {}, verb === "restore" ? "The next ingestion of its file brings it back."
      : "The deletion no longer holds the file back: an ingestion can bring it in as a new document."),
    act: async (reason) => {
      const route = path`deletions/${row.doc_id}`;
      await (verb === "restore" ? call("POST", withReason(`${route}/restore`, reason)) : call("DELETE", withReason(route, reason)));
      drawDeleted(place, context);
    } });
  await fill(list, () => get("deletions", { limit: 200 }), ({ documents }) => documents.length === 0
    ? empty("Nothing was deleted", "Delete a document on its own screen. It is then listed here, with the way back.")
    : table("Deleted documents", ["Document", "Collection", "By", "When", "Reason", "Actions"], documents.map((row) => [
      row.file, row.collection, row.decided_by ?? "an operator", time(row.decided_at), row.decision_reason ?? "",
      element("div", { class: "chips still" }, button("Restore", () => act(row, "restore"), { kind: "small", "aria-label": `Restore ${row.file}` }),
        button("Forget", () => act(row, "forget"), { kind: "small", "aria-label": `Forget ${row.file}` }))])));
}

export function drawDocument(place, context, id, part) {
  return part === "list" ? drawDeleted(place, context) : new DocumentView(place, context, id).load();
}
