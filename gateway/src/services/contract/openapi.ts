/** The API description in one document: what the contract keeps in files of their own is brought inside. */
import openapi from '@presenza/contract/openapi.json';
import { readContract, schemas } from './contract';

/** An OpenAPI 3.1 document that refers to nothing outside itself. */
export interface OpenapiDocument {
  readonly paths: Readonly<Record<string, object>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Notes for those who work on the contract, and names of files. */
const notes = new Set(['$id', '$schema', '$comment', 'x-comment']);

/** Schemas become components, external examples their values; the contract's own notes stay out. */
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
