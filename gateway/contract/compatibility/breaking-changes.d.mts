// biome-ignore lint/suspicious/noExplicitAny: arbitrary JSON of two contracts.
type Doc = any;

/** openapi.json, and the schemas by file name. */
export interface Contract {
  readonly paths: Readonly<Record<string, Doc>>;
  readonly webhooks?: Readonly<Record<string, Doc>>;
  readonly components: Doc;
  readonly schemas: Readonly<Record<string, Doc>>;
}

/** @returns a line for each change, such as `POST /detect: the parameter attributes is removed`. */
export function breakingChanges(before: Contract, now: Contract): string[];
