/**
 * The built command line, as an operator runs it.
 *
 * Slow: each command compiles or verifies models in a process of its own.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { heads } from '../../test/heads';
import { meansModel, ownManifest, ownModelsFolder } from '../../test/own-models';
import { selfSigned } from '../../test/self-signed';
import { type OnnxManifest, readCatalogue } from '../catalogue/manifest';
import { defaultModelCache, packageRoot } from '../catalogue/paths';
import { readOnnxSource } from '../originals/onnx-source';
import { columns } from './columns';

let cache: string;
let folder: string;

beforeAll(async () => {
  cache = await mkdtemp(join(tmpdir(), 'cache-'));
  folder = ownModelsFolder({ 'own.json': ownManifest() });
});
afterAll(() => Promise.all([cache, folder].map((path) => rm(path, { recursive: true }))));

function models(args: string[], env: Record<string, string> = {}) {
  const script = join(packageRoot, 'dist', 'commands', 'cli.js');
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
  expect(listing).toMatchObject({ id: 'own', source: 'own.onnx', license: 'CC0', trainingData: 'none' });
  expect(listing).not.toHaveProperty('sizeBytes');

  expect(await models(['compile', 'own'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^own compiled/),
  });
  expect((await models(['compile', 'own'])).stdout).toBe('own is up to date\n');
  const [name = ''] = (await readdir(cache)).filter((file) => file.endsWith('.onnx'));
  const { size } = await stat(join(cache, name));
  for (const left of [0, size / 2, size - 1]) {
    await truncate(join(cache, name), Math.floor(left));
    expect((await models(['compile', 'own'])).stdout).toMatch(
      /^own is damaged and is compiled again\nown compiled in .*\n$/,
    );
    expect((await stat(join(cache, name))).size).toBe(size);
  }

  const verified = await models(['verify', 'own', '--json']);
  expect(verified.code).toBe(0);
  expect(JSON.parse(verified.stdout)).toEqual([
    { model: 'own', name: 'embedding', difference: expect.any(Number), passed: true },
  ]);
  expect((await models(['list', 'own'])).stdout).toMatch(
    /^MODEL +TASK .*\nown +face-embedding +0\.0 MB +own\.onnx +\w+ +CC0\n {2}Training data: none\n$/,
  );
});

test('compiles the others if a published file is missing, and says what that costs', async () => {
  const mirror = await mkdtemp(join(tmpdir(), 'mirror-'));
  try {
    const { code, stdout, stderr } = await models(['compile', 'sface', 'own'], { MODELS_MIRROR: mirror });
    expect(stdout).toMatch(/^own (?:compiled|is up to date)/);
    expect(stderr).toMatch(
      /^sface is missing, because MODELS_MIRROR does not have it: ENOENT: .*; without it, face-recognition takes its place, .*; "npm run models -- compile sface" adds it later\n$/,
    );
    expect(code).toBe(1);
  } finally {
    await rm(mirror, { recursive: true });
  }
});

test('compiles the fallback of a model whose file is missing, if asked to', async () => {
  const mirror = await mkdtemp(join(tmpdir(), 'mirror-'));
  try {
    const alone = await models(['compile', 'sface'], { MODELS_MIRROR: mirror });
    expect(alone).toMatchObject({ code: 1, stdout: '' });
    expect(alone.stderr).toMatch(
      /^sface is missing, because .*; without it, face-recognition takes its place, and comparison misses .*; "npm run models -- compile sface" adds it later\n$/,
    );
    expect(await models(['compile', 'sface', '--fallback'], { MODELS_MIRROR: mirror })).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^face-recognition (?:compiled|is up to date)/),
      stderr: alone.stderr,
    });
  } finally {
    await rm(mirror, { recursive: true });
  }
});

test.each([
  ['yunet', 'thorough'],
  ['sface', 'embedding'],
])('adds the file of %s as it is published', async (id, role) => {
  const manifest = (await readCatalogue()).find((candidate) => candidate.id === id) as OnnxManifest;
  const file = join(folder, 'published.onnx');
  await writeFile(file, await readOnnxSource(manifest, process.env.MODELS_CACHE ?? defaultModelCache));
  const ownFolder = await mkdtemp(join(tmpdir(), 'published-'));
  try {
    const terms = ['--license', 'MIT', '--training-data', 'none', '--accept-license'];
    const { code, stdout } = await models(['add', file, '--recipe', id, '--id', `own-${id}`, ...terms], {
      MODELS_FOLDER: ownFolder,
    });
    expect(stdout).toContain(`INFERENCE_MODELS=${role}=own-${id} npm start`);
    expect(code).toBe(0);
    expect((await readdir(ownFolder)).sort()).toEqual([`own-${id}.json`, `own-${id}.onnx`]);
  } finally {
    await rm(ownFolder, { recursive: true });
  }
});

/** Runs `use` with a server over TLS and a folder that has its certificate. */
async function withServer(
  respond: RequestListener,
  use: (origin: string, env: { MODELS_FOLDER: string; NODE_EXTRA_CA_CERTS: string }) => Promise<void>,
): Promise<void> {
  const certificate = selfSigned();
  const server = createServer(certificate, respond);
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const ownFolder = ownModelsFolder({ 'ca.pem': certificate.cert });
  try {
    const env = { MODELS_FOLDER: ownFolder, NODE_EXTRA_CA_CERTS: join(ownFolder, 'ca.pem') };
    await use(`https://localhost:${(server.address() as AddressInfo).port}`, env);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(ownFolder, { recursive: true });
  }
}

