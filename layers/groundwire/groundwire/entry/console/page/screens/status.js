// Status: what the tenant has, and what waits or failed.

import { get } from "../api.js";
import { badge, busy, fill, notice, plural, table } from "../controls.js";
import { element, heading, replace } from "../element.js";
import { commandLine, curlLine } from "../equivalents.js";

function tile(name, value) {
  return element("div", {}, element("div", { class: "figure" }, value), element("div", { class: "quiet" }, name));
}

function documentsView(status) {
  const states = Object.entries(status.documents ?? {});
  const open = states.filter(([state]) => ["queued", "parsing", "waiting"].includes(state)).reduce((sum, [, count]) => sum + count, 0);
  const failed = states.filter(([state]) => ["failed", "refused"].includes(state)).reduce((sum, [, count]) => sum + count, 0);
  return [
    element("div", { class: "tiles" }, states.map(([state, count]) => tile(state, count)),
      tile("seconds until a new document is found", status.visible_after_seconds), tile("version", status.version)),
    open > 0 ? notice(`${plural(open, "document")} on the way into the index.`) : null,
    failed > 0 ? element("p", { class: "notice bad" }, `${plural(failed, "document")} could not be read. `,
      element("a", { href: "#/documents" }, "The list has the reasons.")) : null,
    states.length > 0 && open + failed === 0 ? notice("Every document is in the index.", "good") : null,
  ];
}

/** Draw the counts of each month, the latest first. */
function usageView({ months, complete }) {
  const calls = (month) => Object.values(month.calls).reduce((sum, count) => sum + count, 0);
  return [element("h2", {}, "Usage"), complete ? null : notice("The counts are being made. Look again in a moment."),
    months.length === 0 ? null : table("Usage by month", ["Month", "Calls", "Refused", "Passages", "Originals", "Most called"],
      months.map((month) => [month.month, calls(month), month.refused, month.passages, month.originals,
        Object.entries(month.calls).sort(([, first], [, second]) => second - first).slice(0, 3).map(([name, count]) => `${name} ${count}`).join(", ")]))];
}

const CHECKS = { ok: "good", warning: "busy", failed: "bad" };

/** Draw what the server finds about the tenant, the worst first. */
function checksView({ checks }) {
  const order = Object.keys(CHECKS);
  const sorted = [...checks].sort((one, two) => order.indexOf(two.status) - order.indexOf(one.status));
  return [element("h2", {}, "Checks"), table("Checks of the tenant", ["Check", "State", "Finding", "What to do"], sorted.map((each) => [
    each.name.replaceAll("_", " "), badge(each.status, CHECKS[each.status] ?? ""), each.message, each.remedy ?? ""]))];
}

export const statusScreen = {
  id: "status",
  title: "Status",
  scopes: [],
  async render(place, context) {
    const status = element("div", {}, busy());
    const collections = element("div", {});
    const usage = element("div", {});
    const checks = element("div", {});
    replace(place, heading(1, "Status"), element("p", { class: "lead" }, `Tenant ${context.tenant}`), status, checks, collections, usage,
      element("p", { class: "quiet" }, "Parser, disk and the chain of the log are checked by ", element("code", {}, "groundwire doctor"), " on the machine."));
    context.equivalents.show([{ command: commandLine(["doctor"]), curl: curlLine("GET", context.isAdmin ? "doctor" : "status") }]);
    fill(status, () => get("status"), documentsView);
    if (context.can("ingest")) {
      fill(collections, () => get("collections"), (answer) => answer.collections.length === 0 ? null
        : [element("h2", {}, "Collections"), table("Collections", ["Collection", "Documents", "Language", "Description"],
          answer.collections.map((each) => [each.name, each.documents, each.language ?? badge("detected"), each.description ?? ""]))]);
    }
    if (context.isAdmin) fill(checks, () => get("doctor"), checksView);
    // Earlier versions of the server have no such route.
    if (context.isAdmin) get("usage").then((answer) => replace(usage, usageView(answer)), () => replace(usage));
  },
};
