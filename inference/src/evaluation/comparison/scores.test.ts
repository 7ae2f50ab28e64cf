import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AcquiredImage } from './acquire';
import type { ComparedPairs } from './pairs';
import { openScores, writeScores } from './scores';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'scores-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const image = (line: number, group: string): AcquiredImage => ({
  path: '',
  person: 'Ada',
  faces: [],
  line,
  groups: [group],
});
const pairs = {
  source: Int32Array.of(0),
  target: Int32Array.of(1),
  similarity: Float64Array.of(0.5),
} as unknown as ComparedPairs;

test('groups stay text in a spreadsheet, and lines stay lines', async () => {
  const path = join(folder, 'scores.csv');
  const compared = [image(2, '=1+1'), image(3, '"old", x')];
  await writeScores(await openScores(path), ['device'], { pairs, compared });
  expect(readFileSync(path, 'utf8')).toBe(
    `source_line,target_line,similarity,genuine,source_device,target_device\n2,3,0.5,1,'=1+1,"""old"", x"\n`,
  );
});

test('only the owner can read a file that existed before', async () => {
  const path = join(folder, 'scores.csv');
  writeFileSync(path, 'old', { mode: 0o644 });
  await writeScores(await openScores(path), [], { pairs, compared: [image(2, ''), image(3, '')] });
  expect(statSync(path).mode & 0o777).toBe(0o600);
});
