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
  const texts: typeof english = JSON.parse(readFileSync(join(FOLDER, file), 'utf8'));
  expect(textsOf(texts)).toEqual(textsOf(english));
  expect(`${texts.locale}.json`).toBe(file);
  expect(texts.direction).toBe(texts.locale === 'ar' ? 'rtl' : 'ltr');
  const { pluralCategories } = new Intl.PluralRules(texts.locale).resolvedOptions();
  for (const forms of pluralsOf(texts)) {
    expect(Object.keys(forms).sort()).toEqual([...pluralCategories].sort());
    expect(forms.other).toContain('{count}');
  }
  const names = (entries: { name: string }[]) => entries.map(({ name }) => name);
  expect(names(texts.consent.data)).toEqual(names(english.consent.data));
  expect(names(texts.help.tips)).toEqual(names(english.help.tips));
  for (const list of [
    'movements',
    'deviceMovements',
    'guidance',
    'trouble',
    'messages',
    'allowCamera',
  ] as const)
    expect(names(texts[list])).toEqual(names(english[list]));
});
