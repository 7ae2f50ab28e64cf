import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { compressFolder } from './precompress.mjs';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'precompress-'));
});
afterEach(() => rm(folder, { recursive: true }));

const at = (name: string) => join(folder, name);
const written = async (name: string) => (await stat(at(name))).mtimeMs;
const copies = async (name: string) => [
  brotliDecompressSync(await readFile(at(`${name}.br`))).toString(),
  gunzipSync(await readFile(at(`${name}.gz`))).toString(),
];

it('writes both copies of text files only', async () => {
  await writeFile(at('page.html'), 'one');
  await writeFile(at('photo.webp'), 'two');
  await compressFolder(folder);
  expect((await readdir(folder)).sort()).toEqual(['page.html', 'page.html.br', 'page.html.gz', 'photo.webp']);
  expect(await copies('page.html')).toEqual(['one', 'one']);
});

it('keeps the copies of a file that is written again without a change', async () => {
  await writeFile(at('page.html'), 'one');
  await compressFolder(folder);
  const before = [await written('page.html.br'), await written('page.html.gz')];
  await writeFile(at('page.html'), 'one');
  await compressFolder(folder);
  expect([await written('page.html.br'), await written('page.html.gz')]).toEqual(before);
});

it.each(['changed', ''])('replaces the copies of a file whose content becomes "%s"', async (content) => {
  await writeFile(at('page.html'), 'one');
  await compressFolder(folder);
  await writeFile(at('page.html'), content);
  await compressFolder(folder);
  expect(await copies('page.html')).toEqual([content, content]);
});

it('completes a pair of copies of which one is missing or broken', async () => {
  await writeFile(at('page.html'), 'one');
  await compressFolder(folder);
  await rm(at('page.html.br'));
  await compressFolder(folder);
  await writeFile(at('page.html.gz'), 'not gzip');
  await compressFolder(folder);
  expect(await copies('page.html')).toEqual(['one', 'one']);
});

it('removes the copies of deleted files and what interrupted builds left', async () => {
  for (const name of ['gone.html.br', 'gone.html.gz', 'page.html.br.part']) await writeFile(at(name), 'x');
  await compressFolder(folder);
  expect(await readdir(folder)).toEqual([]);
});
