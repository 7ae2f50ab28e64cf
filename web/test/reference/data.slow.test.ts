/**
 * The reference follows changes of the contract, and the build fails if samples do not match it.
 *
 * Slow: it compares the whole reference with the contract.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readReference } from './read-reference';

// biome-ignore lint/suspicious/noExplicitAny: untyped documents are modified here.
type Doc = any;

const CONTRACT = dirname(require.resolve('@presenza/contract/openapi.json'));
let copy: string;

beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), 'presenza-contract-'));
  cpSync(CONTRACT, copy, { recursive: true });
});
afterEach(() => rmSync(copy, { recursive: true }));

function change(file: string, edit: (document: Doc) => void) {
  const path = join(copy, file);
  const document = JSON.parse(readFileSync(path, 'utf8'));
  edit(document);
  writeFileSync(path, JSON.stringify(document));
}

const operation = (id: string) => {
  const match = readReference(copy).reference.operations.find(({ operationId }) => operationId === id);
  if (!match) throw new Error(`No operation ${id}.`);
  return match;
};

test('a new response field gets its own row', () => {
  change('schemas/quality.json', ({ properties, required }) => {
    properties.contrast = { description: 'Made up.', type: 'number', minimum: 0, maximum: 7, default: 3 };
    required.push('contrast');
  });
  const field = operation('detectFaces').response[0]?.fields.find(({ name }) => name === 'contrast');
  expect(field).toMatchObject({
    path: 'faces[].quality.contrast',
    depth: 2,
    required: true,
    description: 'Made up.',
    bounds: ['0 to 7', 'default 3'],
  });
});

test('a new path appears in every sample', () => {
  change('openapi.json', ({ paths }) => {
    paths['/find'] = paths['/detect'];
    delete paths['/detect'];
  });
  const { path, samples } = operation('detectFaces');
  expect(path).toBe('/find');
  for (const { code } of samples) expect(code).toMatch(/\/find\b/);
  for (const { code } of samples) expect(code).not.toMatch(/\/detect\b/);
});

test('errors and events have the texts of the catalogs', () => {
  change('errors.json', (errors) => {
    errors.INVALID_IMAGE.message = 'Other words.';
    errors.MADE_UP = { ...errors.INTERNAL_ERROR };
  });
  change('events.json', (events) => {
    events[0].when = 'At noon.';
  });
  const { errors, webhooks } = readReference(copy).reference;
  expect(errors.find(({ code }) => code === 'INVALID_IMAGE')?.message).toBe('Other words.');
  expect(errors.map(({ code }) => code)).toContain('MADE_UP');
  expect(webhooks[0]?.when).toBe('At noon.');
});

test.each([
  ['is required', (schema: Doc) => schema.required.push('attributes'), 'lacks required fields: attributes'],
  ['has another name', rename, 'sends unknown fields: image'],
])('a sample of a field that %s stops the build', (_case, edit, message) => {
  change('schemas/detect-request.json', edit);
  expect(() => readReference(copy)).toThrow(message);
});

function rename(schema: Doc) {
  schema.properties.photo = schema.properties.image;
  delete schema.properties.image;
  schema.required = [];
}
