/** Validates request bodies against the contract's schemas, with error texts from its catalogue. */
import catalogue from '@presenza/contract/errors.json';
import type { ErrorObject, ValidateFunction } from 'ajv';
import Ajv2020 from 'ajv/dist/2020';
import type { RequestHandler } from 'express';
import { ApiError } from '../errors';
import { quoted } from '../errors/quoted';
import { type Schema, schemas } from '../services/contract/contract';
import { addFormats } from '../services/contract/formats';

const ajv = new Ajv2020({
  strict: true,
  allErrors: false,
  allowUnionTypes: true,
  verbose: true,
  // The contract's tests validate the schemas; here it would block the event loop for 0.7 s at the start.
  validateSchema: false,
});
addFormats(ajv);

/** Images of forms, and long ones of JSON, are bytes already. Any other image value must match its schema. */
const image = 'data-uri-image.json';
ajv.addKeyword({
  keyword: 'bytes',
  schemaType: 'boolean',
  validate: (_: true, value: unknown) => Buffer.isBuffer(value),
});

for (const [file, { $id = '', ...rules }] of schemas) {
  ajv.addSchema(file === image ? { $id, if: { bytes: true }, else: rules } : { $id, ...rules }, file);
}

/**
 * Rejects a body that does not match a schema of the contract.
 * @param schema file name in `gateway/contract/schemas`.
 */
export function validateBody(schema: string): RequestHandler {
  const validate = validatorOf(schema);
  return (req, _res, next) => {
    check(validate, req.body);
    next();
  };
}

/**
 * @param schema file name in `gateway/contract/schemas`.
 * @throws ApiError INVALID_PARAMETERS, which names the problem.
 */
export function checkBody(schema: string, body: unknown): void {
  check(validatorOf(schema), body);
}

/** The first violation of a schema, in ajv's words and without values; undefined if the body is valid. */
export function faultIn(schema: string, body: unknown): string | undefined {
  const validate = validatorOf(schema);
  if (validate(body)) return undefined;
  const [fault] = validate.errors ?? [];
  return `${fault?.instancePath} ${fault?.message}`;
}

function validatorOf(schema: string): ValidateFunction {
  const validate = ajv.getSchema(schema);
  if (!validate) throw new Error(`The contract has no schema ${schema}`);
  return validate;
}

function check(validate: ValidateFunction, body: unknown): void {
  if (!validate(body)) throw invalidParameters(validate.errors ?? []);
}

/** Turns the errors of ajv into an error for the sender. */
export function invalidParameters(faults: ErrorObject[]): ApiError {
  // For `anyOf`, ajv lists why each alternative failed, and then that all did.
  const fault = (faults.find(({ keyword }) => keyword === 'anyOf') ?? faults[0]) as ErrorObject;
  const path = fault.instancePath.slice(1).replaceAll('/', '.');
  const inside = (name: string) => (path ? `${path}.${name}` : name);
  if (fault.keyword === 'required') return refuse('missing', inside(fault.params.missingProperty));
  if (fault.keyword === 'additionalProperties')
    return refuse('unknown', inside(fault.params.additionalProperty));
  if (path === '') return new ApiError('INVALID_PARAMETERS', { reason: 'body' });
  return refuse(fault.keyword === 'type' ? 'type' : 'value', path, expectation(fault));
}

const refuse = (reason: string, field: string, expected = '') =>
  new ApiError('INVALID_PARAMETERS', { reason, values: { field: quoted(field), expected } });

/** Names of the catalogue for values in a form that it describes. */
const forms: Readonly<Record<string, string>> = { uri: 'url', 'date-time': 'time' };

/** The same for the forms of operators' operations, by the pattern. */
const patternForms: Readonly<Record<string, string>> = {
  '^[\\w-]{1,64}$': 'id',
  '^ses_[0-9A-Za-z]{24}$': 'sessionId',
  '^\\d{4}-(?:0[1-9]|1[0-2])$': 'calendarMonth',
  '^2\\d{3}-(?:0[1-9]|1[0-2])$': 'calendarMonth',
};

/** The same for fields with a form of their own, by their path without the places in lists. */
const fieldForms: Readonly<Record<string, string>> = {
  '/cursor': 'cursor',
  '/metadata': 'metadataFilter',
  '/returnUrl': 'returnUrl',
  '/url': 'webhookUrl',
  '/operations/id': 'batchId',
  '/consentLocale': 'language',
  '/consentNotice': 'noticeVersion',
  '/publicKey/x': 'coordinate',
  '/publicKey/y': 'coordinate',
};

/** The expected value of a field, in the catalogue's words: the form of the field, rather than only its type. */
function expectation({ keyword, params, parentSchema, instancePath, schemaPath }: ErrorObject): string {
  const texts: Readonly<Record<string, string>> = catalogue.INVALID_PARAMETERS.expectations;
  const {
    minimum,
    maximum,
    format,
    pattern,
    anyOf = [],
    const: constant,
    enum: listed,
  } = parentSchema as Rules;
  const isType = keyword === 'type';
  if (isType && schemaPath.includes(image)) return texts.image ?? '';
  if (isType || keyword === 'format' || keyword === 'pattern') {
    const form =
      fieldForms[instancePath.replace(/\/\d+/g, '')] ?? forms[format ?? ''] ?? patternForms[pattern ?? ''];
    if (form && (!isType || params.type === 'string')) return texts[form] ?? '';
  }
  const isRange = keyword === 'minimum' || keyword === 'maximum' || (isType && params.type === 'number');
  const rule = isType && constant !== undefined ? 'const' : isType && listed ? 'enum' : keyword;
  const name = isRange && minimum !== undefined && maximum !== undefined ? 'range' : rule;
  const text = texts[name === 'type' ? params.type : name] ?? texts.format ?? '';
  const values: Record<string, unknown> = {
    ...params,
    constant: anyOf.flatMap((form) => form.const ?? []).join(', '),
    minimum,
    maximum,
    values: (listed ?? entriesOf(anyOf) ?? [constant]).join(', '),
  };
  return text.replace(/\{(\w+)\}/g, (_, key: string) => String(values[key]));
}

interface Rules extends Schema {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly format?: string;
  readonly pattern?: string;
}

/** The values that entries of the list may have, if one of the forms is a list of named values. */
const entriesOf = (forms: readonly Schema[]) =>
  schemas.get(forms.find(({ items }) => items)?.items?.$ref ?? '')?.enum;
