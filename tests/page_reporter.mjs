/** What `node --test` says in a check: the tests that failed, and one closing line of counts. */
import { inspect } from "node:util";

/** @param {AsyncIterable<{type: string, data: any}>} events as node's test runner sends them */
export default async function* failures(events) {
  const counts = [];
  for await (const { type, data } of events) {
    if (type === "test:fail") yield `not ok - ${data.name} (${data.file}:${data.line})\n${reason(data.details.error)}\n`;
    if (type === "test:stdout" || type === "test:stderr") yield data.message;
    if (type === "test:diagnostic" && data.nesting === 0) counts.push(data.message);
  }
  yield `${counts.join(", ")}\n`;
}

/** @param {Error} error node's own, around what the test threw */
function reason(error) {
  return inspect(error.cause ?? error).replace(/^/gm, "    ");
}
