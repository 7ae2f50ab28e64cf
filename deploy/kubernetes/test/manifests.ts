// The output of `kustomize build` that the tests of this folder examine: one build of each overlay, and one of each
// component that no overlay includes. `npm run test:slow` installs kustomize with Go. Without it, tests that need it are skipped
// by name.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { kustomize, kustomizeBuild } from '../build.mjs';
import type { Container, Manifest, PodSpec } from './types';

export const FOLDER = join(__dirname, '..');
export const ROOT = join(FOLDER, '../..');

/** Builds by name: folders of their own, or the base with some components. */
const BUILDS: Readonly<Record<string, string | readonly string[]>> = {
  'overlays/local': 'overlays/local',
  'overlays/production': 'overlays/production',
  'overlays/gpu': 'overlays/gpu',
  'base with redis-cluster': ['redis-cluster'],
  'base with redis-external': ['redis-external', 'redis-exporter'],
  'base with everything, without KEDA': [
    'redis-cluster',
    'redis-exporter',
    'stripe',
    'ingress',
    'mail',
    'monitoring',
    'autoscaling-gateway',
    'autoscaling-inference-adapter',
  ],
  'cluster/gpu-time-slicing': 'cluster/gpu-time-slicing',
};

export const buildNames = Object.keys(BUILDS);
/** Builds that contain the whole service. */
export const presenzas = buildNames.filter((name) => !name.startsWith('cluster/'));

/** `describe` with kustomize; without it a skipped test, and the body does not run. */
export function describeBuilds(title: string, body: () => void): void {
  if (kustomize) describe(title, body);
  else test.skip(`${title}: needs kustomize`, () => {});
}

export function describeEachBuild(names: readonly string[], body: (name: string) => void): void {
  for (const name of names) describeBuilds(name, () => body(name));
}

const built = new Map<string, readonly Manifest[]>();

/** The objects of a build. @throws Error with kustomize's message */
export function build(name: string): readonly Manifest[] {
  const made = built.get(name) ?? parse(kustomizeBuild(BUILDS[name] ?? name));
  built.set(name, made);
  return made;
}

/** The documents of a file of YAML. */
export const parse = (text: string): Manifest[] =>
  parseAllDocuments(text)
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null);

export const ofKind = (manifests: readonly Manifest[], kind: string): Manifest[] =>
  manifests.filter((manifest) => manifest.kind === kind);

/** @throws Error where there is none */
export function find(manifests: readonly Manifest[], kind: string, name: string): Manifest {
  const manifest = ofKind(manifests, kind).find(({ metadata }) => metadata.name === name);
  if (!manifest) throw new Error(`There is no ${kind} ${name}`);
  return manifest;
}

export interface Workload {
  readonly manifest: Manifest;
  /** `Deployment web` */
  readonly title: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly pod: PodSpec;
  readonly containers: readonly Container[];
  /** Whether its pods end when they are done; others are kept up. */
  readonly ends: boolean;
}

/** Every object that creates pods. */
export const workloads = (manifests: readonly Manifest[]): Workload[] =>
  manifests
    .filter(({ kind }) => ['Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob'].includes(kind))
    .map((manifest) => {
      const { template } = manifest.spec.jobTemplate?.spec ?? manifest.spec;
      const pod: PodSpec = template.spec;
      return {
        manifest,
        title: `${manifest.kind} ${manifest.metadata.name}`,
        labels: template.metadata.labels,
        pod,
        containers: [...(pod.initContainers ?? []), ...pod.containers],
        ends: manifest.kind.endsWith('Job'),
      };
    });

/** The container that a workload is named after. @throws Error where there is none */
export function container(manifests: readonly Manifest[], kind: string, name: string): Container {
  const { containers } = find(manifests, kind, name).spec.template.spec;
  const match = (containers as Container[]).find((candidate) => candidate.name === name);
  if (!match) throw new Error(`${kind} ${name} has no container of its name`);
  return match;
}

/** The program, with its arguments, by which Redis is made to rewrite its file every day. */
export function rewriteCommand(): readonly string[] {
  const manifests = parse(readFileSync(join(FOLDER, 'base/redis/rewrite.yaml'), 'utf8'));
  const { containers } = find(manifests, 'CronJob', 'redis-rewrite').spec.jobTemplate.spec.template.spec;
  return (containers as Container[])[0]?.command ?? [];
}

/** Values of a container's environment that stand in the manifest. */
export const environment = (container: Container): Record<string, string> =>
  Object.fromEntries(
    (container.env ?? []).flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])),
  );

export { selects } from '../cluster-test/network/reach.mjs';
