/** Query strings, by the parameters that the API description gives an operation. Nothing in them is silently ignored. */
import type openapi from '@presenza/contract/openapi.json';
import Ajv2020 from 'ajv/dist/2020';
import type { Request, RequestHandler } from 'express';
import { ApiError } from '../errors';
import { quoted } from '../errors/quoted';
import { type Schema, schemas } from '../services/contract/contract';
import { addFormats } from '../services/contract/formats';
import { queryParametersOf } from '../services/contract/operations';
import { numberOr } from './number-or';
import { invalidParameters } from './validate';

/** The paths of the API description whose GET takes parameters. */
export type QueryPath = {
  [Path in keyof Paths]: Paths[Path] extends { get: { parameters: readonly unknown[] } } ? Path : never;
}[keyof Paths];
type Paths = typeof openapi.paths;

const ajv = new Ajv2020({ useDefaults: true, verbose: true, validateSchema: false });
addFormats(ajv);

/**
 * A function that reads the query string of a request, with numbers and defaults as the schemas have them. It expects
 * that `checkQuery` has passed the request.
 * @returns a function that throws ApiError INVALID_PARAMETERS
 */
export function queryReader<T>(path: QueryPath): (req: Request) => T {
  const properties = Object.fromEntries(
    queryParametersOf(path, 'get').map(({ name, schema }) => [name, schemaOf(schema)]),
  );
  const validate = ajv.compile<T>({ type: 'object', properties });
  return (req) => {
    const typed = (name: string, text: string) =>
      properties[name]?.type === 'integer' ? numberOr(text) : text;
    const given = [...queryOf(req)].map(([name, text]) => [name, typed(name, text)]);
    const values = Object.fromEntries(given);
    if (!validate(values)) throw invalidParameters(validate.errors ?? []);
    return values as T;
  };
}

function schemaOf({ $ref, ...inlineRules }: Schema): Schema {
  const { $id: _, ...rules } = ($ref && schemas.get($ref.replace('schemas/', ''))) || inlineRules;
  return rules;
}

/** All parameters of a query string. Express's parser, behind `req.query`, silently stops at the thousandth. */
export function queryOf({ url }: Pick<Request, 'url'>): URLSearchParams {
  const mark = url.indexOf('?');
  return new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1));
}

/**
 * Rejects query parameters that the operation does not take, and repeated ones.
 * @param names of the parameters that it takes.
 */
export function checkQuery(names: readonly string[]): RequestHandler {
  return (req, _res, next) => {
    refuseUnused(req, names);
    next();
  };
}

/** @throws ApiError INVALID_PARAMETERS if the query string has other parameters than these, or one of them twice */
export function refuseUnused(req: Pick<Request, 'url'>, names: readonly string[] = []): void {
  const seen = new Set<string>();
  for (const name of queryOf(req).keys()) {
    const reason = names.includes(name) ? 'repeated' : 'query';
    if (reason === 'query' || seen.has(name)) throw refused(reason, name);
    seen.add(name);
  }
}

const refused = (reason: string, name: string) =>
  new ApiError('INVALID_PARAMETERS', { reason, values: { field: quoted(name) } });
