// Documents: what is there, in which state, for whom.

import { get } from "../api.js";
import { badge, button, busy, checkbox, empty, field, input, problem, select, table } from "../controls.js";
import { directory } from "../directory.js";
import { element, heading, replace } from "../element.js";
import { commandLine, curlLine } from "../equivalents.js";
import { collectionField } from "../policy_form.js";
import { drawDocument } from "./document.js";
import { drawUpload } from "./upload.js";

const STATES = ["indexed", "queued", "parsing", "waiting", "failed", "refused", "deleting", "deleted"];
const PAGE = 100;

class DocumentList {
  constructor(place, context, known) {
    Object.assign(this, { context, rows: [], next: null });
    this.collection = collectionField(known);
    this.state = select([["", "every state"], ...STATES.map((each) => [each, each])]);
    this.name = input({ placeholder: "part of a name, title or reader" });
    this.limited = checkbox("Only with a limit on the readers");
    this.differing = checkbox("Only where the limit leaves somebody out");
    this.list = element("div", { "aria-live": "polite" }, busy());
    this.more = button("Load more", () => this.load());
    const again = (event) => { event.preventDefault(); this.rows = []; this.next = null; this.load(); };
    this.state.addEventListener("change", () => this.draw());
    this.name.addEventListener("input", () => this.draw());
    replace(place, heading(1, "Documents"),
      element("p", { class: "lead" }, "Everything that this key manages, with the people who may read it."),
      element("form", { class: "card", onsubmit: again },
        element("div", { class: "fields" }, this.collection.view, field("State", this.state), field("Find in the list", this.name)),
        element("div", { class: "fields" }, this.limited.view, this.differing.view),
        element("div", { class: "actions" }, button("Apply", null, { kind: "primary", type: "submit" }),
          element("a", { href: "#/documents/upload/files" }, "Upload files"),
          element("a", { href: "#/documents/deleted/list" }, "Deleted documents"))),
      this.list, element("div", { class: "actions" }, this.more));
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
      : table("Documents", ["Document", "State", "Readers", "Passages", "Collection"], shown.map((row) => [
        element("span", {}, element("a", { href: `#/documents/${encodeURIComponent(row.doc_id)}`, class: "file" }, row.file),
          row.title && row.title !== row.file ? element("div", { class: "quiet" }, row.title) : null),
        element("span", {}, badge(row.state), row.reason ? element("div", { class: "quiet" }, row.reason) : null),
        element("span", {}, row.readers, row.ceiling ? [" ", badge("limited", "busy")] : null), row.segments, row.collection])));
  }
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
    if (id !== undefined) {
      await drawDocument(place, context, id, part);
      return;
    }
    await new DocumentList(place, context, await directory(context)).load();
  },
};
