// Audit: who got what and when, as the log has it.

import { get, text } from "../api.js";
import { badge, button, busy, empty, field, input, notice, plural, problem, proposals, select, table, time } from "../controls.js";
import { directory } from "../directory.js";
import { element, heading, replace } from "../element.js";
import { commandLine, curlLine } from "../equivalents.js";

const PAGE = 100;
const EXPORT_PAGE = 1000;
const TIMES = [["24h", "the last day"], ["7d", "the last week"], ["30d", "the last month"], ["", "ever"]];
const BAD = new Set(["refused", "failed", "denied", "not_found", "unavailable"]);

class AuditView {
  constructor(place, context, known) {
    Object.assign(this, { context, rows: [], next: null });
    const users = proposals(known.users.map((each) => each.user));
    this.user = input({ list: users.id });
    this.document = input({ placeholder: "doc_…" });
    this.kid = input({});
    this.calls = input({ placeholder: "rag_search" });
    this.since = select(TIMES, "7d");
    this.list = element("div", { "aria-live": "polite" }, busy());
    this.verified = element("div", { "aria-live": "polite" });
    this.more = button("Load older lines", () => this.load());
    const again = (event) => { event.preventDefault(); this.start(); };
    replace(place, heading(1, "Audit"), element("p", { class: "lead" }, "Each call and each change, the latest first. Nobody can change a line."),
      element("form", { class: "card", onsubmit: again }, element("div", { class: "fields" }, element("div", {}, field("Person", this.user), users),
        field("Document", this.document), field("Key id", this.kid), field("Tool, route or action", this.calls), field("Since", this.since)),
      element("div", { class: "actions" }, button("Search", null, { kind: "primary", type: "submit" }), button("Download as CSV", () => this.download()),
        button("Verify the log", () => this.verify()))),
      this.verified, this.list, element("div", { class: "actions" }, this.more));
  }

  get conditions() {
    return { user: this.user.value.trim(), document: this.document.value.trim(), kid: this.kid.value.trim(),
      call: this.calls.value.trim(), since: this.since.value };
  }

  async start() {
    this.rows = [];
    this.next = null;
    const { conditions } = this;
    this.context.equivalents.show([{ command: commandLine(["audit", "list"], { user: conditions.user, doc: conditions.document, kid: conditions.kid,
      call: conditions.call, since: conditions.since }), curl: curlLine("GET", "audit", { values: conditions }) }]);
    await this.load();
  }

  async load() {
    this.more.disabled = true;
    try {
      const answer = await get("audit", { ...this.conditions, after: this.next, limit: PAGE });
      this.rows.push(...answer.rows);
      this.next = answer.next;
      this.draw(answer.complete);
    } catch (error) {
      replace(this.list, problem(error));
      this.more.hidden = true;
    }
    this.more.disabled = false;
  }

  draw(isComplete) {
    this.more.hidden = this.next === null;
    replace(this.list, isComplete ? null : notice("The index of the log is being built. Load older lines again in a moment."),
      this.rows.length === 0 ? empty("No lines", "Widen the time, or leave a field empty.")
        : table("Lines of the audit log", ["Time", "Who", "What", "Outcome", "Documents"], this.rows.map((row) => [
          time(row.time), element("span", {}, row.user ?? row.operator ?? "nobody", row.kid ? element("div", { class: "quiet" }, row.kid) : null,
            row.details?.as_user ? element("div", {}, `as ${row.details.as_user}`) : null),
          row.call ?? "", element("span", {}, badge(row.outcome ?? row.decision ?? "", BAD.has(row.outcome) ? "bad" : ""),
            row.reason && row.reason !== row.outcome && row.reason !== "admitted" ? element("div", { class: "quiet" }, row.reason) : null),
          element("span", {}, row.documents.slice(0, 5).map((each) => {
            const id = each.split("@")[0];
            return element("div", {}, element("a", { href: `#/documents/${encodeURIComponent(id)}` }, id));
          }), row.documents.length > 5 ? `and ${row.documents.length - 5} more` : "")])));
  }

  /** Verify the chain of the whole log, part by part, and count the lines of this tenant. */
  async verify() {
    this.context.equivalents.show([{ command: commandLine(["audit", "verify"]), curl: curlLine("GET", "audit/verify") }]);
    let lines = 0;
    let after = null;
    try {
      do {
        replace(this.verified, busy(`Verifying … ${plural(lines, "line")} of this tenant so far.`));
        const part = await get("audit/verify", { after });
        lines += part.lines;
        after = part.next;
        if (!part.intact) {
          replace(this.verified, notice(`The log is damaged. ${part.problem}`, "bad"));
          return;
        }
      } while (after !== null && this.verified.isConnected);
      replace(this.verified, notice(`Verified: each of the ${plural(lines, "line")} of this tenant is as it was written, and none is missing.`, "good"));
    } catch (error) {
      replace(this.verified, problem(error));
    }
  }

  /** Save the lines that the conditions select, up to the first thousand. */
  async download() {
    try {
      const csv = await text("audit", { ...this.conditions, limit: EXPORT_PAGE }, "text/csv");
      const address = URL.createObjectURL(new Blob([csv], { type: "text/csv" }));
      const link = element("a", { href: address, download: "audit.csv" });
      link.click();
      URL.revokeObjectURL(address);
    } catch (error) {
      replace(this.list, problem(error));
    }
  }
}

export const auditScreen = {
  id: "audit",
  title: "Audit",
  scopes: ["admin"],
  async render(place, context, [document = ""]) {
    replace(place, busy());
    const view = new AuditView(place, context, await directory(context));
    view.document.value = document;
    await view.start();
  },
};
