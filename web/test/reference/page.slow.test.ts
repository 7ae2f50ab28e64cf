/**
 * The pages of the reference and their Markdown contain the contract.
 *
 * Slow: it compares every page of the reference, in HTML and Markdown, with the contract.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import errors from '@presenza/contract/errors.json';
import events from '@presenza/contract/events.json';
import openapi from '@presenza/contract/openapi.json';
import sidebar from '../../content/docs/sidebar.json';
import { decode, tags, textOf } from '../html';
import { addresses, PUBLIC, readPage } from '../quality/built-site';
import { readReference } from './read-reference';

// biome-ignore lint/suspicious/noExplicitAny: untyped documents are traversed here.
type Doc = any;

const PATH = '/docs/api-reference';
const FULL = `${PATH}/all`;
/** The page in full, and those of the resources. */
const html = readPage(FULL);
const text = textOf(html);
const RESOURCES = addresses.filter((path) => path.startsWith(`${PATH}/`) && path !== FULL);
const resourceText = RESOURCES.map((path) => textOf(readPage(path))).join(' ');
const { markdown: markdownOf } = readReference();
const markdown = markdownOf[FULL] ?? '';
/** The most bytes of HTML, before compression. */
const MAX_BYTES = 200_000;
const SECTIONS = 'overview authentication base-url liveness webhooks detect compare moderate errors'.split(
  ' ',
);

const schema = (name: string): Doc =>
  JSON.parse(readFileSync(require.resolve(`@presenza/contract/schemas/${name}`), 'utf8'));

/** Names and descriptions of all properties of a schema, including referenced schemas. */
function namedIn(node: Doc): [string, string][] {
  if (node.$ref) return namedIn({ ...schema(node.$ref.replace('schemas/', '')), $ref: undefined });
  const properties = Object.entries<Doc>(node.properties ?? {}).flatMap(
    ([name, field]): [string, string][] => [[name, field.description], ...namedIn(field)],
  );
  return [...properties, ...(node.items ? namedIn(node.items) : [])];
}

const operations = Object.entries<Doc>(openapi.paths).flatMap(([path, item]) =>
  Object.entries<Doc>(item)
    .filter(([method]) => method !== 'parameters')
    .map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);
const withoutMark = (description: string) => description.replace(/^Extension(?:, [a-z ]+)?\. /, '');
/** Normalizes whitespace. */
const flat = (content: string) => content.replace(/\s+/g, ' ');

test('the nine sections of the first page are in order', () => {
  expect(tags(readPage(PATH), 'h2').map(({ id }) => id)).toEqual(SECTIONS);
});

test.each([PATH, ...RESOURCES])('%s is small', (path) => {
  expect(statSync(join(PUBLIC, path, 'index.html')).size).toBeLessThanOrEqual(MAX_BYTES);
});

test('the page in full has all resources in the order of the sidebar, and search engines find their own pages', () => {
  const order = sidebar.groups.flatMap(({ links }) => links.map(({ to }) => to));
  const listed = order.filter((to) => RESOURCES.includes(to));
  expect(listed).toHaveLength(RESOURCES.length);
  const parts = tags(html, 'h2').flatMap(({ id }) => id ?? []);
  expect(parts.map((id) => `${PATH}/${id}`)).toEqual(listed);
  expect(tags(html, 'meta')).toContainEqual(expect.objectContaining({ name: 'robots', content: 'noindex' }));
});

test.each([PATH, FULL, ...RESOURCES])('every id of %s is unique', (path) => {
  const ids = [
    ...readPage(path)
      .replace(/<script[\s\S]*?<\/script>|<!--[\s\S]*?-->/g, '')
      .matchAll(/\sid="([^"]*)"/g),
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
    ['its page', resourceText],
    ['the page in full', text],
    ['Markdown', flat(markdown)],
  ])('appears in %s with its fields', (_name, content) => {
    expect(content).toContain(`${method} ${path}`);
    expect(content).toContain(summary);
    expect(content).toContain(withoutMark(description));
    for (const parameter of parameters.filter((candidate: Doc) => candidate.name)) {
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

test.each(['detect', 'compare', 'moderate'])('%s opens in the playground of the console', (operation) => {
  for (const path of [PATH, `${PATH}/${operation}`])
    expect(tags(readPage(path), 'a').map(({ href }) => href)).toContain(
      `/console/playground?operation=${operation}`,
    );
});

test('a liveness check starts in the console', () => {
  for (const path of [PATH, `${PATH}/liveness`])
    expect(tags(readPage(path), 'a').map(({ href }) => href)).toContain('/console/sessions');
});

test('the first program of each client library is that of its README', () => {
  const folder = join(dirname(require.resolve('@presenza/contract/brand.json')), 'clients');
  const page = decode(readPage(`${PATH}/sdks`).replace(/<[^>]+>/g, ''));
  for (const client of ['typescript', 'python', 'go', 'java']) {
    const readme = readFileSync(join(folder, client, 'README.md'), 'utf8');
    const [, code = ''] = /^```\w+\n([\s\S]*?)^```$/m.exec(readme) ?? [];
    expect(code).not.toBe('');
    for (const content of [page, markdown]) expect(content).toContain(code.trim());
  }
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

test('every example of an error links to its code', () => {
  const folder = join(dirname(require.resolve('@presenza/contract/brand.json')), 'examples');
  const links = tags(readPage(PATH), 'a');
  const codes = new Set<string>();
  for (const name of readdirSync(folder).filter((file) => file.startsWith('error-response--'))) {
    const { code, docUrl } = JSON.parse(readFileSync(join(folder, name), 'utf8')).error;
    const [path, anchor] = docUrl.split('#');
    const place = links.find(({ id }) => id === anchor)?.href;
    expect([code, path, place]).toEqual([code, PATH, `${PATH}/errors#${anchor}`]);
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

test('the page in full contains the samples of all operations in all languages without scripts', () => {
  const { reference } = readReference();
  const panels = [...html.matchAll(/data-language="(\w+)"><p[^>]*>[^<]*<\/p><div>([\s\S]*?)<\/div>/g)].map(
    ([, language = '', content = '']) => [language, decode(content.replace(/<[^>]+>/g, ''))] as const,
  );
  const shown = (samples: { language: string; code: string }[]) =>
    samples.map(({ language, code }) => [language, code.trimEnd()]);
  const before = [
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
    ...before.flatMap((id) => shown(samplesOf(id))),
    ...shown(reference.receivers),
    ...after.flatMap((id) => shown(samplesOf(id))),
  ]);
});
