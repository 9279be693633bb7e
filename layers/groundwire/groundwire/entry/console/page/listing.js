// Lists that come in parts, read up to a bound.

import { get } from "./api.js";

const DOCUMENTS = 200;
const LINES = 200;
const KEYS = 1000;
const MOST_PARTS = 10;

/** Pass each part of a list to `take` until it returns true. Returns whether the list ended before the bound. */
async function parts(route, values, take) {
  let after = null;
  for (let part = 0; part < MOST_PARTS; part += 1) {
    const answer = await get(route, { ...values, after });
    after = answer.next;
    if (take(answer) || after === null) return true;
  }
  return false;
}

/** Return the keys, revoked and expired ones included. */
export async function allKeys() {
  const found = [];
  await parts("keys", { limit: KEYS }, ({ keys }) => { found.push(...keys); return false; });
  return found;
}

/** Pass the documents of a collection to `take`, part by part, until it returns true. */
export const documentParts = (collection, take) =>
  parts("documents", { collection, limit: DOCUMENTS }, ({ documents }) => take(documents));

/** Pass lines of the audit log to `take`, the latest first; a part may have none and still a next one. */
export const auditParts = (values, take) => parts("audit", { limit: LINES, ...values }, ({ rows }) => take(rows));
