import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BENCHMARKS, ROOT } from './paths.mjs';

const scripts = readdirSync(BENCHMARKS, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.mjs'),
);
const sourcesIn = (text: string) => [
  ...[...text.matchAll(/'[./]+\/(gateway|inference)\/dist\/([\w./-]+)\.js'/g)].map(
    ([, tier, path]) => `${tier}/src/${path}.ts`,
  ),
  ...[...text.matchAll(/gatewayFile\(('[^)]*')\)/g)].map(
    ([, path = '']) => `gateway/src/${path.replaceAll(/[' ]|\.js\b/g, '').replaceAll(',', '/')}.ts`,
  ),
];
const loaded = scripts.flatMap((script) =>
  sourcesIn(readFileSync(join(BENCHMARKS, script), 'utf8')).map((source) => ({ script, source })),
);

// The compiler leaves the outputs of a source that has moved, so the measurement would run old code unnoticed.
test('measurements load no file of a tier that has lost its source', () => {
  expect(loaded.length).toBeGreaterThan(0);
  expect(loaded.filter(({ source }) => !existsSync(join(ROOT, source)))).toEqual([]);
});
