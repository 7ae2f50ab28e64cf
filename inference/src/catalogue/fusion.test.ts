import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddingParts, fusionPath, readFusion } from './fusion';
import type { ModelManifest } from './manifest';

const id = 'a+b';
const calibration = {
  source: 'none',
  curve: [
    [0, 1],
    [1, 0],
  ],
};
const folder = mkdtempSync(join(tmpdir(), 'fusions-'));
mkdirSync(join(folder, 'fusions'));
afterAll(() => rmSync(folder, { recursive: true }));

const write = (file: unknown) => writeFileSync(fusionPath(id, folder), JSON.stringify(file));

test('reads the built-in fusion and the own one, and reports a missing one as undefined', async () => {
  const builtIn = await readFusion('face-recognition+mobilefacenet');
  expect(builtIn?.parts.map(({ weight }) => weight).reduce((a, b) => a + b)).toBeCloseTo(1);
  expect(await readFusion(id, folder)).toBeUndefined();
  write({ parts: [{ weight: 0.5 }, { weight: 0.5 }], calibration });
  expect(await readFusion(id, folder)).toMatchObject({ id, calibration });
});

test.each([
  [
    { parts: [{ weight: 1 }, { weight: 0.5 }], calibration },
    'a+b.json is not valid: /parts/0/weight must be < 1',
  ],
  [
    { parts: [{ weight: 0.6 }, { weight: 0.5 }], calibration },
    'a+b.json, parts: the weights add up to 1.1, not to 1',
  ],
  [
    { parts: [{ weight: 0.2 }, { weight: 0.3 }, { weight: 0.5 }], calibration },
    'a+b.json, parts: 3 for 2 models',
  ],
  [
    { parts: [{ weight: 0.5 }, { weight: 0.5 }] },
    "a+b.json is not valid: file must have required property 'calibration'",
  ],
])('refuses %j', async (file, message) => {
  write(file);
  await expect(readFusion(id, folder)).rejects.toThrow(message);
});

test('names a file that is not JSON', async () => {
  writeFileSync(fusionPath(id, folder), '{');
  await expect(readFusion(id, folder)).rejects.toThrow('Model manifest a+b.json is not JSON');
});

test('a part uses all alignments, plain and mirrored, unless it selects chips', () => {
  const templates = [1, 2].map((index) => ({
    landmarks: [33, 263],
    positions: [
      [index, 1],
      [index, 2],
    ] as const,
  }));
  const model = { id: 'a', alignments: templates } as unknown as ModelManifest;
  const [all] = embeddingParts({ id: 'a', parts: [{ weight: 1 }] }, [model]);
  expect(all?.chips).toHaveLength(4);
  const parts = [{ weight: 0.5, chips: [{ alignment: 1, mirrored: true }] }, { weight: 0.5 }];
  const [selected, other] = embeddingParts({ id, parts }, [model, { ...model, id: 'b' }]);
  expect(selected).toEqual({
    model: 'embedding',
    weight: 0.5,
    chips: [{ template: templates[1], mirrored: true }],
  });
  expect(other?.model).toBe('embedding-b');
  const wrong = [{ weight: 1, chips: [{ alignment: 2 }] }];
  expect(() => embeddingParts({ id: 'a', parts: wrong }, [model])).toThrow(
    'a.json, parts.0.chips.0: a has no alignment 2; the first is 0',
  );
});
