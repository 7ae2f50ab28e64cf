/** JSON Schemas of the console's responses, in few words. */
import { schemas } from '../services/contract/contract';

export type Output = Readonly<Record<string, unknown>>;

/** An object that may have further fields. A name that ends with `?` is a field that may be absent. */
export function openObject(fields: Readonly<Record<string, Output>>): Output {
  const named = Object.entries(fields).map(([name, schema]) => [name.replace(/\?$/, ''), schema] as const);
  return {
    type: 'object',
    required: Object.keys(fields).filter((name) => !name.endsWith('?')),
    properties: Object.fromEntries(named),
  };
}

/** An object with these fields and no others. */
export const object = (fields: Readonly<Record<string, Output>>): Output => ({
  ...openObject(fields),
  additionalProperties: false,
});

export const listOf = (items: Output): Output => ({ type: 'array', items });
export const mapOf = (values: Output): Output => ({ type: 'object', additionalProperties: values });
/** A page of a list. @param name of the field that has the entries */
export const pageSchema = (name: string, items: Output): Output =>
  object({ [name]: listOf(items), 'next?': string });

export const string: Output = { type: 'string' };
export const number: Output = { type: 'number' };
export const count: Output = { type: 'integer', minimum: 0 };
export const boolean: Output = { type: 'boolean' };
export const time: Output = { type: 'string', format: 'date-time' };
/** A field that only has this value. */
export const done: Output = { type: 'boolean', const: true };
/** An object whose fields the console does not describe. */
export const anything: Output = { type: 'object', additionalProperties: true };
export const oneOf = (values: readonly string[]): Output => ({ type: 'string', enum: values });
export const orNull = (schema: Output): Output => ({ anyOf: [schema, { type: 'null' }] });

/** A schema of the contract, by the name of its file. */
export function contract(name: string): Output {
  const $ref = `${name}.json`;
  if (!schemas.has($ref)) throw new Error(`The contract has no schema ${$ref}.`);
  return { $ref };
}