test('downloads a model once, with progress, then compiles and verifies it', async () => {
  const respond = jest.fn((_, res) => createReadStream(join(folder, 'own.onnx')).pipe(res));
  await withServer(respond, async (origin, env) => {
    const { sha256 } = ownManifest().source as { sha256: string };
    const source = { kind: 'https', url: `${origin}/own.onnx?token=secret`, sha256 };
    const manifest = JSON.stringify(ownManifest({ id: 'distant', source }));
    await writeFile(join(env.MODELS_FOLDER, 'distant.json'), manifest);
    expect(await models(['compile', 'distant'], env)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^distant compiled/),
      stderr: expect.stringContaining('distant downloading 0.0 MB'),
    });
    expect((await models(['verify', 'distant'], env)).stdout).toMatch(
      /\nequal +distant +embedding +0\.0e\+0\n/,
    );
    expect(respond).toHaveBeenCalledTimes(1);
    expect((await models(['list', 'distant'], env)).stdout).toContain(` ${new URL(origin).host} `);
  });
});

describe('add', () => {
  const terms = ['--license', 'CC0', '--training-data', 'none'];
  const arcface = (url: string) => ['add', url, '--recipe', 'arcface-112', '--id', 'added', ...terms];

  test('downloads a file into the own folder, once the terms are accepted', async () => {
    const respond: RequestListener = (_, res) => res.end(meansModel(112, '683'));
    await withServer(respond, async (origin, env) => {
      const command = arcface(`${origin}/own.onnx?token=secret`);
      const before = await readdir(env.MODELS_FOLDER);
      expect(await models(command, env)).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(
          /^added\n {2}License: {7}CC0\n {2}Training data: none\n--accept-license is/,
        ),
      });
      expect(await readdir(env.MODELS_FOLDER)).toEqual(before);

      expect(await models([...command, '--accept-license'], env)).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('Use it: INFERENCE_MODELS=embedding=added npm start'),
      });
      expect(await readdir(env.MODELS_FOLDER)).toEqual(['added.json', 'added.onnx', ...before].sort());
      expect(await readFile(join(env.MODELS_FOLDER, 'added.json'), 'utf8')).not.toContain('secret');
      const [listing] = JSON.parse((await models(['list', 'added', '--json'], env)).stdout);
      expect(listing).toMatchObject({ license: 'CC0', trainingData: 'none', source: 'added.onnx' });
      expect(listing.sizeBytes).toBeGreaterThan(0);
    });
  });

  test('leaves nothing behind when it is stopped', async () => {
    const script = join(packageRoot, 'dist', 'commands', 'cli.js');
    let requested = () => {};
    const request = new Promise<void>((resolve) => {
      requested = resolve;
    });
    // The server never responds.
    await withServer(
      () => requested(),
      async (origin, env) => {
        const before = await readdir(env.MODELS_FOLDER);
        const args = [script, ...arcface(`${origin}/own.onnx`), '--accept-license'];
        const child = spawn(process.execPath, args, { env: { ...process.env, MODELS_CACHE: cache, ...env } });
        await request;
        expect(await readdir(env.MODELS_FOLDER)).toHaveLength(before.length + 1);
        child.kill();
        const [, signal] = await once(child, 'exit');
        expect(signal).toBe('SIGTERM');
        expect(await readdir(env.MODELS_FOLDER)).toEqual(before);
      },
    );
  });
});

