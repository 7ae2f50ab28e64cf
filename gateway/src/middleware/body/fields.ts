/** Converts the fields of forms and query strings to the types of the contract's schemas. */
import openapi from '@presenza/contract/openapi.json';
import { ApiError } from '../../errors';
import { quoted } from '../../errors/quoted';
import { type Schema, schemas } from '../../services/contract/contract';
import { numberOr } from '../number-or';

/** The name and value of a field: text, or the bytes of a file. */
export type FormField = readonly [name: string, value: string | Buffer];

type Kind = 'image' | 'number' | 'list' | 'other';

/** Entries of a list that are read: more than any list may have. */
const maxEntries = 100;

interface Field {
  readonly kind: Kind;
  /** Keywords that a list field accepts instead of a list. */
  readonly keywords: readonly unknown[];
}

/** All fields by name: a field has the same type in all operations. */
const fields: ReadonlyMap<string, Field> = new Map(
  Object.values(openapi.paths)
    .flatMap((path) => {
      if (!('post' in path) || !('application/json' in path.post.requestBody.content)) return [];
      return [path.post.requestBody.content['application/json'].schema.$ref];
    })
    .flatMap((ref) => Object.entries(schemas.get(ref.replace('schemas/', ''))?.properties ?? {}))
    .map(([name, schema]) => [name, fieldOf(schema)]),
);

function fieldOf({ $ref, type, anyOf = [] }: Schema): Field {
  const types = [type, ...anyOf.map((form) => form.type)];
  const kind = types.includes('array') ? 'list' : types.includes('number') ? 'number' : 'other';
  return {
    kind: $ref === 'data-uri-image.json' ? 'image' : kind,
    keywords: anyOf.flatMap((form) => form.const ?? []),
  };
}

export const fieldKind = (name: string): Kind | undefined => fields.get(name)?.kind;

/** Whether fields of a body are images. @param schema file name in `gateway/contract/schemas` */
export const hasImages = (schema: string): boolean =>
  Object.keys(schemas.get(schema)?.properties ?? {}).some((name) => fieldKind(name) === 'image');

/**
 * @returns the body that the same request would have in JSON. A value that does not fit its type stays as it is, and the
 *   schema rejects it.
 * @throws ApiError INVALID_PARAMETERS if a field is repeated that is not a list
 */
export function formBody(given: readonly FormField[]): object {
  const values = new Map<string, (string | Buffer)[]>();
  for (const [name, value] of given) {
    const before = values.get(name);
    if (before) before.push(value);
    else values.set(name, [value]);
  }
  return Object.fromEntries([...values].map(([name, all]) => [name, typed(name, all)]));
}

function typed(name: string, values: readonly (string | Buffer)[]): unknown {
  const { kind, keywords } = fields.get(name) ?? { kind: 'other', keywords: [] };
  if (kind === 'list') return listOf(values, keywords);
  if (values.length > 1)
    throw new ApiError('INVALID_PARAMETERS', { reason: 'repeated', values: { field: quoted(name) } });
  const [value] = values;
  return kind === 'number' && typeof value === 'string' ? numberOr(value) : value;
}

/** A list is one field with commas, or a repeated field. */
function listOf(values: readonly (string | Buffer)[], keywords: readonly unknown[]): unknown {
  const entries = values.flatMap((value): readonly (string | Buffer)[] =>
    typeof value === 'string' ? value.split(',', maxEntries) : [value],
  );
  return entries.length === 1 && keywords.includes(entries[0]) ? entries[0] : entries;
}
