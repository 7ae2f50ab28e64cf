// Checks the Dockerfiles against an operator's expectations. README.md lists what only a build shows, and how it was
// tested.

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { installCudaProvider, readPin } from '../../gateway/harness/setup/cuda-provider.mjs';
import { GATEWAY_NODE_OPTIONS } from '../../gateway/harness/tiers.mjs';
import { readConfig as readGateway } from '../../gateway/src/config';
import { readConfig as readInference } from '../../inference/src/config';
import { defaultModels } from '../../inference/src/serving/serving-models';
import { environmentOf, readDockerfile, type Stage } from './dockerfile';

const ROOT = join(__dirname, '../..');
const NAMES = readdirSync(__dirname).filter((name) => name.endsWith('.Dockerfile'));
const IMAGES = ['cpu', 'gpu', 'gateway', 'web'];
/** The other one stands on NVIDIA's base, which has a shell. */
const SMALL = ['cpu', 'gateway', 'web'];
/** Name, full version, digest. */
const PINNED = /^docker\.io\/[a-z/]+:\d+\.\d+\.\d+[\w.-]*@sha256:[0-9a-f]{64}$/;

const files = new Map(NAMES.map((name) => [name, readDockerfile(join(__dirname, name))]));
const stages = [...files.values()].flatMap((file) => file.stages);
const images = stages.filter(({ name }) => IMAGES.includes(name));
const valuesOf = ({ instructions }: Stage, wanted: string) =>
  instructions.filter(({ name }) => name === wanted).map(({ text }) => text);

test('every image exists, and the last stage of each file is one', () => {
  expect(images.map(({ name }) => name).sort()).toEqual([...IMAGES].sort());
  for (const { stages: ownStages } of files.values()) expect(IMAGES).toContain(ownStages.at(-1)?.name);
});

