import table from '@presenza/contract/bounds.json';
import errors from '@presenza/contract/errors.json';
import plans from '@presenza/contract/plans.json';
import { readConfig } from '../config';
import { readContract } from '../services/contract/contract';
import { bounds } from '.';

interface Row {
  readonly then: string;
  readonly value?: number;
  readonly from?: string;
  readonly plan?: string;
  readonly setting?: string;
}
const rows = Object.entries(table.bounds as Record<string, Row>);

/** The value at a JSON pointer. */
const at = (document: unknown, pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((node, key) => (node as Record<string, unknown>)[key.replaceAll('~1', '/')], document);

test.each(rows)('%s has a positive value', (_name, { value, plan }) => {
  const values = plan === undefined ? [value] : plans.map((tier) => at(tier, plan));
  for (const bound of values) expect(bound).toBeGreaterThan(0);
});

test.each(rows.filter(([, { from }]) => from !== undefined))(
  '%s has the value of its source',
  (_name, row) => {
    const [file = '', pointer = ''] = (row.from as string).split('#');
    expect(at(readContract(file), pointer)).toBe(row.value);
  },
);

test('every error code in the table is in the catalogue', () => {
  const codes = rows.map(([, { then }]) => then).filter((text) => /^[A-Z_]+$/.test(text));
  expect(codes.length).toBeGreaterThan(0);
  expect(Object.keys(errors)).toEqual(expect.arrayContaining(codes));
});

test('the settings in the table are those of the configuration, with these defaults', () => {
  const config = { ...readConfig({ KEY_SECRET: 'ab'.repeat(32) }) } as Record<string, unknown>;
  for (const [name, { setting }] of rows) {
    // Without it, the drain takes as long as the longest request, up to the bound.
    if (setting === undefined || setting === 'GATEWAY_DRAIN_MS') continue;
    expect(config[setting]).toBe((bounds as Record<string, number>)[name]);
  }
});