test('for a GPU, the models that serve become the graph of the near path', async () => {
  const serving = { MODELS_CACHE: process.env.MODELS_CACHE ?? defaultModelCache, INFERENCE_DEVICE: 'cuda' };
  expect((await models(['compile', 'yunet-256'], serving)).stdout).toBe(
    'yunet-256 is up to date\nnear-path is up to date\n',
  );
  expect((await models(['compile', 'own'], { INFERENCE_DEVICE: 'cuda' })).stdout).toMatch(
    /\nnear-path not compiled: The model [\w-]+ is not compiled, or its file is damaged; /,
  );
});

test('errors are one sentence on the error output', async () => {
  expect(await models(['compile', 'nothing'])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^Unknown model nothing\. Known: /),
  });
  expect(await models(['destroy'])).toMatchObject({ code: 2, stderr: expect.stringMatching(/^Usage: /) });
  expect(await models(['calibrate', 'own'])).toMatchObject({
    code: 2,
    stderr: 'Name a model and a folder: npm run models -- calibrate MODEL FOLDER\n',
  });
  expect(await models(['list', '--write'])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^Unknown option '--write'/),
  });
  expect(await models(['add', '--help'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^ {2}arcface-112 /m),
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

/** Folders of eight people, each with one face 19 times, darker to brighter, sharp or blurred. */
async function crowd(): Promise<string> {
  const people = await mkdtemp(join(tmpdir(), 'people-'));
  for (const [person, head] of (await heads()).entries()) {
    const folder = join(people, `person-${person}`);
    await mkdir(folder);
    const face = await head.resize(220).toBuffer();
    for (let i = 0; i < 19; i++) {
      const image = sharp(face).modulate({ brightness: 0.7 + 0.03 * i });
      await (i % 2 === 0 ? image : image.blur(0.5 + 0.05 * i)).jpeg().toFile(join(folder, `${i}.jpg`));
    }
  }
  return people;
}

test('calibrates a model of its own and writes the curve into its manifest', async () => {
  const people = await crowd();
  // The cache has the models that find faces.
  const linked = await mkdtemp(join(tmpdir(), 'cache-'));
  const served = process.env.MODELS_CACHE ?? defaultModelCache;
  for (const name of await readdir(served)) await symlink(join(served, name), join(linked, name));
  try {
    const run = await models(['calibrate', 'own', people, '--write'], { MODELS_CACHE: linked });
    expect(run).toMatchObject({ code: 0, stdout: '' });
    expect(run.stderr).toContain('152 faces of 8 people, 0 images without one left out');
    expect(run.stderr).toMatch(/^0\.8 +8\.9e-4 +.* to /m);
  } finally {
    await Promise.all([people, linked].map((path) => rm(path, { recursive: true })));
  }
  const [written] = await readCatalogue(folder);
  expect(written?.calibration?.source).toMatch(/^10108 pairs of different people and 1368 of one person/);
});
