/** The tests that the page about the console's security names exist, and no requirement is missing. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const page = readFileSync(join(root, 'web/content/docs/operations/console-security.mdx'), 'utf8');
const rows = [...page.matchAll(/^\| `(\d\.\d\.\d+)` \| (.+) \| (.+) \| (.+) \|$/gm)].map(
  ([, id = '', meaning = '', how = '', proof = '']) => ({ id, meaning, how, proof }),
);
const proofs = rows.flatMap(({ id, proof }) => {
  const [, file = '', title = ''] = /^`([\w./-]+\.test\.ts)`: “([^”]+)”$/.exec(proof) ?? [];
  return file === '' ? [] : [[id, title, file] as const];
});

/** The number of requirements of level one and two in each section of ASVS 5.0.0. */
const sections = {
  '6.1': 3,
  '6.2': 12,
  '6.3': 4,
  '6.4': 4,
  '6.5': 5,
  '6.6': 3,
  '6.8': 4,
  '7.1': 3,
  '7.2': 4,
  '7.3': 2,
  '7.4': 5,
  '7.5': 2,
  '7.6': 2,
};

test('every requirement of the chapters has a row with a test, or does not apply', () => {
  const ids = Object.entries(sections).flatMap(([section, count]) =>
    Array.from({ length: count }, (_, i) => `${section}.${i + 1}`),
  );
  expect(rows.map(({ id }) => id)).toEqual(ids);
  const proven = new Set<string>(proofs.map(([id]) => id));
  const others = rows.filter(({ id }) => !proven.has(id));
  expect(others.map(({ proof }) => proof)).toEqual(others.map(() => 'Does not apply'));
});

test.each(proofs)('%s: “%s” is in %s', (_id, title, file) => {
  const code = readFileSync(join(root, file), 'utf8');
  expect(code.includes(`'${title}'`) || code.includes(`"${title}"`)).toBe(true);
});
