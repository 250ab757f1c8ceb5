// @ts-check
/** @import { Tool } from "../wire/messages.js" */

/**
 * A tool as a WebMCP host wants it, but for what it does.
 *
 * @typedef {object} Declared
 * @property {string} name
 * @property {string} description
 * @property {Readonly<Record<string, unknown>>} inputSchema
 * @property {{ readonly readOnlyHint: boolean }} annotations
 */

/** @type {readonly Tool["owner"][]} */
const GROUPS = ["canvas", "materials"];

/**
 * The tools in the order in which they are registered: the canvas's, then the materials'; inside a group as the
 * broker lists them. Groups leave no trace: hosts know no categories.
 *
 * @param {readonly Tool[]} tools
 * @returns {Declared[]}
 */
export function composed(tools) {
  return GROUPS.flatMap((owner) => tools.filter((tool) => tool.owner === owner)).map(declared);
}

/** @param {Tool} tool @returns {Declared} */
function declared({ name, description, inputSchema, readOnly }) {
  return { name, description, inputSchema, annotations: { readOnlyHint: readOnly } };
}
