// Fields that name a person: a user, tags, and a key with its bounds.

import { Chips, field, input, proposals } from "./controls.js";
import { element } from "./element.js";

/** Fields of a person. Empty tags mean those that are stored for the user, as in a call. */
export class PersonForm {
  constructor(known, { withKey = true } = {}) {
    const list = proposals(known.users.map((each) => each.user));
    this.user = input({ list: list.id, placeholder: "ana@example.com" });
    this.tags = new Chips("Tags of the call", [], known.tags.map((each) => each.tag), "Empty: the stored tags of the user.");
    this.kid = input({ placeholder: "any key" });
    this.view = element("div", { class: "fields" }, element("div", {}, field("User", this.user), list), this.tags.view,
      withKey ? field("Key id (optional)", this.kid, "Then the bounds of this key apply.") : null);
  }

  /** The person as the routes take it: absent members count as in a call without them. */
  get person() {
    this.tags.add();
    const named = { user: this.user.value.trim(), kid: this.kid.value.trim() };
    return {
      ...(named.user ? { user: named.user } : {}),
      ...(this.tags.values.length > 0 ? { tags: this.tags.values } : {}),
      ...(named.kid ? { kid: named.kid } : {}),
    };
  }

  get options() {
    const { user, tags, kid } = this.person;
    return { user, tag: tags, kid };
  }
}
