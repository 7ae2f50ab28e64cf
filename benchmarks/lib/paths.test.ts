import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BENCHMARKS, ROOT } from './paths.mjs';

const call = /\b(inferenceFile|gatewayFile|fromTier)\(('[^)]*')\)/g;
const scripts = readdirSync(BENCHMARKS, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.mjs'),
);
const loaded = scripts.flatMap((script) =>
  [...readFileSync(join(BENCHMARKS, script), 'utf8').matchAll(call)].map(([, name, path = '']) => {
    const tier = name === 'gatewayFile' ? 'gateway' : 'inference';
    return { script, source: join(tier, 'src', path.replaceAll(/[' ]|\.js\b/g, '').replaceAll(',', '/')) };
  }),
);

// The compiler leaves the outputs of a source that has moved, so the measurement would run old code unnoticed.
test('measurements load no file of a tier that has lost its source', () => {
  expect(loaded.length).toBeGreaterThan(0);
  const lost = loaded.filter(({ source }) => !existsSync(join(ROOT, source.replace(/(?<!\.json)$/, '.ts'))));
  expect(lost).toEqual([]);
});
