// @ts-check
/** @import { Preview } from "../../wire/messages.js" */
/** @import { Ghosts } from "../../model/ghosts.js" */

/**
 * The proposals of one author that offer the same thing in different ways, oldest first. One without such company is
 * alone.
 *
 * @param {Pick<Ghosts, "list">} ghosts
 * @param {Preview} preview
 * @returns {Preview[]}
 */
export function alternativesOf(ghosts, preview) {
  const { altGroup, author } = preview;
  if (!altGroup) return [preview];
  const all = ghosts.list().map((ghost) => ghost.preview);
  return all.filter((each) => each.author === author && each.altGroup === altGroup);
}
