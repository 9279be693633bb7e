// Try: the same question as two people, with what each agent would get, and why.

import { ApiError, post, search } from "../api.js";
import { Chips, busy, button, empty, field, input, notice, plural, problem, proposals } from "../controls.js";
import { dialectPart } from "../dialects.js";
import { directory } from "../directory.js";
import { element, heading, replace } from "../element.js";
import { commandLine, curlLine } from "../equivalents.js";
import { nameOf, whyNot } from "../explanations.js";
import { Narrowing } from "../narrowing.js";
import { passageCard } from "../passages.js";
import { rankingPart } from "../ranking.js";

const MOST_EXPLAINED = 4;
const FIRST = 3;
// The company of `groundwire demo`: what its two people see differs in one look.
const SAMPLE = {
  question: "How low can we go on the price of a Sandpiper 400?",
  people: [
    { user: "elif@weirhaven.example", tags: ["department:sales"] },
    { user: "noor@weirhaven.example", tags: ["department:finance"] },
  ],
};

// The question and the people stay while the person looks at other screens.
let kept = null;

/** Return the people to begin with: the sample's, else the first users with stored tags, else holders of a tag. */
function firstPeople(known) {
  const tags = new Set(known.tags.map((each) => each.tag));
  if (SAMPLE.people.every((person) => person.tags.every((tag) => tags.has(tag)))) return SAMPLE;
  const users = known.users.slice(0, 2).map(({ user, tags: own }) => ({ user, tags: own }));
  const held = known.tags.filter((each) => each.documents > 0).slice(0, 2).map(({ tag }) => ({ user: "", tags: [tag] }));
  const people = [...users, ...held, { user: "", tags: [] }, { user: "", tags: [] }].slice(0, 2);
  return { question: "", people };
}

/** One of the people: who it is, and the answer. */
class Column {
  constructor(number, person, known) {
    const list = proposals(known.users.map((each) => each.user));
    this.user = input({ value: person.user, list: list.id, placeholder: "nobody by name" });
    this.tags = new Chips("Tags", person.tags, known.tags.map((each) => each.tag));
    this.initial = element("span", { class: "initial", "aria-hidden": "true" });
    this.title = element("h2", {});
    this.count = element("p", { class: "count" });
    this.answer = element("div", { class: "answer" });
    this.view = element("section", { class: "person", "aria-label": `Person ${number}` },
      element("div", { class: "person-head" }, this.initial, element("div", {}, this.title, this.count)),
      element("details", { class: "identity" }, element("summary", {}, "Change the person"),
        field("User", this.user), list, this.tags.view),
      this.answer);
    this.user.addEventListener("input", () => this.name());
    this.tags.changed = () => this.name();
    this.name();
  }

  get person() {
    return { user: this.user.value.trim() || null, tags: this.tags.values };
  }

  name() {
    const { person } = this;
    this.initial.textContent = nameOf(person)[0];
    this.title.textContent = nameOf(person);
    this.count.textContent = person.user ? person.tags.join(", ") || "no tags" : "";
  }
}

class Comparison {
  constructor(place, context, known, start) {
    Object.assign(this, { place, context, known });
    this.question = input({ value: start.question, required: true, maxlength: 2000, class: "question",
      placeholder: "What would you ask an agent?" });
    this.narrowing = new Narrowing(known, () => this.question.value.trim(), true);
    this.summary = element("div", { class: "summary", "aria-live": "polite" });
    this.columns = start.people.map((person, index) => new Column(index + 1, person, known));
    this.submit = button("Ask as both", null, { kind: "primary", type: "submit" });
  }

  draw() {
    replace(this.place,
      heading(1, "One question, two people"),
      element("p", { class: "lead" }, "An agent gets only what the person behind it may read. Ask, and compare."),
      element("form", { class: "ask", onsubmit: (event) => { event.preventDefault(); this.ask(); } },
        element("div", { class: "ask-row" }, field("Question", this.question), this.submit),
        this.narrowing.view),
      this.summary,
      element("div", { class: "pair" }, this.columns.map((column) => column.view)),
      dialectPart(this.context, this.known, () => this.question.value.trim()));
    if (this.question.value !== "") {
      this.ask();
      return;
    }
    this.showLines("QUESTION", this.columns.map((column) => column.person));
    replace(this.summary, empty("Nobody has asked yet",
      "Type a question, and choose two people: by name, by tags, or both. Tags alone stand for a holder of them."));
  }

  showLines(question, people) {
    this.context.equivalents.show(people.map((person) => this.equivalent(question, person)));
  }

  async ask() {
    const question = this.question.value.trim();
    if (question === "") return;
    for (const chips of [this.narrowing.collections, ...this.columns.map((column) => column.tags)]) chips.add();
    const people = this.columns.map((column) => column.person);
    kept = { question, people: people.map((person) => ({ user: person.user ?? "", tags: person.tags })) };
    this.narrowing.show();
    this.submit.disabled = true;
    for (const column of this.columns) replace(column.answer, busy("Searching …"));
    const answers = await Promise.all(people.map((person) =>
      search(question, person, { ...this.narrowing.members, explain: true }).catch((error) => error)));
    this.submit.disabled = false;
    if (answers.every((answer) => answer instanceof ApiError && answer.status === 403)) {
      drawAlone(this.place, this.context, notice(answers[0].message));
      return;
    }
    this.show(question, people, answers);
    this.showLines(question, people);
  }

