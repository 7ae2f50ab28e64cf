/** Bundles the API description with the schemas and examples that the contract keeps in separate files. */
import openapi from '@presenza/contract/openapi.json';
import { readContract, schemas } from './contract';

/** An OpenAPI 3.1 document without external references. */
export interface OpenapiDocument {
  readonly paths: Readonly<Record<string, object>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Notes for maintainers of the contract, and names of files. */
const notes = new Set(['$id', '$schema', '$comment', 'x-comment']);

/** Schemas become components, and external examples become inline values. Notes for maintainers are removed. */
export function bundleOpenapi(): OpenapiDocument {
  const document = bundled(openapi as Json) as { components: { [kind: string]: Json } };
  const named = [...schemas].map(([file, schema]) => [componentName(file), bundled(schema as Json)]);
  document.components.schemas = Object.fromEntries(named);
  return document as never;
}

function bundled(node: Json): Json {
  if (Array.isArray(node)) return node.map(bundled);
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).filter(([key]) => !notes.has(key));
  return Object.fromEntries(entries.map(([key, value]) => entryOf(key, value)));
}

function entryOf(key: string, value: Json): [string, Json] {
  if (typeof value === 'string') {
    if (key === 'externalValue') return ['value', readContract(value)];
    if (key === '$ref' && value.endsWith('.json'))
      return [key, `#/components/schemas/${componentName(value)}`];
  }
  return [key, bundled(value)];
}

/** `schemas/detect-request.json` and `detect-request.json` are `DetectRequest`. */
function componentName(file: string): string {
  const words = file.replace(/^schemas\/|\.json$/g, '').split('-');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
