/** Converts text from the command line or a request to the input of an operation. */
import type { ValidateFunction } from 'ajv';
import Ajv2020 from 'ajv/dist/2020';
import { invalidParameters } from '../middleware/validate';
import { addFormats } from '../services/contract/formats';
import type { Input, InputSchema } from './operation';

/** Checks inputs of one operation and fills in defaults. */
export type CheckInput = (input: Record<string, unknown>) => Input;

// TypeScript checks the schemas; another check would take 0.2 s of each command.
const ajv = new Ajv2020({ useDefaults: true, allowUnionTypes: true, verbose: true, validateSchema: false });
addFormats(ajv);

/**
 * Compiles the schema at the first input: most processes use few operations, and all schemas take 0.5 s.
 * @returns a function that throws ApiError INVALID_PARAMETERS
 */
export function checkerOf(schema: InputSchema): CheckInput {
  let validate: ValidateFunction | undefined;
  return (input) => {
    validate ??= ajv.compile(schema);
    if (!validate(input)) throw invalidParameters(validate.errors ?? []);
    return input;
  };
}

/**
 * Converts text from the command line or a query to the type of its property: lists are separated by commas, objects are
 * JSON. Text that does not fit the type stays as it is, and the schema rejects it.
 */
export function meaningOf(text: string, schema: InputSchema, name: string): unknown {
  const type = Object.hasOwn(schema.properties, name) ? schema.properties[name]?.type : undefined;
  const types = new Set(typeof type === 'string' ? [type] : type);
  if (types.has('null') && text === 'null') return null;
  if (types.has('array')) return text.split(',').map((entry) => entry.trim());
  if (types.has('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  if (types.has('integer') && /^-?\d{1,15}$/.test(text)) return Number(text);
  return types.has('object') ? parsed(text) : text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
