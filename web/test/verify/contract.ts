/** Compiled schemas of the contract. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';

const FOLDER = join(dirname(require.resolve('@presenza/contract/errors.json')), 'schemas');

const schemas = readdirSync(FOLDER).map((file) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')));
const ajv = new Ajv2020({ strict: true, allErrors: true, schemas });
addFormats(ajv);

/** @param name of the schema's file without extension */
export function validatorOf(name: string): ValidateFunction {
  const validate = ajv.getSchema(`https://presenza.example/schemas/${name}.json`);
  if (!validate) throw new Error(`The contract has no schema ${name}.`);
  return validate;
}
