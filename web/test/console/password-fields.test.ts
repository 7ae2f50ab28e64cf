/** Fields for passwords in the pages of the console, and the menu of each page. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(__dirname, '../../src/features/console');
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.tsx'))
  .map((file) => readFileSync(join(folder, file), 'utf8'));

test('password fields hide what is typed, and password managers know them', () => {
  const fields = sources.flatMap((text) => text.match(/<Field\b[^>]*name="\w*[Pp]assword"[^>]*>/g) ?? []);
  expect(fields.length).toBeGreaterThan(2);
  for (const field of fields) {
    expect(field).toContain('type="password"');
    expect(field).toMatch(/autoComplete="(?:new|current)-password"/);
  }
});

test('no page of the console keeps people from pasting', () => {
  for (const text of sources) expect(text).not.toMatch(/onPaste|onBeforeInput|user-select/);
});

test('every page of the console has the menu that signs out', () => {
  const frame = readFileSync(join(folder, 'frame/frame.tsx'), 'utf8');
  expect(frame).toContain("api.POST('/sign-out')");
  expect(readFileSync(join(folder, 'console.tsx'), 'utf8')).toContain('<Frame');
});
