// Upload: the readers first, then the files, then what would change, and only then the files go out.

import { post } from "../api.js";
import { badge, button, busy, checkbox, field, input, notice, plural, problem, proposals, select, table } from "../controls.js";
import { askBefore } from "../dialog.js";
import { directory } from "../directory.js";
import { element, heading, replace } from "../element.js";
import { commandLine, curlLine } from "../equivalents.js";
import { readersOf } from "../explanations.js";
import { PolicyForm, effectView, newTags, policyOptions } from "../policy_form.js";
import { FileToSend, documentsByName } from "../uploads.js";

const MOST_FILES = 200;

function sizeOf(bytes) {
  return bytes < 1024 ? plural(bytes, "byte") : `${Math.ceil(bytes / 1024).toLocaleString()} kB`;
}

class Upload {
  constructor(place, context, known) {
    Object.assign(this, { context, known, files: [] });
    const list = proposals(known.collections.map((each) => each.name));
    this.form = new PolicyForm({ public: false, users: [], any_tags: [], all_tags: [] }, known);
    this.collection = input({ value: "default", required: true, list: list.id });
    this.chooser = input({ type: "file", multiple: true, required: true });
    this.steps = element("div", { class: "rows", "aria-live": "polite" });
    const next = (event) => { event.preventDefault(); this.decideReaders(); };
    replace(place, element("p", {}, element("a", { href: "#/documents" }, "← All documents")), heading(1, "Upload"),
      element("p", { class: "lead" }, "First decide who may read the files. Nobody else gets a passage of them, and nothing is sent before you see the plan."),
      element("form", { class: "card", onsubmit: next },
        element("h2", {}, "1. Readers"), this.form.view,
        field("Collection", this.collection, "A name that does not exist becomes a new collection."), list,
        element("div", { class: "actions" }, button("Choose files", null, { kind: "primary", type: "submit" }))), this.steps);
    place.addEventListener("change", (event) => { if (!this.steps.contains(event.target)) this.forget(); });
    for (const chips of this.form.chips) chips.changed = () => this.forget();
    const policy = { public: false, users: [], any_tags: ["TAG"], all_tags: [] };
    context.equivalents.show([{ command: commandLine(["ingest", "FOLDER"], { tenant: context.tenant, "any-tag": "TAG" }),
      curl: curlLine("POST", "uploads", { body: { collection: "default", file_name: "FILE", size: 1000, sha256: "SHA256", policy } }) }]);
  }

  /** Other readers than those of the plan need another plan. */
  forget() {
    replace(this.steps);
  }

  async decideReaders() {
    const { policy } = this.form;
    if (!policy.public && policy.users.length + policy.any_tags.length + policy.all_tags.length === 0) {
      replace(this.steps, notice("Nobody could read the files. Name a user or a tag, or choose every user of the tenant.", "bad"));
      return;
    }
    if (policy.public && !await this.isForEveryone()) return;
    replace(this.steps, busy());
    this.policy = policy;
    // A key without `admin` may not look tags up. The server then refuses a slip with the tag that was meant.
    const { notices, hasSlip } = await newTags([...policy.any_tags, ...policy.all_tags]).catch(() => ({ notices: [], hasSlip: false }));
    const isMeant = checkbox("Use the new tags all the same");
    const choose = button("Show the plan", () => this.plan(), { kind: "primary", disabled: true });
    const ready = () => { choose.disabled = this.chooser.files.length === 0 || (hasSlip && !isMeant.box.checked); };
    this.chooser.onchange = ready;
    isMeant.box.onchange = ready;
    this.isNew = () => hasSlip && isMeant.box.checked;
    this.planPlace = element("div", { class: "rows" });
    ready();
    replace(this.steps, element("section", { class: "card" }, element("h2", {}, "2. Files"),
      element("p", {}, `Readers: ${readersOf(policy)}.`), this.holders(policy),
      notices, hasSlip ? isMeant.view : null,
      field("Files", this.chooser, `At most ${MOST_FILES} at a time. For a folder, use the command at the end of the page.`),
      element("div", { class: "actions" }, choose)), this.planPlace);
    this.chooser.focus();
  }

  /** Show how many people have the tags, as the directory counts them. */
  holders(policy) {
    const named = new Set([...policy.any_tags, ...policy.all_tags]);
    const held = this.known.tags.filter((each) => named.has(each.tag));
    return held.length === 0 ? null : element("p", { class: "quiet" }, held.map((each) =>
      `${each.tag}: ${[each.users === null ? null : plural(each.users, "user"), plural(each.keys, "key"), plural(each.documents, "document")]
        .filter(Boolean).join(", ")}. `));
  }