  show(question, people, answers) {
    const files = answers.map((answer) => documentsOf(answer));
    const names = people.map(nameOf);
    answers.forEach((answer, index) => {
      const other = 1 - index;
      const { answer: place } = this.columns[index];
      if (answer instanceof Error) {
        replace(place, problem(answer));
        return;
      }
      const cards = answer.passages.map((passage) => passageCard(passage, people[index], {
        onlyName: files[other].has(passage.doc_id) ? null : names[index], documentLink: true }));
      const absent = [...files[other]].filter(([id]) => !files[index].has(id));
      replace(place,
        cards.length === 0 ? empty("No passage", answer.notice ?? "This person may read nothing that answers it.")
          : someFirst(cards),
        absent.length === 0 ? null : this.absences(question, people[index], absent),
        rankingPart(answer, () => search(question, people[index], { ...this.narrowing.members, explain: true, minRelevance: 0 })));
    });
    replace(this.summary, this.comparison(names, files));
  }

  comparison(names, files) {
    const sentences = names.map((name, index) => {
      const alone = [...files[index]].filter(([id]) => !files[1 - index].has(id)).map(([, file]) => file);
      return element("li", {}, element("strong", {}, name), ` gets passages of ${plural(files[index].size, "document")}`,
        alone.length === 0 ? "." : [", alone: ", element("b", { class: "alone" }, alone.join(", ")), "."]);
    });
    const isSame = files.every((each) => each.size === files[0].size && [...each.keys()].every((id) => files[0].has(id)));
    return [isSame ? notice("Both get passages of the same documents.") : null, element("ul", { class: "facts" }, sentences)];
  }

  /** Return the documents that only the other person gets, each with the reason. */
  absences(question, person, absent) {
    const rows = absent.map(([document, file], index) => {
      const reason = element("p", { class: "reason" });
      const explain = async () => {
        replace(reason, busy("Asking why …"));
        try {
          replace(reason, whyNot(await post("access/why-not",
            { ...person, document, phrases: [question], ...this.narrowing.members })));
        } catch (error) {
          replace(reason, error.message);
        }
      };
      if (index < MOST_EXPLAINED) explain();
      else replace(reason, button("Why?", explain, { kind: "small", "aria-label": `Why is ${file} missing?` }));
      return element("li", {}, element("span", { class: "file" }, file), reason);
    });
    return element("section", { class: "absent" },
      element("h3", {}, `Not in the answer to ${nameOf(person)}`), element("ul", {}, rows));
  }

  equivalent(question, person) {
    const { collections, where } = this.narrowing.members;
    const body = { phrases: [question], as: person, ...this.narrowing.members };
    return {
      title: nameOf(person),
      command: commandLine(["search", question], { tenant: this.context.tenant, user: person.user, tag: person.tags,
        collection: collections, where }),
      curl: curlLine("POST", "search", { body }),
    };
  }
}

/** Return the documents of an answer, as a map from id to file name. */
function documentsOf(answer) {
  if (answer instanceof Error) return new Map();
  return new Map(answer.passages.map((passage) => [passage.doc_id, passage.source_file_name]));
}

/** Return the first passages, and a button that shows the others below them. */
function someFirst(cards) {
  if (cards.length <= FIRST + 1) return cards;
  const others = element("div", { class: "answer", hidden: true }, cards.slice(FIRST));
  const more = button(`Show the other ${cards.length - FIRST}`, () => {
    others.hidden = false;
    more.remove();
    others.querySelector("a").focus();
  }, { kind: "small" });
  return [cards.slice(0, FIRST), others, element("div", {}, more)];
}

/** Ask as oneself: a person without the scope `admin` cannot speak for another. */
function drawAlone(place, context, message = null) {
  const question = input({ value: kept?.question ?? "", required: true, maxlength: 2000, class: "question" });
  const narrowing = new Narrowing({ collections: [] }, () => question.value.trim(), false);
  const answer = element("div", { class: "answer alone-answer", "aria-live": "polite" },
    empty("Nobody has asked yet", "The answer has the passages that an agent of yours would get, with their sources."));
  const show = (asked) => {
    const { collections, where } = narrowing.members;
    context.equivalents.show([{ command: commandLine(["search", asked], { tenant: context.tenant,
      user: context.who.user, tag: context.who.tags, collection: collections, where }),
    curl: curlLine("POST", "search", { body: { phrases: [asked], ...narrowing.members } }) }]);
  };
  const ask = async (event) => {
    event.preventDefault();
    const asked = question.value.trim();
    kept = { question: asked, people: kept?.people ?? [] };
    replace(answer, busy("Searching …"));
    try {
      narrowing.collections.add();
      narrowing.show();
      const found = await search(asked, null, narrowing.members);
      replace(answer, found.passages.map((passage) => passageCard(passage, context.who)),
        found.passages.length === 0 ? empty("No passage", found.notice ?? "Nothing that you may read answers it.") : null);
    } catch (error) {
      replace(answer, problem(error));
    }
    show(asked);
  };
  show(question.value || "QUESTION");
  replace(place, heading(1, "Ask as yourself"),
    element("p", { class: "lead" }, "You get what an agent gets that asks for you: only what you may read."), message,
    element("form", { class: "ask", onsubmit: ask },
      element("div", { class: "ask-row" }, field("Question", question),
        button("Ask", null, { kind: "primary", type: "submit" })), narrowing.view), answer,
  dialectPart(context, { collections: [] }, () => question.value.trim()));
}

export const tryScreen = {
  id: "try",
  title: "Try",
  scopes: ["search"],
  async render(place, context) {
    if (!context.isAdmin) {
      drawAlone(place, context);
      return;
    }
    replace(place, busy());
    const known = await directory(context);
    new Comparison(place, context, known, kept ?? firstPeople(known)).draw();
  },
};
