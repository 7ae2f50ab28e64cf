/** The API description as it is served, for tests that read it: its references, and its schemas compiled. */
import { bundleOpenapi } from '@presenza/contract/bundle.cjs';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';

// biome-ignore lint/suspicious/noExplicitAny: the document is walked freely in tests
type Doc = any;

export const description: Doc = bundleOpenapi();

/** The node at `#/a/b`, or undefined if there is none. */
export const targetOf = (reference: string): Doc =>
  reference
    .replace(/^#\//, '')
    .split('/')
    .reduce((node, step) => node?.[step.replaceAll('~1', '/').replaceAll('~0', '~')], description);

/** Follows a reference, where there is one. */
export const resolve = (node: Doc): Doc => (typeof node?.$ref === 'string' ? targetOf(node.$ref) : node);

/** The schemas, with the values of `x-also-accepts`, which generators cannot express, as an alternative. */
const schemas = JSON.parse(JSON.stringify(description.components.schemas), (_, node) => {
  const { 'x-also-accepts': keywords, ...rest } = node ?? {};
  return keywords ? { anyOf: [{ enum: keywords }, rest] } : node;
});

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, keywords: ['components', 'x-enum-varnames'] });
addFormats(ajv);
ajv.addSchema({ components: { schemas } }, 'api');

const compiled = new Map<string, ValidateFunction>();

/** @param reference to a schema among the components. */
export function validatorOf(reference: string): ValidateFunction {
  const validate = compiled.get(reference) ?? ajv.compile({ $ref: `api${reference}` });
  compiled.set(reference, validate);
  return validate;
}

/** Whether a value obeys a schema without references, or the component that it refers to. */
export const obeys = (schema: Doc, value: unknown): boolean =>
  schema.$ref ? validatorOf(schema.$ref)(value) : ajv.validate(schema, value);
