/** Every language has the texts, placeholders and numbers of English. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import locales from '@presenza/contract/schemas/liveness-locale.json';
import english from '../../content/verify/en.json';

const FOLDER = join(__dirname, '../../content/verify');
const files = readdirSync(FOLDER);

/** The placeholders and numbers of each text by its path. Plural categories differ between languages. */
function textsOf(value: unknown, path = ''): [path: string, placeholders: string[]][] {
  if (typeof value === 'string') return [[path, (value.match(/\{\w+\}|\d+/g) ?? []).sort()]];
  return Object.entries(value as object)
    .filter(([, entry]) => !isPlural(entry))
    .flatMap(([key, entry]) => textsOf(entry, `${path}/${key}`));
}

const isPlural = (value: unknown) => typeof value === 'object' && value !== null && 'other' in value;

/** The texts by plural category. */
const pluralsOf = ({ attempts, consent }: typeof english) => [
  attempts,
  consent.retention.hours,
  consent.retention.minutes,
  consent.retention.days,
];

test('the languages are those that sessions may have', () => {
  expect(files.map((file) => file.replace('.json', '')).sort()).toEqual([...locales.enum].sort());
});

test.each(files)('%s', (file) => {
  const words: typeof english = JSON.parse(readFileSync(join(FOLDER, file), 'utf8'));
  expect(textsOf(words)).toEqual(textsOf(english));
  expect(`${words.locale}.json`).toBe(file);
  expect(words.direction).toBe(words.locale === 'ar' ? 'rtl' : 'ltr');
  const { pluralCategories } = new Intl.PluralRules(words.locale).resolvedOptions();
  for (const texts of pluralsOf(words)) {
    expect(Object.keys(texts).sort()).toEqual([...pluralCategories].sort());
    expect(texts.other).toContain('{count}');
  }
  const names = (entries: { name: string }[]) => entries.map(({ name }) => name);
  expect(names(words.consent.data)).toEqual(names(english.consent.data));
  for (const list of [
    'movements',
    'deviceMovements',
    'guidance',
    'trouble',
    'messages',
    'allowCamera',
  ] as const)
    expect(names(words[list])).toEqual(names(english[list]));
});
