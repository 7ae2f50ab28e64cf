/** The bounds of the gateway, from the table that the documentation also shows. */
import table from '@presenza/contract/bounds.json';

type Table = typeof table.bounds;

/** Names of bounds that are the same on all plans. */
export type BoundName = {
  [Name in keyof Table]: Table[Name] extends { value: number } ? Name : never;
}[keyof Table];

export const bounds = Object.freeze(
  Object.fromEntries(
    Object.entries(table.bounds).flatMap(([name, row]) => ('value' in row ? [[name, row.value]] : [])),
  ),
) as Readonly<Record<BoundName, number>>;
