/** Every language has the texts and placeholders of English. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import english from '../../content/verify/en.json';

const FOLDER = join(__dirname, '../../content/verify');
const files = readdirSync(FOLDER);

/** The placeholders of each text by its path. Plural categories differ between languages. */
function textsOf(value: unknown, path = ''): [path: string, placeholders: string[]][] {
  if (typeof value === 'string') return [[path, (value.match(/\{\w+\}/g) ?? []).sort()]];
  return Object.entries(value as object)
    .filter(([key]) => key !== 'attempts')
    .flatMap(([key, entry]) => textsOf(entry, `${path}/${key}`));
}

test('English is there', () => expect(files).toContain('en.json'));

test.each(files)('%s', (file) => {
  const words: typeof english = JSON.parse(readFileSync(join(FOLDER, file), 'utf8'));
  expect(textsOf(words)).toEqual(textsOf(english));
  expect(`${words.locale}.json`).toBe(file);
  expect(['ltr', 'rtl']).toContain(words.direction);
  const { pluralCategories } = new Intl.PluralRules(words.locale).resolvedOptions();
  expect(pluralCategories).toEqual(expect.arrayContaining(Object.keys(words.attempts)));
  const names = (entries: { name: string }[]) => entries.map(({ name }) => name);
  for (const list of ['movements', 'guidance', 'trouble', 'messages', 'allowCamera'] as const)
    expect(names(words[list])).toEqual(names(english[list]));
});
