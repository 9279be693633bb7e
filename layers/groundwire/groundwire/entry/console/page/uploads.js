// One file on its way: its ticket, its form, and the states that the server gives until searches find it.

import { get, path, post, sendFile } from "./api.js";
import { badge, button } from "./controls.js";
import { element, replace } from "./element.js";
import { documentParts } from "./listing.js";
import { pause } from "./polling.js";

const ENDS = new Set(["indexed", "refused", "failed", "held_back"]);

/** Return the documents of a collection that have one of the names, as a map from file name to them. */
export async function documentsByName(collection, names) {
  const byName = new Map();
  const isComplete = await documentParts(collection, (documents) => {
    for (const each of documents) {
      if (names.has(each.file) && each.parent === null) byName.set(each.file, [...byName.get(each.file) ?? [], each]);
    }
    return false;
  });
  return { byName, isComplete };
}

async function digestOf(file) {
  if (globalThis.crypto?.subtle === undefined) {
    throw new Error("A browser computes checksums only over https and on this machine. Use the command at the end of the page.");
  }
  const digest = await crypto.subtle.digest("SHA-256", await file.arrayBuffer());
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A file that a person chose, with the documents of its name. */
export class FileToSend {
  constructor(file, existing) {
    Object.assign(this, { file, existing, digest: null, isDone: false });
    this.replaced = existing[0] ?? null;
    this.state = element("div", { "aria-live": "polite" });
  }

  order(collection, policy, isNew, restore = false) {
    return { collection, file_name: this.file.name, size: this.file.size, sha256: this.digest, policy,
      ...(this.replaced === null ? {} : { doc_id: this.replaced.doc_id }), ...(isNew ? { new_tags: true } : {}), ...(restore ? { restore } : {}) };
  }

  show(state, reason, ...more) {
    replace(this.state, badge(state.replaceAll("_", " ")), reason ? element("div", { class: "quiet" }, reason) : null, more);
  }

  /** Send the file, and follow it to its end; a refusal stays beside the file with its reason. */
  async send(collection, policy, isNew, restore = false) {
    const again = (label, restores) => button(label, () => this.send(collection, policy, isNew, restores), { kind: "small", "aria-label": `${label}: ${this.file.name}` });
    try {
      this.show("reading");
      this.digest = await digestOf(this.file);
      const ticket = await post("uploads", this.order(collection, policy, isNew, restore));
      this.show("sending");
      await sendFile(ticket, this.file);
      const end = await this.follow(ticket.ticket);
      this.isDone = end.state === "indexed";
      this.show(end.state, end.reason,
        this.isDone ? element("a", { href: `#/documents/${encodeURIComponent(ticket.doc_id)}` }, "Open it") : null,
        end.state === "held_back" ? again("Bring it back", true) : null);
    } catch (error) {
      const wait = error.retryAfter ? ` Try again in ${error.retryAfter} s.` : "";
      this.show(error.status ? "refused" : "failed", `${error.message}${wait}`, again("Try again", restore));
    }
  }

  async follow(ticket) {
    for (;;) {
      const progress = await get(path`uploads/${ticket}`);
      if (ENDS.has(progress.state) || !this.state.isConnected) return progress;
      this.show(progress.state, progress.reason ?? (progress.waiting_for ? `It waits for ${progress.waiting_for}.` : ""));
      await pause();
    }
  }
}
