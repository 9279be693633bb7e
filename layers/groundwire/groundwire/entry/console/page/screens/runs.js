// Runs of `groundwire ingest`: how far they are, what they refused, and what they did to readers.

import { get, path, post } from "../api.js";
import { badge, button, busy, empty, fill, notice, plural, problem, table, time } from "../controls.js";
import { askBefore } from "../dialog.js";
import { element, heading, replace } from "../element.js";
import { commandLine, curlLine } from "../equivalents.js";
import { readersOf } from "../explanations.js";
import { auditParts, documentParts } from "../listing.js";
import { repeat } from "../polling.js";

const LOOK_MS = 2000;
const MOST_ROWS = 200;
const PENDING = { queued: "wait for their turn", parsing: "are being read", waiting: "wait for the parser", failed: "could not be read" };

const isRunning = (run) => run.state === "running";
const backLink = (address, label) => element("p", {}, element("a", { href: address }, label));

/** Return how many files are finished, as a bar and in words. */
function progressOf(run) {
  const words = `${run.files_done} of ${plural(run.files, "file")}`;
  return element("div", {}, words, isRunning(run) ? element("progress", { max: Math.max(run.files, 1), value: run.files_done, "aria-label": words }) : null);
}

function stateView(run) {
  return element("span", {}, badge(run.state),
    run.cancel_requested && isRunning(run) ? element("div", { class: "quiet" }, "It ends after its present file.") : null);
}

function countsOf(run) {
  return Object.entries(run.counts).map(([outcome, count]) => `${count} ${outcome.replaceAll("_", " ")}`).join(", ");
}

/** Return the button that ends a run; nothing for a run that has ended. */
function cancelButton(context, run, after) {
  if (!isRunning(run) || run.cancel_requested) return null;
  const route = path`ingestions/${run.id}/cancel`;
  const cancel = async () => {
    context.equivalents.show([{ command: commandLine(["ingestion", "cancel", run.id], { tenant: context.tenant }), curl: curlLine("POST", route) }]);
    const done = await askBefore({ title: "Cancel the ingestion", action: "Cancel the ingestion", isDangerous: true,
      preview: () => element("p", {}, `It ends after its present file. What is finished stays: ${plural(run.files_done, "file")} so far. The same command continues the run.`),
      act: () => post(route) });
    if (done !== undefined) await after();
  };
  return button("Cancel", cancel, { kind: "small", "aria-label": `Cancel the ingestion of ${run.collection}` });
}

class RunList {
  constructor(place, context) {
    this.context = context;
    this.list = element("div", {}, busy());
    replace(place, backLink("#/documents", "← All documents"), heading(1, "Ingestions"),
      element("p", { class: "lead" }, "Each run of groundwire ingest: what it read, what it refused, and what it did to the readers."), this.list);
    context.equivalents.show([{ command: commandLine(["ingestion", "list"], { tenant: context.tenant }), curl: curlLine("GET", "ingestions") }]);
  }

  async start() {
    const answer = await fill(this.list, () => get("ingestions"), (found) => this.view(found));
    if (answer?.ingestions.some(isRunning)) repeat(this.list, () => this.look(), LOOK_MS);
  }

  /** Look again; true when no run is left to follow. */
  async look() {
    try {
      const answer = await get("ingestions");
      // A redrawn button would lose the focus of the keyboard.
      if (!this.list.contains(document.activeElement)) replace(this.list, this.view(answer));
      return !answer.ingestions.some(isRunning);
    } catch (error) {
      replace(this.list, problem(error));
      return true;
    }
  }

  view({ ingestions, pending }) {
    const open = Object.entries(pending).filter(([, count]) => count > 0)
      .map(([state, count]) => notice(`${plural(count, "document")} ${PENDING[state]}.`, state === "failed" ? "bad" : ""));
    if (ingestions.length === 0) {
      return [open, empty("No runs yet", "groundwire ingest FOLDER brings in a folder, and its run is listed here. Uploads and the bucket of a stack have no runs.")];
    }
    const columns = ["Started", "Collection", "State", "Files", "Outcome", "By"];
    const canCancel = ingestions.some(isRunning);
    return [open, table("Ingestions", canCancel ? [...columns, "Actions"] : columns, ingestions.map((run) => [
      element("a", { href: `#/documents/${encodeURIComponent(run.id)}/run` }, time(run.started_at)), run.collection, stateView(run), progressOf(run),
      countsOf(run), run.operator ?? "", ...(canCancel ? [cancelButton(this.context, run, () => this.look())] : [])]))];
  }
}

