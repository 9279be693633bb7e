// Documents: what is there, in which state, for whom.

import { get } from "../api.js";
import { badge, button, busy, checkbox, empty, field, input, notice, plural, problem, select, table, time } from "../controls.js";
import { directory } from "../directory.js";
import { element, heading, replace } from "../element.js";
import { commandLine, curlLine } from "../equivalents.js";
import { readersOf } from "../explanations.js";
import { collectionField } from "../policy_form.js";
import { MOST_AT_ONCE, changeReaders } from "../readers_change.js";
import { drawDocument } from "./document.js";
import { drawRuns } from "./runs.js";
import { drawUpload } from "./upload.js";

const STATES = ["indexed", "queued", "parsing", "waiting", "failed", "refused", "deleting", "deleted"];
const PAGE = 100;

class DocumentList {
  constructor(place, context, known) {
    Object.assign(this, { context, rows: [], next: null, isOfDifferences: false });
    this.collection = collectionField(known);
    this.state = select([["", "every state"], ...STATES.map((each) => [each, each])]);
    this.name = input({ placeholder: "part of a name, title or reader" });
    this.limited = checkbox("Only with a limit on the readers");
    this.differing = checkbox("Only where the limit leaves somebody out");
    this.chosen = new Set();
    this.result = element("div", { "aria-live": "polite" });
    this.list = element("div", { "aria-live": "polite" }, busy());
    this.more = button("Load more", () => this.load());
    const again = (event) => { event.preventDefault(); this.start(); };
    this.state.addEventListener("change", () => this.draw());
    this.name.addEventListener("input", () => this.draw());
    replace(place, heading(1, "Documents"),
      element("p", { class: "lead" }, "Everything that this key manages, with the people who may read it."),
      element("form", { class: "card", onsubmit: again },
        element("div", { class: "fields" }, this.collection.view, field("State", this.state), field("Find in the list", this.name)),
        element("div", { class: "fields" }, this.limited.view, this.differing.view),
        element("div", { class: "actions" }, button("Apply", null, { kind: "primary", type: "submit" }),
          element("a", { href: "#/documents/upload/files" }, "Upload files"),
          context.isAdmin ? element("a", { href: "#/documents/runs/list" }, "Ingestions") : null,
          element("a", { href: "#/documents/deleted/list" }, "Deleted documents"))),
      this.result, this.list, element("div", { class: "actions" }, this.more));
  }

  async start() {
    this.rows = [];
    this.next = null;
    this.chosen.clear();
    this.isOfDifferences = this.differing.box.checked;
    await this.load();
  }

  async load() {
    this.more.disabled = true;
    const values = { collection: this.collection.input.value.trim(), after: this.next, limit: PAGE,
      ...(this.limited.box.checked ? { ceilings: true } : {}), ...(this.differing.box.checked ? { policy_differs: true } : {}) };
    this.context.equivalents.show([{ command: commandLine(["documents", "list"], { tenant: this.context.tenant,
      collection: values.collection, "policy-differs": this.differing.box.checked }), curl: curlLine("GET", "documents", { values }) }]);
    try {
      const answer = await get("documents", values);
      this.rows.push(...answer.documents);
      this.next = answer.next;
      this.draw();
    } catch (error) {
      replace(this.list, problem(error));
    }
    this.more.disabled = false;
  }

  draw() {
    const wanted = this.name.value.trim().toLowerCase();
    const shown = this.rows.filter((row) => (this.state.value === "" || row.state === this.state.value)
      && (wanted === "" || `${row.file} ${row.title} ${row.readers}`.toLowerCase().includes(wanted)));
    this.more.hidden = this.next === null;
    replace(this.list, shown.length === 0
      ? empty(this.rows.length === 0 ? "No documents" : "None of those loaded", this.rows.length === 0
        ? "Upload files, or bring in a folder: groundwire ingest FOLDER --tenant TENANT --any-tag department:sales" : "Clear the filter, or load more.")
      : [this.choiceBar(shown), this.isOfDifferences ? this.differences(shown) : this.overview(shown)]);
  }

  overview(shown) {
    return table("Documents", ["Choose", "Document", "State", "Readers", "Passages", "Collection"], shown.map((row) => [
      this.choice(row), nameOf(row),
      element("span", {}, badge(row.state), row.reason ? element("div", { class: "quiet" }, row.reason) : null),
      element("span", {}, row.readers, row.ceiling ? [" ", badge("limited", "busy")] : null), row.segments, row.collection]));
  }

  /** Show what the files declare beside what a person limited: a reader needs both. */
  differences(shown) {
    return table("Documents whose limit leaves somebody out", ["Choose", "Document", "Declared readers", "Limit", "Decided by", "Reason"],
      shown.map((row) => [this.choice(row), nameOf(row),
        element("span", {}, readersOf(row.policy), element("div", { class: "quiet" }, `by ${row.policy_source}`)), readersOf(row.ceiling.policy),
        element("span", {}, row.ceiling.decided_by ?? "an operator", element("div", {}, time(row.ceiling.decided_at))), row.ceiling.decision_reason ?? ""]));
  }

  choice(row) {
    const { box } = checkbox("", this.chosen.has(row.doc_id));
    box.setAttribute("aria-label", `Choose ${row.file}`);
    box.addEventListener("change", () => {
      if (box.checked) this.chosen.add(row.doc_id); else this.chosen.delete(row.doc_id);
      this.count();
    });
    return box;
  }

  /** Return the row of actions on the chosen documents; they are offered when there are some. */
  choiceBar(shown) {
    const all = checkbox("Choose all of these", shown.every((row) => this.chosen.has(row.doc_id)));
    all.box.addEventListener("change", () => {
      for (const row of shown) { if (all.box.checked) this.chosen.add(row.doc_id); else this.chosen.delete(row.doc_id); }
      this.draw();
    });
    this.change = button("", () => this.changeReaders());
    this.count();
    return element("div", { class: "actions chooser" }, all.view, this.change);
  }

  count() {
    const { size } = this.chosen;
    this.change.textContent = `Change the readers of ${size === 0 ? "the chosen" : plural(size, "document")}`;
    this.change.disabled = size === 0 || size > MOST_AT_ONCE;
    this.change.title = size > MOST_AT_ONCE ? `At most ${MOST_AT_ONCE} at a time.` : "";
  }

  async changeReaders() {
    const rows = this.rows.filter((row) => this.chosen.has(row.doc_id));
    const refusals = await changeReaders(this.context, rows, rows[0].ceiling?.policy ?? rows[0].policy);
    if (refusals === undefined) return;
    replace(this.result, notice(`${rows.length - refusals.length} of ${plural(rows.length, "document")} changed.`, refusals.length > 0 ? "bad" : "good"),
      element("ul", {}, refusals.map(([file, message]) => element("li", {}, element("span", { class: "file" }, file), ` ${message}`))));
    await this.start();
  }
}

function nameOf(row) {
  return element("span", {}, element("a", { href: `#/documents/${encodeURIComponent(row.doc_id)}`, class: "file" }, row.file),
    row.title && row.title !== row.file ? element("div", { class: "quiet" }, row.title) : null);
}

export const documentsScreen = {
  id: "documents",
  title: "Documents",
  scopes: ["ingest", "admin"],
  async render(place, context, [id, part]) {
    replace(place, busy());
    if (part === "files") {
      await drawUpload(place, context);
      return;
    }
    if (id === "runs" || part === "run") {
      await drawRuns(place, context, id);
      return;
    }
    if (id !== undefined) {
      await drawDocument(place, context, id, part);
      return;
    }
    await new DocumentList(place, context, await directory(context)).start();
  },
};
