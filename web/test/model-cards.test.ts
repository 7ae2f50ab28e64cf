/** The model cards show every default model with its origin, and the figures of its measurements. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import lfw from '../../benchmarks/results/accuracy/lfw.json';
import defaults from '../../inference/src/serving/default-models.json';
import { cards, labels } from '../content/model-cards.json';
import { decode, textOf } from './html';
import { readPage } from './quality/built-site';

const page = textOf(readPage('/docs/models'));
const twin = readFileSync(join(__dirname, '../public/docs/models.md'), 'utf8');

const models = Object.values(defaults);
const manifestOf = (id: string) =>
  JSON.parse(readFileSync(join(__dirname, '../../inference/models', `${id}.json`), 'utf8'));

test('each role is on one card', () => {
  expect(cards.flatMap(({ roles }) => roles).sort()).toEqual(Object.keys(defaults).sort());
});

test.each(models)('%s has its license, training data and hashes', (id) => {
  const { license, trainingData, source } = manifestOf(id);
  for (const text of [page, twin]) {
    expect(text).toContain(license);
    expect(text).toContain(trainingData);
    expect(text).toContain(source.url ? new URL(source.url).hostname : source.package);
    for (const { sha256 } of source.files ?? [source]) expect(text).toContain(sha256);
  }
});

test('each card has its use, limits and measurements', () => {
  for (const { measurements } of cards) for (const name of measurements) expect(page).toContain(name);
  for (const label of [labels.use, labels.outOfScope, labels.limits, labels.figures])
    expect(page.split(label).length - 1).toBe(cards.length);
});

test('a figure has its sample and its interval', () => {
  const [{ value, sample }] = lfw.figures as [(typeof lfw.figures)[0]];
  const [low, high] = sample.interval;
  for (const number of [value, low as number, high as number]) {
    const shown = Number(number.toPrecision(4)).toLocaleString('en-US', { maximumSignificantDigits: 4 });
    expect(page).toContain(shown);
    expect(twin).toContain(shown);
  }
  const count = `${sample.hits.toLocaleString('en-US')} of ${sample.n.toLocaleString('en-US')} ${sample.items}`;
  expect(page).toContain(count);
  expect(twin).toContain(count);
});

test('the Markdown twin has no component', () => {
  expect(decode(twin)).not.toContain('<ModelCard');
});
