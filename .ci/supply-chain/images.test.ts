// Every image that a build, Compose, Kubernetes or the chart takes from elsewhere has a version and a digest. Without the
// digest, anyone who controls the tag controls what runs.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { readDockerfile } from '../../deploy/docker/dockerfile';

const ROOT = join(__dirname, '../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const paths = readdirSync(join(ROOT, 'deploy'), { recursive: true, encoding: 'utf8' }).map((path) =>
  join('deploy', path),
);
const files = (pattern: RegExp) => paths.filter((path) => pattern.test(path)).sort();

interface Reference {
  readonly file: string;
  readonly image: string;
}

/** Built from a Dockerfile of this repository. */
const isOurs = (image: string) => /(?:^|\/)presenza\//.test(image);

function ofDockerfiles(): Reference[] {
  return files(/^deploy\/docker\/[\w.]+\.Dockerfile$/).flatMap((file) => {
    const { stages } = readDockerfile(join(ROOT, file));
    const names = ['scratch', ...stages.map(({ name }) => name)];
    const [, syntax = ''] = /^# syntax=(\S+)/.exec(read(file)) ?? [];
    const bases = stages.map(({ base }) => base).filter((base) => !names.includes(base));
    return [syntax, ...bases].map((image) => ({ file, image }));
  });
}

function ofCompose(): Reference[] {
  return files(/^deploy\/docker\/compose[\w.]*\.yaml$/).flatMap((file) => {
    const { services } = parse(read(file), { merge: true });
    const images = Object.values<{ image?: string }>(services).flatMap(({ image }) => image ?? []);
    return images.map((image) => ({ file, image }));
  });
}

interface Override {
  readonly name: string;
  readonly newName?: string;
  readonly newTag?: string;
  readonly digest?: string;
}

/** Images by the name that manifests use, as Kustomize completes them. */
function ofKustomize(): Reference[] {
  return files(/^deploy\/kubernetes\/.*\/kustomization\.yaml$/).flatMap((file) => {
    const { images = [] }: { images?: readonly Override[] } = parse(read(file));
    return images.map(({ name, newTag = '', digest }) => ({
      file,
      image: `${name}:${newTag}${digest === undefined ? '' : `@${digest}`}`,
    }));
  });
}

/** Every text under a key `image`, at any depth. */
function imagesIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) =>
    key === 'image' && typeof value === 'string' ? [value] : imagesIn(value),
  );
}

function ofChart(): Reference[] {
  return files(/^deploy\/helm\/presenza\/(?:values|examples\/\w+)\.yaml$/).flatMap((file) =>
    imagesIn(parse(read(file))).map((image) => ({ file, image })),
  );
}

const all = [...ofDockerfiles(), ...ofCompose(), ...ofKustomize(), ...ofChart()];
const foreign = all.filter(({ image }) => !isOurs(image));

test.each([
  ['Dockerfiles', ofDockerfiles],
  ['files of Compose', ofCompose],
  ['files of Kustomize', ofKustomize],
  ['values of the chart', ofChart],
])('%s name images', (_, find) => {
  expect(find().filter(({ image }) => !isOurs(image)).length).toBeGreaterThan(0);
});

test.each(foreign)('$file: $image has a full version and a digest', ({ image }) => {
  expect(image).toMatch(/^[\w./-]+:v?\d+\.\d+\.\d+[\w.-]*@sha256:[0-9a-f]{64}$/);
});

test.each(all.filter(({ image }) => isOurs(image)))('$file: $image has a full version', ({ image }) => {
  expect(image).toMatch(/:(?:\$\{PRESENZA_VERSION:-)?\d+\.\d+\.\d+/);
});

test('one version of an image has one digest', () => {
  const digests = new Map<string, Set<string>>();
  for (const { image } of foreign) {
    const [name = '', digest = ''] = image.replace(/^docker\.io\/(?:library\/)?/, '').split('@');
    digests.set(name, (digests.get(name) ?? new Set()).add(digest));
  }
  for (const [name, known] of digests) expect([name, known.size]).toEqual([name, 1]);
});

test('manifests name no image that a kustomization does not complete', () => {
  const completed = new Set(ofKustomize().map(({ image }) => image.replace(/:.*/, '')));
  const named = files(/^deploy\/kubernetes\/(?:base|components|overlays)\/.*\.yaml$/)
    .filter((file) => !file.endsWith('kustomization.yaml'))
    .flatMap((file) => parseAllDocuments(read(file)).flatMap((document) => imagesIn(document.toJS())));
  expect(named.length).toBeGreaterThan(5);
  for (const image of named) expect(completed).toContain(image);
});

test('each Redis of Compose has a password of its own', () => {
  const { services } = parse(read('deploy/docker/compose.yaml'), { merge: true });
  const watching = parse(read('deploy/docker/compose.monitoring.yaml'), { merge: true }).services;
  const redis = Object.entries<{ image: string; environment: Record<string, string> }>(services).filter(
    ([, { image }]) => /\bredis:/.test(image),
  );
  expect(redis.length).toBeGreaterThan(1);
  const passwords = redis.map(([, { environment }]) => environment.REDIS_PASSWORD);
  expect(new Set(passwords).size).toBe(redis.length);
  const { environment } = services.gateway;
  for (const [name, { environment: redisEnvironment }] of redis) {
    expect(redisEnvironment.REDISCLI_AUTH).toBe(redisEnvironment.REDIS_PASSWORD);
    const urls = Object.values<string>(environment).filter((value) => value.endsWith(`@${name}:6379`));
    expect(urls).toEqual([`redis://:${redisEnvironment.REDIS_PASSWORD}@${name}:6379`]);
    expect(watching[`${name}-exporter`].environment.REDIS_PASSWORD).toBe(redisEnvironment.REDIS_PASSWORD);
  }
});

test('the gateway trusts no proxy by default, and the Ingress controller with the Ingress', () => {
  const trusted = (file: string) => /name: GATEWAY_TRUST_PROXY, value: "(.*)"/.exec(read(file))?.[1];
  expect(trusted('deploy/kubernetes/base/gateway/stateful-set.yaml')).toBe('');
  expect(trusted('deploy/kubernetes/components/ingress/gateway.yaml')).toBe('1');
  const { gateway } = parse(read('deploy/helm/presenza/values.yaml'));
  expect([gateway.trustProxy, gateway.env]).toEqual([
    '',
    expect.not.objectContaining({ GATEWAY_TRUST_PROXY: expect.anything() }),
  ]);
  const { services } = parse(read('deploy/docker/compose.yaml'), { merge: true });
  expect(services.gateway.environment.GATEWAY_TRUST_PROXY).toBe(`\${GATEWAY_TRUST_PROXY:-}`);
});
