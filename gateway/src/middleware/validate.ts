/** Checks request bodies against the contract's schemas and words what is wrong from the contract's catalogue. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import catalogue from '@presenza/contract/errors.json';
import type { ErrorObject } from 'ajv';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import type { RequestHandler } from 'express';
import { AppError } from '../errors';

const ajv = new Ajv2020({ strict: true, allErrors: false, allowUnionTypes: true, verbose: true });
addFormats(ajv);

const folder = join(dirname(require.resolve('@presenza/contract/brand.json')), 'schemas');
for (const file of readdirSync(folder)) {
  ajv.addSchema(JSON.parse(readFileSync(join(folder, file), 'utf8')), file);
}

/**
 * Lets a request pass when its body fits a schema of the contract.
 * @param schema file name in `gateway/contract/schemas`.
 */
export function validateBody(schema: string): RequestHandler {
  const validate = ajv.getSchema(schema);
  if (!validate) throw new Error(`The contract has no schema ${schema}`);
  return (req, _res, next) => {
    if (!validate(req.body)) throw invalidParameters(validate.errors ?? []);
    next();
  };
}

/** What the faults that ajv found in an input mean to who sent it. */
export function invalidParameters(faults: ErrorObject[]): AppError {
  // Where several forms are allowed, ajv lists why each failed and then that all did.
  const fault = (faults.find(({ keyword }) => keyword === 'anyOf') ?? faults[0]) as ErrorObject;
  const path = fault.instancePath.slice(1).replaceAll('/', '.');
  const inside = (name: string) => (path ? `${path}.${name}` : name);
  if (fault.keyword === 'required') return refuse('missing', inside(fault.params.missingProperty));
  if (fault.keyword === 'additionalProperties')
    return refuse('unknown', inside(fault.params.additionalProperty));
  if (path === '') return refuse('body', path);
  return refuse(fault.keyword === 'type' ? 'type' : 'value', path, expectation(fault));
}

/** Names that a client made up are quoted up to here. */
const longestName = 64;

const refuse = (reason: string, field: string, expected = '') =>
  new AppError('INVALID_PARAMETERS', { reason, values: { field: field.slice(0, longestName), expected } });

/** What a field should have been, in the catalogue's words. */
function expectation({ keyword, params, parentSchema }: ErrorObject): string {
  const words: Readonly<Record<string, string>> = catalogue.INVALID_PARAMETERS.expectations;
  const { minimum, maximum } = parentSchema as { minimum?: number; maximum?: number };
  const range =
    (keyword === 'minimum' || keyword === 'maximum') && minimum !== undefined && maximum !== undefined;
  const text = words[range ? 'range' : keyword === 'type' ? params.type : keyword] ?? words.format ?? '';
  const values: Record<string, unknown> = {
    ...params,
    minimum,
    maximum,
    values: (params.allowedValues ?? [params.allowedValue]).join(', '),
  };
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
}
