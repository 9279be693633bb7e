// What narrows a search: collections and a filter, with the request that a program sends for the same.

import { Chips } from "./controls.js";
import { element, replace } from "./element.js";
import { codeLine, curlLine } from "./equivalents.js";
import { FilterForm, fieldsOf } from "./filter_form.js";
import { documentParts } from "./listing.js";

/** Fields that narrow a search. `question` returns the text of the question; `known` has names of collections. */
export class Narrowing {
  constructor(known, question, isManager) {
    Object.assign(this, { question, isManager, isLoaded: false });
    this.collections = new Chips("Collections", [], known.collections.map((each) => each.name), "Empty: all of the key.");
    this.collections.changed = () => this.show();
    this.filter = new FilterForm(() => this.show());
    this.request = element("div", {});
    this.view = element("details", { ontoggle: () => this.opened() }, element("summary", {}, "Narrow the search"),
      element("div", { class: "fields" }, this.collections.view, this.filter.view), this.request);
  }

  /** The members of a search that are given. */
  get members() {
    const collections = this.collections.values;
    const { where } = this.filter;
    return { ...(collections.length ? { collections } : {}), ...(where ? { where } : {}) };
  }

  async opened() {
    if (!this.view.open || this.isLoaded) return;
    this.isLoaded = true;
    this.show();
    if (!this.isManager) return;
    const documents = [];
    // The names are proposals: without them a person types the field.
    await documentParts("", (part) => { documents.push(...part); return true; }).catch(() => null);
    this.filter.fields = fieldsOf(documents);
    this.filter.add();
  }

  show() {
    const body = { phrases: [this.question() || "…"], ...this.members };
    replace(this.request, codeLine("JSON", JSON.stringify(body)), codeLine("curl", curlLine("POST", "search", { body })));
  }
}
