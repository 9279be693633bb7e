// Other readers for one document or several, with the effect on each before anything changes.

import { call, path, post } from "./api.js";
import { busy, notice, plural, table, tagList } from "./controls.js";
import { askBefore, askFor } from "./dialog.js";
import { directory } from "./directory.js";
import { element, replace } from "./element.js";
import { commandLine, curlLine } from "./equivalents.js";
import { readersOf } from "./explanations.js";
import { PolicyForm, effectView, newTags, policyOptions } from "./policy_form.js";

export const MOST_AT_ONCE = 50;
const MOST_LINES = 5;

/** Return a route with the reason of a person's decision. */
export const withReason = (route, reason) => reason === "" ? route : `${route}?${new URLSearchParams({ reason })}`;

/** Return who is on one side of an effect, in a row of names. */
function names(side, isEveryone) {
  if (isEveryone) return "every user of the tenant";
  const found = new Set([...side.named_users, ...(side.users ?? []), ...side.tag_sets.map((tags) => tags.join(" and ")), ...(side.groups ?? [])]);
  return tagList([...found], "nobody");
}

/** Return the effect on each document: a table for several ones, the whole effect for a single one. */
async function effects(context, rows, policy, place) {
  if (!context.isAdmin) return element("ul", {}, rows.map((row) => element("li", {}, `${row.file}: until now ${row.readers}`)));
  const answers = [];
  for (const row of rows) {
    replace(place, busy(`Looking at ${answers.length + 1} of ${plural(rows.length, "document")} …`));
    answers.push(await post("access/what-if", { change: "policy", document: row.doc_id, policy }));
  }
  if (rows.length === 1) return effectView(answers[0]);
  return table("Effect on each document", ["Document", "Until now", "Can read it then", "Can no longer read it"], rows.map((row, index) => {
    const { added, removed, everyone_before: before, everyone_after: after } = answers[index];
    return [row.file, row.readers, names(added, after && !before), names(removed, before && !after)];
  }));
}

/** Put each document under the policy; a refusal of one leaves the others. Returns the refusals. */
async function carryOut(rows, body, reason) {
  const refusals = [];
  for (const row of rows) {
    try {
      await call("PUT", withReason(`${path`documents/${row.doc_id}`}/policy`, reason), { body });
    } catch (error) {
      if (rows.length === 1) throw error;
      refusals.push([row.file, error.message]);
    }
  }
  return refusals;
}

/** Ask for other readers, show the effect, and set them. Returns refusals by file, or undefined where nothing changed. */
export async function changeReaders(context, rows, policy) {
  const form = new PolicyForm(policy, await directory(context));
  const title = rows.length === 1 ? `Readers of ${rows[0].file}` : `Readers of ${plural(rows.length, "document")}`;
  const isDone = await askFor(title, "Show the effect", form.view,
    element("p", { class: "quiet" }, "Nothing changes before you confirm the effect."));
  if (!isDone) return undefined;
  const wanted = form.policy;
  context.equivalents.show(rows.slice(0, MOST_LINES).map((row) => ({ title: rows.length === 1 ? null : row.file,
    command: commandLine(["documents", "set-policy", row.doc_id], { tenant: context.tenant, ...policyOptions(wanted) }),
    curl: curlLine("PUT", `${path`documents/${row.doc_id}`}/policy`, { body: wanted }) })));
  let isNew = false;
  return askBefore({ title, action: "Set the readers", asksReason: true, isDangerous: wanted.public,
    preview: async (place) => {
      const { notices, hasSlip } = await newTags([...wanted.any_tags, ...wanted.all_tags]).catch(() => ({ notices: [], hasSlip: false }));
      // Whoever confirms below the warning has decided for the new tag.
      isNew = hasSlip;
      return [element("p", {}, `Afterwards: ${readersOf(wanted)}.`), notices,
        wanted.public ? notice("Every user of the tenant will read it, now and later, with any tags.", "bad") : null,
        await effects(context, rows, wanted, place)];
    },
    act: (reason) => carryOut(rows, isNew ? { ...wanted, new_tags: true } : wanted, reason) });
}
