/**
 * Every manifest is valid for Kubernetes, KEDA and the Prometheus Operator. JSON schemas check values, and TypeScript
 * checks names: the test writes each object as a literal of its kind's type, where an unknown field is an error. An API
 * server would silently ignore such a field.
 *
 * Slow: Kustomize, which `npm run test:slow` compiles if the machine has none, builds every overlay.
 */
import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withScratch } from '../build.mjs';
import { build, buildNames, describeBuilds, parse, ROOT } from './manifests';
import type { Manifest } from './types';

/** Package and folder of a group's types. */
function modelOf({ apiVersion }: Manifest): string {
  if (apiVersion.startsWith('keda.sh/')) return `@kubernetes-models/keda/${apiVersion}`;
  if (apiVersion.startsWith('monitoring.coreos.com/'))
    return `@kubernetes-models/prometheus-operator/${apiVersion}`;
  return `kubernetes-models/${apiVersion}`;
}

interface Model {
  validate(): void;
}

/** @throws Error of the kind's schema */
function validate(manifest: Manifest): void {
  const models = require(modelOf(manifest)) as Record<string, new (data: Manifest) => Model>;
  const Model = models[manifest.kind];
  if (!Model) throw new Error(`no schema for ${manifest.apiVersion} ${manifest.kind}`);
  new Model(manifest).validate();
}

const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
const compilerOptions = { noEmit: true, strict: true, skipLibCheck: true, module: 'node16', types: [] };

/** The type errors that TypeScript reports for the manifests; empty when there are none. */
function typeErrors(manifests: readonly Manifest[]): string {
  const lines = [...new Set(manifests.map((manifest) => literal(manifest)))];
  return withScratch((folder) => {
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'package.json'), '{}');
    writeFileSync(join(folder, 'manifests.ts'), lines.join('\n'));
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['manifests.ts'] }),
    );
    try {
      execFileSync(process.execPath, [TSC, '-p', folder], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      return '';
    } catch (error) {
      return (error as { stdout: string }).stdout;
    }
  });
}

const literal = (manifest: Manifest) =>
  `(${JSON.stringify(manifest)}) satisfies import('${modelOf(manifest)}').I${manifest.kind};`;

describeBuilds('manifests', () => {
  test.each(buildNames)('%s: values match the schemas of their kinds', (name) => {
    const manifests = build(name);
    expect(manifests.length).toBeGreaterThan(0);
    for (const manifest of manifests) validate(manifest);
  });

  test('all fields exist in the types of their kinds', () => {
    expect(typeErrors(buildNames.flatMap((name) => build(name)))).toBe('');
  });
});

describe('detects a wrong manifest', () => {
  const deployment = (container: string, spec = '') =>
    parse(`
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: a }
      spec:
        ${spec}
        selector: { matchLabels: { a: b } }
        template:
          metadata: { labels: { a: b } }
          spec: { containers: [{ name: a, image: "a:1", ${container} }] }`);

  test('by its fields, however deep', () => {
    const errors = typeErrors([
      ...deployment('readinesProbe: {}'),
      ...deployment('securityContext: { readOnlyRootFileSystem: true }'),
      ...deployment('lifecycle: { preStop: { sleep: { second: 5 } } }', 'minReadySecond: 5'),
      ...parse(
        '{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, spec: {scaleTargetRef: {nam: a}, triggers: []}}',
      ),
      ...parse(
        '{apiVersion: monitoring.coreos.com/v1, kind: ServiceMonitor, spec: {selector: {}, endpoint: []}}',
      ),
    ]);
    for (const field of ['readinesProbe', 'readOnlyRootFileSystem', 'second', 'nam', 'endpoint'])
      expect(errors).toMatch(new RegExp(`'"?${field}"?'`));
  });

  test('by its values', () => {
    const [right] = deployment('imagePullPolicy: Always');
    expect(() => validate(right as Manifest)).not.toThrow();
    const [wrong] = deployment('ports: [{ containerPort: eighty }]');
    expect(() => validate(wrong as Manifest)).toThrow(/containerPort/);
  });
});
