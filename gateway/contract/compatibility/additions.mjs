/** Finds the additions of a contract: the comparison with an earlier one in reverse, because an addition is a removal there. */
import { breakingChanges } from './breaking-changes.mjs';

const REMOVED = ' is removed';
/** A header of many responses is one addition. */
const HEADER = /^\S+ \S+ \d{3}: the header (\S+)$/;

export const additions = (before, now) => [
  ...new Set(
    breakingChanges(now, before)
      .filter((line) => line.endsWith(REMOVED))
      .map((line) => sentenceOf(line.slice(0, -REMOVED.length))),
  ),
];

function sentenceOf(added) {
  const [, header] = HEADER.exec(added) ?? [];
  return header
    ? `Responses have the header \`${header}\`.`
    : `${added.replace(/^\S+ [^\s:]+/, '`$&`')} is new.`;
}
