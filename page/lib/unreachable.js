// @ts-check

/**
 * Ends every match over a union: a member that is added and not handled fails the type check here.
 *
 * @param {never} value
 * @returns {never} It throws, should data of another version get this far.
 */
export function unreachable(value) {
  throw new TypeError(`not one of the known kinds: ${JSON.stringify(value)}`);
}
