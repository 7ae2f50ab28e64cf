/** Reads the operations of the API description by the paths of their routes. */
import openapi from '@presenza/contract/openapi.json';
import type { Lifetime } from './lifetime';

interface Parameter {
  readonly $ref?: string;
  readonly in?: string;
  readonly name: string;
  readonly schema: { readonly $ref?: string };
}

type Parameters = readonly Parameter[];
interface Described {
  readonly parameters?: Parameters;
  readonly 'x-deprecated-at'?: string;
  readonly 'x-sunset-at'?: string;
}
type PathItem = { readonly parameters?: Parameters } & Readonly<Record<string, Described>>;

const paths = openapi.paths as unknown as Readonly<Record<string, PathItem>>;
const shared = openapi.components.parameters as Readonly<Record<string, Parameter>>;

/** The path of a route in the description: `/liveness/:sessionId` is `/liveness/{sessionId}` there. */
export const openapiPath = (path: string): string => path.replace(/:(\w+)/g, '{$1}');

/** When an operation is deprecated and ends; empty unless it is deprecated. */
export function lifetimeOf(path: string, method: string): Lifetime {
  const operation = paths[openapiPath(path)]?.[method];
  return { deprecatedAt: operation?.['x-deprecated-at'], sunsetAt: operation?.['x-sunset-at'] };
}

/** The query parameters of an operation; none for a path that is not described. */
export function queryParametersOf(path: string, method: string): readonly Parameter[] {
  const item = paths[openapiPath(path)];
  const parameters = [...(item?.parameters ?? []), ...(item?.[method]?.parameters ?? [])];
  return parameters.map(resolved).filter((parameter) => parameter.in === 'query');
}

const ordered = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'];

/** The value of `Allow` for a path with these methods, in upper or lower case: those with GET also have HEAD. */
export function allowOf(methods: readonly string[]): string {
  const names = new Set(methods.map((method) => method.toUpperCase()));
  if (names.has('GET')) names.add('HEAD');
  return [...ordered.filter((name) => names.has(name)), 'OPTIONS'].join(', ');
}

/** `{form, allow}` of each path, which the API serves with and without the prefix. */
const routes = Object.entries(paths).map(([path, item]) => ({
  form: new RegExp(`^(?:/v1)?${path.replace(/\{\w+\}/g, '[^/]+')}/?$`, 'i'),
  allow: allowOf(Object.keys(item)),
}));

/** The value of `Allow` for the path of a request; undefined if the API has no such path. */
export const allowAt = (path: string): string | undefined =>
  routes.find(({ form }) => form.test(path))?.allow;

const resolved = (parameter: Parameter): Parameter =>
  shared[parameter.$ref?.split('/').at(-1) ?? ''] ?? parameter;
