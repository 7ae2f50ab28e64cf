/**
 * Builds, pulls and signs the images of a release, with stand-ins for docker and cosign that record their arguments. Each
 * build has a new digest, as real ones do, so the test notices if an image is built twice.
 *
 * Slow: it runs the whole release script for each of its tests.
 */
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withFolder } from '../../gateway/harness/folders.mjs';
import { runToEnd } from '../../gateway/harness/process.mjs';

const SCRIPT = join(__dirname, 'images.mjs');
const REGISTRY = 'registry.example.com/presenza';
const NAMES = ['gateway', 'inference', 'web'];

// cspell:ignore containerimage
const standIn = `#!${process.execPath}
const { appendFileSync, writeFileSync } = require('node:fs');
const { createHash, randomBytes } = require('node:crypto');
const args = process.argv.slice(2);
const program = require('node:path').basename(process.argv[1]);
appendFileSync(process.env.CALLS, JSON.stringify([program, ...args]) + '\\n');
const digestOf = (text) => 'sha256:' + createHash('sha256').update(text).digest('hex');
const metadata = args.indexOf('--metadata-file');
if (metadata >= 0)
  writeFileSync(args[metadata + 1], JSON.stringify({ 'containerimage.digest': digestOf(randomBytes(9)) }));
if (args[2] === 'inspect') console.log(JSON.stringify({ digest: digestOf(args[3]) }));
`;

/** @returns the result of a command, and the programs that it ran */
async function run(folder: string, ...args: string[]) {
  const calls = join(folder, 'calls');
  writeFileSync(calls, '');
  for (const program of ['docker', 'cosign']) {
    const file = join(folder, program);
    if (!existsSync(file)) writeFileSync(file, standIn);
    chmodSync(file, 0o755);
  }
  const env = { PATH: folder, CALLS: calls, REGISTRY, PRESENZA_VERSION: '1.2.3', REVISION: 'abc' };
  const { code, stdout, stderr } = await runToEnd(process.execPath, [SCRIPT, ...args], { env });
  const ran: string[][] = readFileSync(calls, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  return { code, stderr, lines: stdout.trim().split(' '), ran };
}

test('each image is built once and pushed without a tag; its digest is the one that is checked and signed', async () => {
  await withFolder(async (folder) => {
    const built = [await run(folder, 'build'), await run(folder, 'build')];
    for (const { code, lines, ran } of built) {
      expect(code).toBe(0);
      expect(lines.map((line) => line.split('@')[0])).toEqual(NAMES);
      expect(ran.map(([program, ...args]) => [program, args[1]])).toEqual(
        NAMES.map(() => ['docker', 'build']),
      );
      for (const [i, args] of ran.entries()) {
        expect(args).toContain(`type=image,name=${REGISTRY}/${NAMES[i]},push-by-digest=true,push=true`);
        expect(args).not.toContain('--tag');
        expect(args.join(' ')).toContain('--provenance mode=max --sbom true');
      }
    }
    const [amd64, arm64] = built.map(({ lines }) => lines) as [string[], string[]];
    expect(new Set([...amd64, ...arm64]).size).toBe(6);

    const pulled = await run(folder, 'pull', ...amd64);
    expect(pulled.ran).toEqual(
      amd64.flatMap((image, i) => [
        ['docker', 'pull', `${REGISTRY}/${image}`],
        ['docker', 'tag', `${REGISTRY}/${image}`, `presenza/${NAMES[i]}:1.2.3`],
      ]),
    );

    const signed = await run(folder, 'sign', ...amd64, ...arm64);
    for (const [i, name] of NAMES.entries()) {
      const tag = `${REGISTRY}/${name}:1.2.3`;
      const [create, inspect, sign] = signed.ran.slice(3 * i);
      const parts = [amd64[i], arm64[i]].map((image) => `${REGISTRY}/${image}`);
      expect(create).toEqual(['docker', 'buildx', 'imagetools', 'create', '--tag', tag, ...parts]);
      expect(inspect?.slice(0, 5)).toEqual(['docker', 'buildx', 'imagetools', 'inspect', tag]);
      expect(sign).toEqual(['cosign', 'sign', '--yes', '--recursive', `${REGISTRY}/${signed.lines[i]}`]);
    }
  });
});

test.each([
  ['pull', 'gateway:1.2.3'],
  ['pull', 'other@sha256:'.padEnd(77, 'a')],
  ['sign', 'gateway@sha256:'.padEnd(79, 'a')],
  ['sign'],
  ['push'],
])('images.mjs %s %s fails before it tags or signs anything', async (...args) => {
  await withFolder(async (folder) => {
    const { code, stderr, ran } = await run(folder, ...args);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^(?!.*at ).+\.\n$/)]);
    expect(ran).toEqual([]);
  });
});
