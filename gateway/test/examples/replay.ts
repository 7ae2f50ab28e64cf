/** Compares what the service sends with the contract's examples, and records which examples were replayed. */
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readContract } from '../../src/services/contract/contract';
import { schemas } from '../contract';

// biome-ignore lint/suspicious/noExplicitAny: bodies are compared with examples
export type Doc = any;

const folder = join(dirname(require.resolve('@presenza/contract/brand.json')), 'examples');
const replayed = new Set<string>();

export const example = (name: string): Doc => readContract(`examples/${name}.json`);

/** An example that the test sends: a request, or the response of a webhook receiver. */
export function sent(name: string): Doc {
  replayed.add(name);
  return example(name);
}

/** The received value equals the example, except for texts, which are ids, times and secrets of their own. */
export function expectLike(name: string, received: Doc): void {
  expect(formOf(received)).toEqual(formOf(obeyed(name, received)));
}

/**
 * The received value has the fields of the example, of the same types and with the same booleans.
 * @param except paths of fields that only a user with a camera causes
 */
export function expectShown(name: string, received: Doc, except: readonly string[] = []): void {
  const shown = fieldsOf(obeyed(name, received)).filter((field) => !except.includes(field));
  expect(fieldsOf(received)).toEqual(shown);
}

/** Examples that no test has compared or sent. Requests that provoke the errors are in catalogue.slow.test.ts. */
export const notReplayed = (): string[] =>
  readdirSync(folder)
    .map((file) => file.replace(/\.json$/, ''))
    .filter((name) => !name.startsWith('error-response--') && !replayed.has(name));

/** The example, whose schema the received value obeys. */
function obeyed(name: string, received: Doc): Doc {
  expect([received, schemas.validate(`${name.split('--')[0]}.json`, received)]).toEqual([received, true]);
  replayed.add(name);
  return example(name);
}

function formOf(value: Doc): Doc {
  if (Array.isArray(value)) return value.map(formOf);
  if (typeof value === 'string') return 'a text';
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, formOf(inner)]));
}

/** Paths of all fields with their types, in order. The items of a list count as one. */
function fieldsOf(value: Doc): string[] {
  return [...new Set(leavesOf(value, ''))].sort();
}

function leavesOf(value: Doc, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => leavesOf(item, path));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, `${path}.${key}`));
  // Outcomes without a camera come from test mode.
  const isFact = typeof value === 'boolean' && !path.endsWith('.livemode');
  return [`${path}: ${isFact ? value : typeof value}`];
}