describe.each(NAMES)('%s', (name) => {
  const { stages: ownStages, instructions } = files.get(name)!;

  test('pins every base and its syntax to a full version and a digest', () => {
    const names = ownStages.map((stage) => stage.name);
    const outside = ownStages.map(({ base }) => base).filter((base) => !names.includes(base));
    expect(outside.length).toBeGreaterThan(0);
    for (const base of outside.filter((image) => image !== 'scratch')) expect(base).toMatch(PINNED);
    const [syntax] = readFileSync(join(__dirname, name), 'utf8').split('\n');
    expect(syntax).toMatch(/^# syntax=docker\/dockerfile:\d+\.\d+\.\d+@sha256:[0-9a-f]{64}$/);
  });

  test('copies everything from the repository or another stage, and downloads nothing', () => {
    expect(instructions.filter((instruction) => instruction.name === 'ADD')).toEqual([]);
    for (const { text } of instructions.filter((instruction) => instruction.name === 'RUN')) {
      expect(text).not.toMatch(/\b(?:curl|wget)\b/);
    }
    const copied = instructions.filter((instruction) => instruction.name === 'COPY').map(({ text }) => text);
    for (const text of copied.filter((copy) => !copy.startsWith('--from='))) {
      const sources = text.split(/\s+/).slice(0, -1);
      for (const source of sources) expect([source, existsSync(join(ROOT, source))]).toEqual([source, true]);
    }
    for (const [, from] of copied.join('\n').matchAll(/--from=(\S+)/g)) {
      expect(ownStages.map((stage) => stage.name)).toContain(from);
    }
  });

  test('holds no secret', () => {
    const said = instructions.filter((instruction) => ['ENV', 'ARG', 'LABEL'].includes(instruction.name));
    for (const { text } of said)
      expect(text).not.toMatch(/SECRET|TOKEN|PASSWORD|_KEY\b|(?<!@sha256:)\b[0-9a-f]{64}\b/i);
  });
});

describe.each(images.map((stage) => [stage.name, stage] as const))('the image %s', (_name, stage) => {
  test('runs as an unprivileged user, by a number that Kubernetes can check', () => {
    expect(valuesOf(stage, 'USER')).toEqual(['10001:10001']);
    // No later instruction changes files.
    const names = stage.instructions.map(({ name }) => name);
    expect(names.slice(names.indexOf('USER'))).toEqual(['USER', 'EXPOSE', 'STOPSIGNAL', 'CMD']);
  });

  test('starts Node directly, so that it receives signals', () => {
    const [command = ''] = valuesOf(stage, 'CMD');
    expect(JSON.parse(command)[0]).toBe('node');
    expect(valuesOf(stage, 'STOPSIGNAL')).toEqual(['SIGTERM']);
  });

  test('has no health check, which the OCI format would drop', () => {
    expect(valuesOf(stage, 'HEALTHCHECK')).toEqual([]);
  });

  test('carries labels of the Open Container Initiative, with the version of package.json', () => {
    const [labels = ''] = valuesOf(stage, 'LABEL');
    for (const label of ['title', 'description', 'licenses', 'version', 'revision']) {
      expect(labels).toContain(`org.opencontainers.image.${label}="`);
    }
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(valuesOf(stage, 'ARG')).toContain(`VERSION=${version}`);
  });

  test('sets only variables that the code reads', () => {
    const read = {
      gateway: Object.keys(readGateway({ KEY_SECRET: '00'.repeat(32) })),
      inference: Object.keys(readInference({})),
      web: [...readFileSync(join(ROOT, 'web/serve.mjs'), 'utf8').matchAll(/\b(WEB_\w+|API_URL)\b/g)].map(
        ([, variable = '']) => variable,
      ),
      system: ['NODE_ENV', 'MALLOC_ARENA_MAX'],
    };
    for (const variable of environmentOf(stage).keys()) {
      expect(Object.values(read).flat()).toContain(variable);
    }
    expect(environmentOf(stage).get('NODE_ENV')).toBe('production');
  });
});

test('the models of the inference image are those that serve by default', () => {
  const build = files.get('inference.Dockerfile')!.stages.find(({ name }) => name === 'build')!;
  const [argument = ''] = valuesOf(build, 'ARG');
  const [, names = ''] = /^MODELS="(.*)"$/.exec(argument) ?? [];
  expect(names.split(' ').sort()).toEqual([...new Set(Object.values(defaultModels))].sort());
});

test('the gateway has the options of Node that `npm start` gives it', () => {
  const [command = ''] = valuesOf(files.get('gateway.Dockerfile')!.stages.at(-1)!, 'CMD');
  expect(JSON.parse(command)).toEqual(['node', ...GATEWAY_NODE_OPTIONS, 'dist/main.js']);
});

test.each(SMALL)(
  'the image %s is Node and the files of its tier: no base, and no command that needs a shell',
  (name) => {
    const stage = images.find((candidate) => candidate.name === name)!;
    expect(stage.base).toBe('scratch');
    expect(valuesOf(stage, 'RUN')).toEqual([]);
    expect(valuesOf(stage, 'COPY')[0]).toBe('--from=runtime /runtime/ /');
    const [runtime] = [...files.values()]
      .filter((file) => file.stages.includes(stage))
      .flatMap((file) => file.stages.filter((stage) => stage.name === 'runtime'));
    expect(valuesOf(runtime!, 'RUN')).toEqual(['node /runtime.mjs --to /runtime']);
  },
);

test('every installation of packages opens few files at a time', () => {
  const installs = stages
    .flatMap((stage) => valuesOf(stage, 'RUN'))
    .filter((text) => /\bnpm ci\b/.test(text));
  expect(installs).toHaveLength(NAMES.length);
  for (const text of installs)
    expect(text).toContain('NODE_OPTIONS=--require=/app/deploy/docker/npm-limit.cjs ');
});

describe('the build context', () => {
  const lines = readFileSync(join(ROOT, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'));

  test('holds only the listed files', () => {
    expect(lines[0]).toBe('*');
    const allowed = lines
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1).replace(/\/(?:\*\.mjs|\*\/README\.md)$/, ''));
    for (const path of allowed) expect([path, existsSync(join(ROOT, path))]).toEqual([path, true]);
    for (const path of ['.git', '.data', 'node_modules']) expect(allowed).not.toContain(path);
  });

  test('excludes secrets and build output, even inside a listed folder', () => {
    for (const line of ['**/.env*', '**/.data', '**/node_modules', '**/dist', '**/.cache', 'web/public']) {
      expect(lines).toContain(line);
      // Later lines win.
      expect(lines.lastIndexOf(line)).toBeGreaterThan(lines.findLastIndex((rule) => rule.startsWith('!')));
    }
  });
});

const hadolint = (process.env.PATH ?? '')
  .split(':')
  .map((folder) => join(folder, 'hadolint'))
  .find(existsSync);
(hadolint ? test : test.skip)('hadolint, where it is installed, finds nothing', () => {
  const config = join(ROOT, '.hadolint.yaml');
  const args = ['--config', config, ...NAMES.map((name) => join(__dirname, name))];
  expect(execFileSync(hadolint ?? '', args, { encoding: 'utf8' })).toBe('');
});

describe('CUDA', () => {
  const pin = JSON.parse(readFileSync(join(ROOT, 'inference/src/backends/cuda-provider.json'), 'utf8'));
  const { cuda, cudnn, minimumDriver, onnxruntime } = pin;
  const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');
  const [driverBranch] = minimumDriver.split('.');

  test('the pinned provider is for the installed ONNX Runtime', () => {
    expect(JSON.parse(textOf('inference/package.json')).dependencies['onnxruntime-node']).toBe(onnxruntime);
    expect(pin.sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  test('the image, the check of its libraries, Compose and the documents name its versions', () => {
    const dockerfile = textOf('deploy/docker/inference.Dockerfile');
    expect(dockerfile).toMatch(
      new RegExp(`ARG CUDA_IMAGE=docker\\.io/nvidia/cuda:${cuda}\\.\\S+-cudnn-runtime`),
    );
    expect(dockerfile).toContain(`--opens libcudnn.so.${cudnn}`);
    const compose = textOf('deploy/docker/compose.gpu.yaml').replaceAll(/\n# /g, ' ');
    expect(compose).toContain(`CUDA ${cuda} (${driverBranch} or later)`);
    const readme = textOf('deploy/docker/README.md');
    expect(readme).toContain(`CUDA ${cuda} and cuDNN ${cudnn}`);
    expect(readme).toContain(`driver ${minimumDriver} or later`);
  });

  test('another archive than the pinned one, or another version of the package, is rejected', async () => {
    const server = createServer((_, response) => response.end('something else')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const archive = `http://127.0.0.1:${(server.address() as AddressInfo).port}/provider.whl`;
    const platform = `${process.platform}-${process.arch}`;
    const install = (change: { onnxruntime?: string }) =>
      installCudaProvider({ pin: { ...readPin(), archive, platform, ...change } });
    await expect(install({})).rejects.toThrow(/has the SHA-256 [0-9a-f]{64}, not the pinned/);
    await expect(install({ onnxruntime: '0.0.1' })).rejects.toThrow(
      `The pinned CUDA provider is for ONNX Runtime 0.0.1, and ${onnxruntime} is installed.`,
    );
    server.close();
  });
});
