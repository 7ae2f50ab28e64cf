/** The built command line, as an operator runs it. */
import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownManifest, ownModelsFolder } from '../../test/own-models';
import { selfSigned } from '../../test/self-signed';
import { packageRoot } from '../catalogue/paths';
import { columns } from './columns';

let cache: string;
let folder: string;

beforeAll(async () => {
  cache = await mkdtemp(join(tmpdir(), 'cache-'));
  folder = ownModelsFolder({ 'own.json': ownManifest() });
});
afterAll(() => Promise.all([cache, folder].map((path) => rm(path, { recursive: true }))));

function models(args: string[], env: Record<string, string> = {}) {
  const script = join(packageRoot, 'dist', 'compiler', 'cli.js');
  const options = { env: { ...process.env, MODELS_CACHE: cache, MODELS_FOLDER: folder, ...env } };
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [script, ...args], options, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });
}

test("lists an operator's model, compiles it once and verifies it", async () => {
  const before = await models(['list', 'own', '--json']);
  expect(before).toMatchObject({ code: 0, stderr: '' });
  const [listing] = JSON.parse(before.stdout);
  expect(listing).toMatchObject({ id: 'own', source: 'own.onnx', licence: 'CC0', trainingData: 'none' });
  expect(listing).not.toHaveProperty('sizeBytes');

  expect(await models(['compile', 'own'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^own compiled/),
  });
  expect((await models(['compile', 'own'])).stdout).toBe('own is up to date\n');

  const verified = await models(['verify', 'own', '--json']);
  expect(verified.code).toBe(0);
  expect(JSON.parse(verified.stdout)).toEqual([
    { model: 'own', name: 'embedding', difference: expect.any(Number), passed: true },
  ]);
  expect((await models(['list', 'own'])).stdout).toMatch(
    /^MODEL +TASK .*\nown +face-embedding +0\.0 MB +own\.onnx/,
  );
});

test('downloads a model once, with progress, then compiles and verifies it', async () => {
  const certificate = selfSigned();
  let asked = 0;
  const server = createServer(certificate, (_, res) => {
    asked += 1;
    createReadStream(join(folder, 'own.onnx')).pipe(res);
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  const { sha256 } = ownManifest().source as { sha256: string };
  const source = { kind: 'https', url: `https://localhost:${port}/own.onnx?token=secret`, sha256 };
  const distant = ownModelsFolder({
    'distant.json': ownManifest({ id: 'distant', source }),
    'ca.pem': certificate.cert,
  });
  const env = { MODELS_FOLDER: distant, NODE_EXTRA_CA_CERTS: join(distant, 'ca.pem') };
  try {
    expect(await models(['compile', 'distant'], env)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^distant compiled/),
      stderr: expect.stringContaining('distant downloading 0.0 MB'),
    });
    expect((await models(['verify', 'distant'], env)).stdout).toMatch(
      /\nequal +distant +embedding +0\.0e\+0\n/,
    );
    expect(asked).toBe(1);
    expect((await models(['list', 'distant'], env)).stdout).toContain(` localhost:${port} `);
  } finally {
    await new Promise((resolve) => server.close(resolve));
    await rm(distant, { recursive: true });
  }
});

test('errors are one sentence on the error output', async () => {
  expect(await models(['compile', 'nothing'])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^Unknown model nothing\. Known: /),
  });
  expect(await models(['destroy'])).toMatchObject({ code: 2, stderr: expect.stringMatching(/^Usage: /) });
  expect(await models(['calibrate', 'own'])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^Usage: /),
  });
  const other = ownModelsFolder({
    'own.json': ownManifest({ outputs: [{ name: 'embedding', source: 'no', shape: [4] }] }),
  });
  expect(await models(['compile', 'own'], { MODELS_FOLDER: other })).toMatchObject({
    code: 1,
    stderr: 'own.json, outputs.0.source: the file has no output "no", its outputs are "means"\n',
  });
  await rm(other, { recursive: true });
});

test('columns are as wide as their widest cell', () => {
  expect(
    columns([
      ['A', 'B'],
      ['long', ''],
      ['x', 'y'],
    ]),
  ).toEqual(['A     B', 'long', 'x     y']);
});
