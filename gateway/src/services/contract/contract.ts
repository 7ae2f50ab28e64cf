/** Reads the contract's schemas and examples, which are too many to import one by one. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const folder = dirname(require.resolve('@presenza/contract/brand.json'));

/** @param path within the contract's folder. */
export const readContract = (path: string) => JSON.parse(readFileSync(join(folder, path), 'utf8'));

/** @param path as for `readContract`. */
export const readContractBytes = (path: string): Buffer => readFileSync(join(folder, path));

/** A JSON Schema 2020-12 of the contract, with the keywords that this tier reads. */
export interface Schema {
  readonly $id?: string;
  readonly $ref?: string;
  readonly title?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** All schemas by file name. */
export const schemas: ReadonlyMap<string, Schema> = new Map(
  readdirSync(join(folder, 'schemas')).map((file) => [file, readContract(`schemas/${file}`)]),
);
