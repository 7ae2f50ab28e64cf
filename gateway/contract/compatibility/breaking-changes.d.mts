// biome-ignore lint/suspicious/noExplicitAny: arbitrary JSON of two contracts.
type Doc = any;

/** openapi.json, and the schemas by file name. */
export interface Contract {
  readonly paths: Readonly<Record<string, Doc>>;
  readonly webhooks?: Readonly<Record<string, Doc>>;
  readonly components: Doc;
  readonly schemas: Readonly<Record<string, Doc>>;
}

/** A contract with its dated versions, newest first. */
export interface VersionedContract extends Contract {
  readonly versions: readonly { readonly date: string; readonly sunsetAt?: string }[];
}

/** Places whose pattern accepts all that the service accepted with the last release. */
export const widerPatterns: readonly string[];

/** @returns a line for each change, such as `POST /detect: the parameter attributes is removed`. */
export function breakingChanges(before: Contract, now: Contract): string[];

/**
 * @param before contract of the last release
 * @returns a line for each change that may not be released: one that breaks clients, unless the contract has a version with
 *   a later date than those before, and a version that ends although the last release did not announce its end.
 */
export function refusedChanges(before: VersionedContract, now: VersionedContract): string[];
