/** The document that the libraries for Go and Java are generated from, and the first examples of all READMEs. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { METHOD_NAMES } from '../client/method-names.mjs';
import { OPERATIONS } from '../client/operations';
import { clientDocument, retryable } from './document.mjs';
import { firstExample } from './first-example.mjs';

const document = clientDocument();
const operations = Object.entries<Record<string, Record<string, unknown>>>(document.paths).flatMap(
  ([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, ...operation })),
);

test('has the methods of the TypeScript client, with the same names', () => {
  const methods = operations.map(({ method, path, operationId }) => [operationId, { method, path }]);
  expect(Object.keys(OPERATIONS).sort()).toEqual(methods.map(([name]) => name).sort());
  expect(OPERATIONS).toMatchObject(Object.fromEntries(methods));
});

test('refers only to types that it has, and has the error and the event', () => {
  const names = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(
    ([, name]) => name,
  );
  expect(Object.keys(document.components.schemas)).toEqual(
    expect.arrayContaining([...names, 'WebhookEvent']),
  );
  expect(document.components.schemas.ApiError.properties.reason).toBeDefined();
  expect(document.components.schemas.Error).toBeUndefined();
});

test('marks operations that respond with pages', () => {
  const lists = operations.filter(({ operationId }) => operationId.startsWith('list'));
  expect(operations.filter((operation) => 'x-all' in operation)).toEqual(lists);
  for (const { operationId, ...list } of lists) {
    expect(list['x-all']).toBe(operationId.replace('list', 'all'));
    expect(document.components.schemas).toHaveProperty(list['x-item']);
  }
});

test('the libraries know which errors to retry', () => {
  expect(retryable()).toMatchObject({ RATE_LIMIT_EXCEEDED: true, QUOTA_EXCEEDED: false });
});

test.each([
  ['../client', (name: string) => name],
  ['typescript', (name: string) => name],
  ['python', (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)],
  ['go', (name: string) => name.replace(/^./, (letter) => letter.toUpperCase())],
  ['java', (name: string) => name],
])('the README of %s has the methods that are not named after their operation', (folder, convention) => {
  const text = readFileSync(join(__dirname, folder, 'README.md'), 'utf8').replace(/\s+/g, ' ');
  for (const [operation, name] of Object.entries(METHOD_NAMES))
    expect(text).toContain(`\`${convention(name)}\` (\`${operation}\`)`);
});

test('the first example of each README has at most ten lines', () => {
  const languages = readdirSync(__dirname).filter((name) => existsSync(join(__dirname, name, 'README.md')));
  expect(languages).toEqual(expect.arrayContaining(['go', 'java']));
  for (const language of languages) expect(firstExample(join(__dirname, language), '\\w+')).not.toBe('');
});
