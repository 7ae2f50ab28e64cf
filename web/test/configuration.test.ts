/** The configuration reference lists exactly the environment variables that the code reads. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bounds } from '@presenza/contract/bounds.json';
import gateway from '../../gateway/src/config/config.schema.json';
import inference from '../../inference/src/config.schema.json';
import { textOf } from './html';
import { readPage } from './quality/built-site';

const html = readPage('/docs/operations/configuration').replaceAll('<wbr/>', '');

const tiers = [
  { tier: 'gateway', schema: gateway, sources: ['gateway/src/main.ts', 'gateway/src/admin/cli.ts'] },
  { tier: 'inference', schema: inference, sources: ['inference/src/main.ts'] },
];

describe.each(tiers)('$tier', ({ tier, schema, sources }) => {
  const rows = [...html.matchAll(new RegExp(`<tr id="${tier}-[\\w-]+">([\\s\\S]*?)</tr>`, 'g'))].map(
    ([row]) => row,
  );
  const names = rows.map((row) => /<code>(\w+)<\/code>/.exec(row)?.[1]);

  test('has a row for each variable of the schema, in its order, and no other', () => {
    expect(names).toEqual(Object.keys(schema.properties));
  });

  // The schema is all that the tier's configuration accepts; libuv and ONNX Runtime read these two.
  test('reads no variable but those of the schema', () => {
    for (const file of sources) {
      const source = readFileSync(join(__dirname, '../..', file), 'utf8');
      const read = [...source.matchAll(/process\.env\.(\w+)/g)].map(([, name]) => name);
      expect(read.filter((name) => !/^(?:UV_THREADPOOL_SIZE|ORT_DISABLE_TELEMETRY)$/.test(name!))).toEqual(
        [],
      );
    }
  });

  test('shows the default, the range and the meaning of each', () => {
    for (const [nth, property] of Object.values(schema.properties).entries()) {
      const { description, default: fallback, minimum, maximum } = property as Record<string, unknown>;
      const text = textOf(rows[nth]!);
      expect(text).toContain(String(description).replaceAll('`', '').slice(0, 30));
      if (fallback) expect(text).toContain(String(fallback));
      if (minimum !== undefined) expect(text).toContain(String(minimum));
      if (maximum !== undefined) expect(text).toContain(String(maximum));
    }
  });
});

test('lists every bound of the gateway with its variable and outcome', () => {
  const [, table = ''] = /<tbody data-source="bounds">([\s\S]*?)<\/tbody>/.exec(html) ?? [];
  const rows = [...table.matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map(([row]) => textOf(row));
  const all = Object.values(bounds as Record<string, { what: string; setting?: string; then: string }>);
  expect(rows).toHaveLength(all.length);
  for (const [nth, { what, setting = '', then }] of all.entries())
    for (const part of [what, setting, then]) expect(rows[nth]).toContain(part);
});

test('the Markdown twin has the same tables', () => {
  const twin = readFileSync(join(__dirname, '../public/docs/operations/configuration.md'), 'utf8');
  for (const name of [...Object.keys(gateway.properties), ...Object.keys(inference.properties)])
    expect(twin).toContain(`| \`${name}\` |`);
  for (const { what } of Object.values(bounds)) expect(twin).toContain(`| ${what} `);
  expect(twin).not.toMatch(/ConfigurationTable|BoundsTable/);
});
