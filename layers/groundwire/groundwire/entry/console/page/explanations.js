// Sentences for the decisions that the server makes. The page words them, and never decides.

/** Return what a person is called on the page. */
export function nameOf(person) {
  if (person?.user) return person.user.split("@")[0].replace(/^./, (first) => first.toUpperCase());
  if (person?.tags?.length) return `Somebody with ${person.tags.join(", ")}`;
  return "Somebody without tags";
}

/** Return the sentence of why a person may read a document. */
export function whyVisible(access, person) {
  const who = nameOf(person);
  if (access.reason === "public") return "Visible because every user of the tenant may read it.";
  if (access.reason === "named_user") return `Visible because its readers name ${who}.`;
  if (access.needed_tags?.length) return `Visible because ${who} has ${access.needed_tags.join(" and ")}.`;
  return `Visible because the tags of ${who} match its readers.`;
}

const REASONS = {
  key_revoked: () => "the key is revoked",
  key_expired: () => "the key has expired",
  no_search_scope: () => "the key may not search",
  blocked: (who) => `${who} is blocked`,
  user_required: () => "the key requires a user in each call",
  identity_not_allowed: () => "the token has more tags than a call can have",
  not_indexed: () => "the document is not indexed",
  collection_not_covered: () => "the key does not cover the collection",
  empty_policy: () => "the document admits nobody",
  no_match: (who) => `its readers name neither ${who} nor enough of the tags`,
  ceiling: () => "a person limited the readers, and the limit leaves this one out",
};

/** Return the sentence of the rule that decides, of an answer of `access/check`. */
export function decision(access) {
  const who = nameOf(access.person);
  if (access.allowed) return `${who} may read it. ${whyVisible(access, access.person)}`;
  const reason = REASONS[access.reason]?.(who) ?? access.reason;
  return `${who} may not read it: ${reason}.`;
}

/** Return what would change the decision; an empty text where no tag would. */
export function remedy(access) {
  const sets = access.missing_tags ?? [];
  if (access.allowed || sets.length === 0) return "";
  const choices = sets.map((tags) => tags.join(" and "));
  return `It would be readable with ${choices.join(", or with ")}.`;
}

const OUTCOMES = {
  closed: (answer) => `${decision(answer.access)} ${remedy(answer.access)}`,
  other_collection: () => "The search leaves its collection out.",
  filtered: () => "No passage of it passes the filter.",
  not_a_candidate: () => "Neither its words nor its meaning are near enough to the question.",
  near_duplicate: () => "Another document with nearly the same passage is shown in its place.",
  beyond_top_n: (answer) => `Other passages are better: its best one has rank ${answer.rank}.`,
  below_floor: () => "Its passages are not relevant enough to be shown.",
  shown: () => "The search shows it.",
};

/** Return the sentence of why a search does not show a document. */
export function whyNot(answer) {
  return OUTCOMES[answer.outcome]?.(answer) ?? answer.outcome;
}

/** Return the readers of a policy in words. */
export function readersOf(policy) {
  if (policy.public) return "every user of the tenant";
  const parts = [];
  if (policy.users.length > 0) parts.push(policy.users.join(", "));
  const tags = [];
  if (policy.any_tags.length > 0) tags.push(`one of ${policy.any_tags.join(", ")}`);
  if (policy.all_tags.length > 0) tags.push(`all of ${policy.all_tags.join(", ")}`);
  if (tags.length > 0) parts.push(`holders of ${tags.join(" and ")}`);
  return parts.length === 0 ? "nobody" : parts.join("; ");
}