  async isForEveryone() {
    return await askBefore({ title: "Every user of the tenant", action: "Everyone may read them", isDangerous: true,
      preview: () => notice("Every user of the tenant will read these files, now and later, with any tags.", "bad"),
      act: () => true }) === true;
  }

  async plan() {
    const chosen = [...this.chooser.files].slice(0, MOST_FILES);
    const collection = this.collection.value.trim();
    replace(this.planPlace, busy("Looking for documents with these names …"));
    try {
      const { byName, isComplete } = await documentsByName(collection, new Set(chosen.map((each) => each.name)));
      this.files = chosen.map((file) => new FileToSend(file, byName.get(file.name) ?? []));
      this.drawPlan(collection, isComplete, this.chooser.files.length > MOST_FILES);
    } catch (error) {
      replace(this.planPlace, problem(error));
    }
  }

  drawPlan(collection, isComplete, isCut) {
    const summary = element("p", {});
    const effects = element("div", {});
    const send = button("Upload", () => this.send(collection), { kind: "primary" });
    const count = () => {
      const replaced = this.files.filter((each) => each.replaced !== null);
      replace(summary, `${plural(this.files.length - replaced.length, "new document")}, ${plural(replaced.length, "next version")} of a document. `
        + `All in the collection ${collection}, for ${readersOf(this.policy)}.`);
      this.drawEffects(effects, replaced);
      this.showEquivalents(collection);
    };
    this.table = element("div", {}, table("Plan", ["File", "Size", "Plan", "State"], this.files.map((each) => [
      element("span", { class: "file" }, each.file.name), sizeOf(each.file.size), this.choice(each, count), each.state])));
    this.sendPart = element("div", { class: "actions" }, send);
    replace(this.planPlace, element("section", { class: "rows" }, element("h2", {}, "3. Plan"), summary,
      isCut ? notice(`These are the first ${MOST_FILES} files.`) : null,
      isComplete ? null : notice("The collection is large: a document of the same name may be further down. Then it stays beside the new one."),
      this.table, effects, this.sendPart));
    count();
  }

  /** Return the choice for one file: a new document, or the next version of one with its name. */
  choice(each, changed) {
    if (each.existing.length === 0) return badge("new", "good");
    const options = [...each.existing.map((one) => [one.doc_id, `next version of ${one.doc_id}`]), ["", "a new document beside it"]];
    const made = select(options, each.replaced.doc_id, { "aria-label": `Plan for ${each.file.name}` });
    made.addEventListener("change", () => {
      each.replaced = each.existing.find((one) => one.doc_id === made.value) ?? null;
      changed();
    });
    return made;
  }

  /** Show who gains and who loses a document that gets a next version with these readers. */
  drawEffects(place, replaced) {
    replace(place, replaced.map((each) => {
      const body = element("div", { class: "effect" }, element("p", {}, `Before: ${each.replaced.readers}. Afterwards: ${readersOf(this.policy)}.`));
      if (this.context.isAdmin) {
        post("access/what-if", { change: "policy", document: each.replaced.doc_id, policy: this.policy })
          .then((answer) => body.append(...[effectView(answer)].flat().filter(Boolean)), (error) => body.append(problem(error)));
      }
      return element("details", { class: "card" }, element("summary", {}, `Readers of ${each.file.name}`), body);
    }));
  }

  showEquivalents(collection) {
    const { public: everyone, user, "any-tag": any, "all-tag": all } = policyOptions(this.policy);
    const first = this.files[0];
    this.context.equivalents.show([{
      command: commandLine(["ingest", ...this.files.map((each) => each.file.name)],
        { tenant: this.context.tenant, collection, public: everyone, user, "any-tag": any, "all-tag": all,
          id: this.files.length === 1 ? first.replaced?.doc_id : null }),
      curl: curlLine("POST", "uploads", { body: { ...first.order(collection, this.policy, this.isNew()), sha256: first.digest ?? "SHA256" } }) }]);
  }

  async send(collection) {
    for (const control of this.table.querySelectorAll("select")) control.disabled = true;
    replace(this.sendPart);
    // One after the other: the server reads one file at a time, and each state is then that of its own row.
    for (const each of this.files) await each.send(collection, this.policy, this.isNew());
    const done = this.files.filter((each) => each.isDone).length;
    this.showEquivalents(collection);
    replace(this.sendPart, notice(`${done} of ${plural(this.files.length, "file")} are in the index.`, done === this.files.length ? "good" : "bad"),
      element("a", { href: "#/documents" }, "All documents"));
  }
}

export async function drawUpload(place, context) {
  new Upload(place, context, await directory(context));
}
