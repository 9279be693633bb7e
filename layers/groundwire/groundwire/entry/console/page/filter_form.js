// Conditions on metadata, chosen row by row, and the filter that the server reads. The server checks it.

import { button, field, freshId, input, proposals, select } from "./controls.js";
import { element, replace } from "./element.js";

const OPERATORS = [["=", "is"], ["!=", "is not"], [">=", "is at least"], ["<=", "is at most"], ["in", "is one of"], ["not in", "is none of"]];
const JOINTS = [["and", "all of them hold"], ["or", "one of them holds"]];
const UNQUOTED = /^(?:true|false|[+-]?(?:0|[1-9]\d*)(?:\.\d+)?|\d{4}-\d{2}-\d{2})$/i;
const KEYWORD = /^(?:and|or|not|in)$/i;

const quoted = (text) => `'${text.replaceAll("'", "''")}'`;

/** Return the fields of the documents' metadata, each with its values as texts and whether all of them are texts. */
export function fieldsOf(documents) {
  const fields = new Map();
  for (const { metadata } of documents) {
    for (const [name, value] of Object.entries(metadata)) {
      const known = fields.get(name) ?? { values: new Set(), isText: true };
      for (const each of [value].flat()) {
        known.values.add(String(each?.date ?? each));
        known.isText &&= typeof each === "string";
      }
      fields.set(name, known);
    }
  }
  return fields;
}

/** One condition: a field, a comparison and a value. */
class Condition {
  constructor(builder) {
    this.builder = builder;
    this.names = proposals([...builder.fields.keys()].sort());
    this.values = proposals([]);
    this.name = input({ list: this.names.id, placeholder: "year" });
    this.operator = select(OPERATORS, "=");
    this.value = input({ list: this.values.id, placeholder: "2024" });
    this.name.addEventListener("change", () => this.propose());
    this.view = element("div", { class: "condition" }, field("Field", this.name), this.names, field("Comparison", this.operator),
      field("Value", this.value), this.values, button("×", () => builder.remove(this), { kind: "small", "aria-label": "Remove the condition" }));
  }

  propose() {
    const known = this.builder.fields.get(this.name.value.trim());
    replace(this.values, [...known?.values ?? []].map((value) => element("option", { value })));
  }

  /** The condition as the server reads it; an empty text while a part of it is missing. */
  get text() {
    const [name, operator, value] = [this.name.value.trim(), this.operator.value, this.value.value.trim()];
    if (name === "" || value === "") return "";
    // A text such as '2024' is no number for the server, so what documents have as a text stays one.
    const isText = this.builder.fields.get(name)?.isText ?? false;
    const literal = (each) => (!isText && UNQUOTED.test(each) ? each : quoted(each));
    const operand = operator.endsWith("in") ? `(${value.split(",").map((each) => each.trim()).filter((each) => each !== "").map(literal).join(", ")})` : literal(value);
    return `${KEYWORD.test(name) ? quoted(name) : name} ${operator} ${operand}`;
  }
}

/** Fields that make a filter; `changed` is called with each change. */
export class FilterForm {
  constructor(changed) {
    Object.assign(this, { changed, fields: new Map(), conditions: [] });
    this.text = input({ placeholder: "year >= 2024", maxlength: 4000 });
    this.joint = select(JOINTS, "and");
    this.joined = element("div", {}, field("Passages count where", this.joint));
    this.joined.hidden = true;
    this.rows = element("div", { class: "rows" });
    this.view = element("fieldset", { oninput: (event) => this.edited(event) }, element("legend", { id: freshId("filter") }, "Filter on metadata"),
      this.rows, this.joined, element("div", { class: "actions" }, button("Add a condition", () => this.add(), { kind: "small" })),
      field("The filter", this.text, "Made of the conditions, or typed: fields, comparisons, and, or, not."));
  }

  get where() {
    return this.text.value.trim();
  }

  add() {
    const condition = new Condition(this);
    this.conditions.push(condition);
    this.rows.append(condition.view);
    this.joined.hidden = this.conditions.length < 2;
    condition.name.focus();
  }

  remove(condition) {
    this.conditions = this.conditions.filter((each) => each !== condition);
    condition.view.remove();
    this.joined.hidden = this.conditions.length < 2;
    this.write();
    this.text.focus();
  }

  edited(event) {
    if (event.target === this.text) this.changed();
    else this.write();
  }

  write() {
    this.text.value = this.conditions.map((each) => each.text).filter((text) => text !== "").join(` ${this.joint.value} `);
    this.changed();
  }
}
