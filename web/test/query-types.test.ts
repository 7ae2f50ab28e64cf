/** The committed query types are those of the queries that the last build ran. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const WEB = join(__dirname, '..');

test('src/query-types.d.ts matches the queries; if not, run `npm run types -w web`', () => {
  const generated = readFileSync(join(WEB, '.cache/typegen/types.d.ts'), 'utf8');
  const committed = readFileSync(join(WEB, 'src/query-types.d.ts'), 'utf8');
  const typesOf = (text: string) => text.match(/^type \w+(?:Query|Fragment) = .+;$/gm)?.sort();
  expect(typesOf(committed)?.length).toBeGreaterThan(40);
  expect(typesOf(committed)).toEqual(typesOf(generated));
});
