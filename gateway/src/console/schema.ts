/** JSON Schemas of the console's responses, in few words. */
import { schemas } from '../services/contract/contract';

export type Output = Readonly<Record<string, unknown>>;

/** An object with these fields and no others. A name that ends with `?` is a field that may be absent. */
export function object(fields: Readonly<Record<string, Output>>): Output {
  const named = Object.entries(fields).map(([name, schema]) => [name.replace(/\?$/, ''), schema] as const);
  return {
    type: 'object',
    additionalProperties: false,
    required: Object.keys(fields).filter((name) => !name.endsWith('?')),
    properties: Object.fromEntries(named),
  };
}

export const listOf = (items: Output): Output => ({ type: 'array', items });
export const mapOf = (values: Output): Output => ({ type: 'object', additionalProperties: values });
/** @param name of a list of entries */
export const pageOf = (name: string, items: Output): Output =>
  object({ [name]: listOf(items), 'next?': string });

export const string: Output = { type: 'string' };
export const number: Output = { type: 'number' };
export const count: Output = { type: 'integer', minimum: 0 };
export const boolean: Output = { type: 'boolean' };
export const time: Output = { type: 'string', format: 'date-time' };
/** A field that only has this value. */
export const done: Output = { type: 'boolean', const: true };
export const anything: Output = { type: 'object' };
export const oneOf = (values: readonly string[]): Output => ({ type: 'string', enum: values });
export const orNull = (schema: Output): Output => ({ anyOf: [schema, { type: 'null' }] });

/** A schema of the contract, by the name of its file. */
export function contract(name: string): Output {
  const $ref = `${name}.json`;
  if (!schemas.has($ref)) throw new Error(`The contract has no schema ${$ref}.`);
  return { $ref };
}
