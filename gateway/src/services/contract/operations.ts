/** Reads the operations of the API description by the paths of their routes. */
import openapi from '@presenza/contract/openapi.json';

interface Parameter {
  readonly $ref?: string;
  readonly in?: string;
  readonly name: string;
  readonly schema: { readonly $ref?: string };
}

/** The dates of a deprecated operation, such as `2027-01-31`. Each begins at midnight UTC. */
export interface Lifetime {
  readonly deprecated?: boolean;
  readonly 'x-deprecated-at'?: string;
  readonly 'x-sunset-at'?: string;
}

type Parameters = readonly Parameter[];
type Described = Lifetime & { readonly parameters?: Parameters };
type PathItem = { readonly parameters?: Parameters } & Readonly<Record<string, Described>>;

const paths = openapi.paths as unknown as Readonly<Record<string, PathItem>>;
const shared = openapi.components.parameters as Readonly<Record<string, Parameter>>;

/** The path of a route in the description: `/liveness/:sessionId` is `/liveness/{sessionId}` there. */
export const openapiPath = (path: string): string => path.replace(/:(\w+)/g, '{$1}');

/** Empty for a path that is not described. */
export const lifetimeOf = (path: string, method: string): Lifetime =>
  paths[openapiPath(path)]?.[method] ?? {};

/** The query parameters of an operation; none for a path that is not described. */
export function queryParametersOf(path: string, method: string): readonly Parameter[] {
  const item = paths[openapiPath(path)];
  const parameters = [...(item?.parameters ?? []), ...(item?.[method]?.parameters ?? [])];
  return parameters.map(resolved).filter((one) => one.in === 'query');
}

const resolved = (parameter: Parameter): Parameter =>
  shared[parameter.$ref?.split('/').at(-1) ?? ''] ?? parameter;
