/** The reference page and its Markdown contain the contract. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import errors from '@presenza/contract/errors.json';
import events from '@presenza/contract/events.json';
import openapi from '@presenza/contract/openapi.json';
import { decode, tags, textOf } from '../html';
import { readReference } from './read-reference';

// biome-ignore lint/suspicious/noExplicitAny: untyped documents are traversed here.
type Doc = any;

const html = readFileSync(join(__dirname, '../../public/docs/api-reference/index.html'), 'utf8');
const text = textOf(html);
const { markdown } = readReference();
const SECTIONS = 'overview authentication base-url liveness webhooks detect compare moderate errors'.split(
  ' ',
);

const schema = (name: string): Doc =>
  JSON.parse(readFileSync(require.resolve(`@presenza/contract/schemas/${name}`), 'utf8'));

/** Names and descriptions of all properties of a schema, including referenced schemas. */
function namedIn(node: Doc): [string, string][] {
  if (node.$ref) return namedIn({ ...schema(node.$ref.replace('schemas/', '')), $ref: undefined });
  const own = Object.entries<Doc>(node.properties ?? {}).flatMap(([name, field]): [string, string][] => [
    [name, field.description],
    ...namedIn(field),
  ]);
  return [...own, ...(node.items ? namedIn(node.items) : [])];
}

const operations = Object.entries<Doc>(openapi.paths).flatMap(([path, item]) =>
  Object.entries<Doc>(item)
    .filter(([method]) => method !== 'parameters')
    .map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);
const withoutMark = (description: string) => description.replace(/^Extension(?:, [a-z ]+)?\. /, '');
/** Normalizes whitespace. */
const flat = (content: string) => content.replace(/\s+/g, ' ');

test('the nine sections are in order', () => {
  expect(tags(html, 'h2').map(({ id }) => id)).toEqual(SECTIONS);
});

test('every id is unique', () => {
  const ids = [
    ...html.replace(/<script[\s\S]*?<\/script>|<!--[\s\S]*?-->/g, '').matchAll(/\sid="([^"]*)"/g),
  ].map(([, id]) => id);
  expect(ids.filter((id, position) => ids.indexOf(id) !== position)).toEqual([]);
});

describe.each(operations)('$method $path', ({ path, method, operation }) => {
  const { summary, description, requestBody, responses, parameters = [] } = operation;
  const bodies = [
    ...Object.values<Doc>(requestBody?.content ?? {}),
    ...Object.values<Doc>(responses['200'].content),
  ];
  const fields = bodies.flatMap(({ schema: body }) => namedIn(body));

  test.each([
    ['page', text],
    ['Markdown', flat(markdown)],
  ])('stands in the %s with its fields', (_name, content) => {
    expect(content).toContain(`${method} ${path}`);
    expect(content).toContain(summary);
    expect(content).toContain(withoutMark(description));
    for (const parameter of parameters.filter((one: Doc) => one.name)) {
      expect(content).toContain(parameter.name);
      expect(content).toContain(withoutMark(parameter.description));
    }
    const envelope = new Set(['success', 'requestId', 'data']);
    for (const [name, meaning] of fields.filter(([name]) => !envelope.has(name))) {
      expect(content).toContain(name);
      expect(content).toContain(withoutMark(meaning));
    }
  });
});

test.each(Object.entries<Doc>(errors))('%s has its status, message and advice', (code, error) => {
  const start = html.indexOf(`id="${code.toLowerCase().replaceAll('_', '-')}"`);
  expect(start).toBeGreaterThan(0);
  const entry = textOf(`<body>${html.slice(start, html.indexOf('</li>', start))}`);
  for (const part of [code, String(error.status), error.message, error.advice]) expect(entry).toContain(part);
  for (const [reason, message] of Object.entries<string>(error.reasons ?? {})) {
    expect(entry).toContain(reason);
    expect(entry.replace(/\s+/g, '')).toContain(message.replace(/[{}]|\s+/g, ''));
  }
  for (const part of [`### ${code}`, error.message, error.advice]) expect(markdown).toContain(part);
});

test('every example of an error links to its code on this page', () => {
  const folder = join(dirname(require.resolve('@presenza/contract/brand.json')), 'examples');
  const ids = new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id));
  const codes = new Set<string>();
  for (const name of readdirSync(folder).filter((file) => file.startsWith('error-response--'))) {
    const { code, docUrl } = JSON.parse(readFileSync(join(folder, name), 'utf8')).error;
    const [path, anchor] = docUrl.split('#');
    expect([code, path, ids.has(anchor)]).toEqual([code, '/docs/api-reference', true]);
    codes.add(code);
  }
  expect([...codes].sort()).toEqual(Object.keys(errors).sort());
});

test.each(events)('$id has its trigger and body', ({ id, when }) => {
  for (const content of [text, flat(markdown)]) {
    expect(content).toContain(id);
    expect(content).toContain(when);
  }
  expect(text.replace(/\s/g, '')).toContain(`"eventType":"${id}"`);
});

test('the page contains the samples of all operations in all languages without scripts', () => {
  const { reference } = readReference();
  const panels = [...html.matchAll(/data-language="(\w+)"><p[^>]*>[^<]*<\/p><div>([\s\S]*?)<\/div>/g)].map(
    ([, language = '', content = '']) => [language, decode(content.replace(/<[^>]+>/g, ''))] as const,
  );
  const shown = (samples: { language: string; code: string }[]) =>
    samples.map(({ language, code }) => [language, code.trimEnd()]);
  const byPage = [
    'getHealth',
    'getUsage',
    'createLivenessSession',
    'getLivenessSession',
    'deleteLivenessSession',
  ];
  const after = ['detectFaces', 'compareFaces', 'moderateImage', 'runBatch'];
  const samplesOf = (id: string) =>
    reference.operations.find(({ operationId }) => operationId === id)?.samples ?? [];
  expect(panels).toEqual([
    ...byPage.flatMap((id) => shown(samplesOf(id))),
    ...shown(reference.receivers),
    ...after.flatMap((id) => shown(samplesOf(id))),
  ]);
});
