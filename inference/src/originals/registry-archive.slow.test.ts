/**
 * Takes files out of an archive that the real npm downloads from a small registry.
 *
 * Slow: it starts npm for each download.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';
import { archivedFiles } from './registry-archive';

let registry: Server;
let cache: string;
let downloads = 0;
let options: string[];

async function archiveOf(files: Record<string, string>): Promise<Buffer> {
  const archive = pack();
  for (const [path, text] of Object.entries(files)) archive.entry({ name: `package/${path}` }, text);
  archive.finalize();
  return buffer(archive.pipe(createGzip()));
}

beforeAll(async () => {
  cache = mkdtempSync(join(tmpdir(), 'packages-'));
  const archive = await archiveOf({
    'package.json': '{"name":"weights","version":"1.2.3"}',
    'models/other.bin': 'x'.repeat(1e6),
    'models/one.json': '{"one":1}',
    'models/one.bin': 'weights of one',
  });
  registry = createServer((request, response) => {
    if (request.url?.endsWith('.tgz')) {
      downloads += 1;
      response.end(archive);
      return;
    }
    if (request.url !== '/weights') {
      response.writeHead(404).end('{}');
      return;
    }
    const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
    const tarball = `http://${request.headers.host}/weights/-/weights-1.2.3.tgz`;
    const version = { name: 'weights', version: '1.2.3', dist: { integrity, tarball } };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ name: 'weights', 'dist-tags': {}, versions: { '1.2.3': version } }));
  });
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
  const { port } = registry.address() as AddressInfo;
  options = [`--registry=http://127.0.0.1:${port}/`, `--cache=${join(cache, 'npm')}`];
});
afterAll(async () => {
  await new Promise((resolve) => registry.close(resolve));
  rmSync(cache, { recursive: true });
});

const source = (...paths: string[]) => ({
  package: 'weights',
  version: '1.2.3',
  files: paths.map((path) => ({ path })),
});

test('downloads once, for callers at the same time and later', async () => {
  const wanted = source('models/one.json', 'models/one.bin');
  const [folder] = await Promise.all([
    archivedFiles(wanted, cache, options),
    archivedFiles(wanted, cache, options),
  ]);
  expect(await archivedFiles(wanted, cache, options)).toBe(folder);
  expect(readFileSync(join(folder, 'models/one.bin'), 'utf8')).toBe('weights of one');
  expect(readFileSync(join(folder, 'models/one.json'), 'utf8')).toBe('{"one":1}');
  expect(downloads).toBe(1);
});

test('names a file that the archive lacks, and a version that the registry lacks', async () => {
  await expect(archivedFiles(source('models/two.bin'), cache, options)).rejects.toThrow(
    'weights@1.2.3 has no file models/two.bin',
  );
  await expect(
    archivedFiles({ ...source('models/one.bin'), version: '9.9.9' }, cache, options),
  ).rejects.toThrow(/^npm could not download weights@9\.9\.9: npm error .*No matching version/);
});