/** Return the changes of a run as its audit lines have them, and whether these are all. */
async function changesOf(run) {
  const changes = [];
  const end = new Date(new Date(run.updated_at).getTime() + LOOK_MS).toISOString();
  const isComplete = await auditParts({ call: "ingest", since: run.started_at, until: isRunning(run) ? null : end }, (rows) => {
    for (const row of rows) if (row.details.run === run.id) changes.push(...row.details.changes ?? []);
    return rows.some((row) => row.details.run === run.id && row.details.phase === "begin");
  });
  return { changes, isComplete };
}

/** Return the present records of the documents, by id; one that is deleted has none. */
async function recordsOf(collection, changes) {
  const missing = new Set(changes.map((each) => each.document));
  const records = new Map();
  if (missing.size > 0) {
    await documentParts(collection, (documents) => {
      for (const each of documents) if (missing.delete(each.doc_id)) records.set(each.doc_id, each);
      return missing.size === 0;
    });
  }
  return records;
}

const hasOtherReaders = (change) => change.policy_before !== undefined;
const rank = (change) => (change.status === "refused" ? 0 : hasOtherReaders(change) ? 1 : 2);

/** Return what a change did to the readers of its document. */
export function readersChange(change) {
  return hasOtherReaders(change) ? element("span", {}, readersOf(change.policy_before), element("div", {}, "→ ", element("strong", {}, readersOf(change.policy_after)))) : null;
}

function documentRow(change, record) {
  const name = record === undefined ? element("code", {}, change.document)
    : element("a", { href: `#/documents/${encodeURIComponent(change.document)}`, class: "file" }, record.file);
  return [name, badge(change.status), change.version || "none", readersChange(change) ?? element("span", { class: "quiet" }, record?.readers ?? ""),
    record === undefined ? "deleted" : element("span", {}, badge(record.state), record.reason ? element("div", { class: "quiet" }, record.reason) : null)];
}

function changesView(run, { changes, isComplete }, records) {
  const refused = changes.filter((each) => each.status === "refused").length;
  const unnamed = (run.counts.refused ?? 0) - refused;
  const sorted = [...changes].sort((first, second) => rank(first) - rank(second));
  const changed = changes.filter(hasOtherReaders).length;
  return [
    notice(changed === 0 ? "No document got other readers." : `${plural(changed, "document")} got other readers.`, changed === 0 ? "good" : ""),
    unnamed > 0 && isComplete && !isRunning(run) ? notice(`${plural(unnamed, "refused file")} got no record: the output of the command has the reason.`) : null,
    changes.length === 0 ? empty("Nothing changed", "The run found every file as it was before, or has not finished one yet.")
      : table("Documents of the run", ["Document", "Outcome", "Version", "Readers", "Now"], sorted.slice(0, MOST_ROWS).map((each) => documentRow(each, records.get(each.document)))),
    changes.length > MOST_ROWS || !isComplete ? element("p", { class: "quiet" }, "There are more: the audit log has the rest.") : null,
  ];
}

class RunView {
  constructor(place, context, id) {
    Object.assign(this, { place, context, id, route: path`ingestions/${id}` });
    this.card = element("section", { class: "card" });
    this.changes = element("div", { class: "rows" });
  }

  async start() {
    let run;
    try {
      run = await get(this.route);
    } catch (error) {
      replace(this.place, backLink("#/documents/runs/list", "← All ingestions"), heading(1, "Ingestion"), problem(error));
      return;
    }
    this.context.equivalents.show([{ command: commandLine(["ingestion", "show", this.id], { tenant: this.context.tenant }), curl: curlLine("GET", this.route) }]);
    replace(this.place, backLink("#/documents/runs/list", "← All ingestions"), heading(1, `Ingestion into ${run.collection}`),
      element("p", { class: "lead" }, "Started ", time(run.started_at), run.operator ? ` by ${run.operator}` : ""), this.card,
      element("section", { class: "rows" }, element("h2", {}, "Documents and their readers"), this.changes));
    this.draw(run);
    await this.load(run);
    if (isRunning(run)) repeat(this.card, () => this.look(), LOOK_MS);
  }

  draw(run) {
    const cancel = cancelButton(this.context, run, () => this.look());
    replace(this.card, element("div", { class: "actions" }, stateView(run), progressOf(run), countsOf(run), cancel));
  }

  load(run) {
    return fill(this.changes, async () => {
      const found = await changesOf(run);
      return { found, records: await recordsOf(run.collection, found.changes) };
    }, ({ found, records }) => changesView(run, found, records));
  }

  /** Look again; true when the run has ended. */
  async look() {
    try {
      const run = await get(this.route);
      if (!this.card.contains(document.activeElement) || !isRunning(run)) this.draw(run);
      if (!isRunning(run)) await this.load(run);
      return !isRunning(run);
    } catch (error) {
      replace(this.card, problem(error));
      return true;
    }
  }
}

export function drawRuns(place, context, id) {
  return (id === "runs" ? new RunList(place, context) : new RunView(place, context, id)).start();
}
