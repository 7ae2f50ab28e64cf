/** Finds the additions of a contract: the comparison with an earlier one in reverse, because an addition is a removal there. */
import { breakingChanges } from './breaking-changes.mjs';

const REMOVED = ' is removed';
/** Sentences for the places of additions. The comparison reports a shared type only at its first place. */
const SENTENCES = [
  [/^\S+ \S+ \d{3}: the header (\S+)$/, 'Responses have the header `$1`.'],
  [/^\S+ \S+ [45]\d\d\.error\.(\S+)$/, 'Errors have the field `$1`.'],
  [/^POST (session\.\w+)$/, 'The event `$1` is new.'],
  [/^POST session\.\w+ request\.(\S+)$/, 'Events have the field `$1`.'],
  [/^(\S+ \/\S*)$/, '`$1` is new.'],
  [/^(\S+ \S+): the parameter (\S+)$/, '`$1` has the parameter `$2`.'],
  [/^(\S+ \S+) request: the media type (\S+)$/, '`$1` accepts bodies of the type `$2`.'],
  [/^(\S+ \S+) request\.(\S+)$/, '`$1` accepts the field `$2`.'],
  [/^(\S+ \S+) \d{3}\.(\S+)$/, '`$1` returns the field `$2`.'],
];

export const additions = (before, now) => [
  ...new Set(
    breakingChanges(now, before)
      .filter((line) => line.endsWith(REMOVED))
      .map((line) => sentenceOf(line.slice(0, -REMOVED.length))),
  ),
];

function sentenceOf(added) {
  const [form, sentence] = SENTENCES.find(([known]) => known.test(added)) ?? [/^.*$/, '$& is new.'];
  return added.replace(form, sentence);
}
