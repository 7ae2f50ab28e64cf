/**
 * The Helm chart creates what kustomize creates: for the base, each overlay and each component.
 * Without helm or kustomize, the tests that need them are skipped by name.
 *
 * Slow: Helm, which `npm run test:slow` compiles if the machine has none, renders the chart many times.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Ajv from 'ajv';
import { parse as parseYaml } from 'yaml';
import { runToEnd } from '../../../gateway/harness/process.mjs';
import { findTool, HELM } from '../../../gateway/harness/setup/tools.mjs';
import { kustomize, kustomizeBuild } from '../../kubernetes/build.mjs';
import { mayReach } from '../../kubernetes/cluster-test/network/reach.mjs';
import { build, find, ofKind, parse, ROOT, workloads } from '../../kubernetes/test/manifests';
import { faultsOf, referenceFaults } from '../../kubernetes/test/pod-rules';
import type { Container, Manifest, PodSpec } from '../../kubernetes/test/types';

const FOLDER = join(__dirname, '..');
const CHART = join(FOLDER, 'presenza');
const EXAMPLES = join(CHART, 'examples');
const helm = findTool(HELM);
const { version: VERSION } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly description?: string;
}

const read = (file: string) => readFileSync(join(CHART, file), 'utf8');
const example = (name: string) => ['--values', join(EXAMPLES, `${name}.yaml`)];
const set = (...values: string[]) => values.flatMap((value) => ['--set', value]);

/** `describe` with these tools; without them a skipped test, and the body does not run. */
function describeWith(tools: Readonly<Record<string, string | undefined>>, title: string, body: () => void) {
  const missing = Object.keys(tools).filter((name) => !tools[name]);
  if (missing.length === 0) describe(title, body);
  else test.skip(`${title}: needs ${missing.join(' and ')}`, () => {});
}

const runHelm = (...args: string[]): string =>
  execFileSync(helm as string, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** The objects of the chart. Without its version, a helm built from the module assumes Kubernetes 1.20. */
const template = (args: readonly string[], namespace = 'presenza'): Manifest[] =>
  parse(
    runHelm('template', 'any-name', CHART, '--namespace', namespace, '--kube-version', '1.30.0', ...args),
  );

/** An object without the order of its containers' variables. */
function unordered<T>(node: T): T {
  if (Array.isArray(node)) return node.map(unordered) as T;
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      key === 'env' ? [...value].sort((a, b) => (a.name < b.name ? -1 : 1)).map(unordered) : unordered(value),
    ]),
  ) as T;
}

/** The same objects with one text in place of each hash that ends the name of a ConfigMap, also where a pod refers to it. */
function withoutHashes(manifests: readonly Manifest[]): Manifest[] {
  const names = ofKind(manifests, 'ConfigMap').map(({ metadata }) => metadata.name);
  const text = names.reduce(
    (json, name) => json.replaceAll(`"${name}"`, `"${name.replace(/-[0-9a-z]{10}$/, '-HASH')}"`),
    JSON.stringify(manifests),
  );
  return JSON.parse(text);
}

/** The same objects without the label of the version, which Kustomize gives to those of the base alone. */
const withoutVersions = (manifests: readonly Manifest[]): Manifest[] =>
  manifests.map(({ metadata: { labels = {}, ...metadata }, ...manifest }) => {
    const { 'app.kubernetes.io/version': _, ...others } = labels;
    return { ...manifest, metadata: { ...metadata, labels: others } };
  });

const byName = (manifests: readonly Manifest[]) =>
  Object.fromEntries(
    withoutVersions(withoutHashes(manifests)).map((manifest) => [
      `${manifest.kind}/${manifest.metadata.name}`,
      unordered(manifest),
    ]),
  );

/** Each component of Kustomize with the values of the chart that create the same. */
const COMPONENTS: Readonly<Record<string, readonly string[]>> = {
  'autoscaling-gateway': ['gateway.autoscaling.enabled=true'],
  'autoscaling-inference': ['inference.autoscaling.scaler=keda'],
  'autoscaling-inference-adapter': ['inference.autoscaling.scaler=adapter'],
  ingress: ['ingress.enabled=true', 'apiUrl=https://api.example.com', 'siteUrl=https://example.com'],
  mail: ['mail.enabled=true'],
  monitoring: ['monitoring.enabled=true'],
  'redis-cluster': ['redis.mode=cluster'],
  'redis-exporter': ['redisExporter.enabled=true'],
  'redis-external': ['redis.mode=external'],
  stripe: ['stripe.enabled=true'],
};

describeWith({ helm, kustomize }, 'helm and kustomize', () => {
  const everything = [
    'redis.mode=cluster',
    ...['redisExporter', 'stripe', 'ingress', 'mail', 'monitoring'].map((name) => `${name}.enabled=true`),
    'gateway.autoscaling.enabled=true',
    'inference.autoscaling.scaler=adapter',
    'apiUrl=https://api.example.com',
    'siteUrl=https://example.com',
  ];
  const cases: readonly [string, () => readonly Manifest[], readonly string[]][] = [
    ['the base', () => parse(kustomizeBuild([])), []],
    ['the overlay local', () => build('overlays/local'), example('local')],
    ['the overlay production', () => build('overlays/production'), example('production')],
    ['the overlay gpu', () => build('overlays/gpu'), [...example('production'), ...example('gpu')]],
    ...Object.entries(COMPONENTS).map(([component, values]): (typeof cases)[number] => [
      `the component ${component}`,
      () => parse(kustomizeBuild([component])),
      set(...values),
    ]),
    [
      'a Redis elsewhere, with metrics',
      () => build('base with redis-external'),
      set('redis.mode=external', 'redisExporter.enabled=true'),
    ],
    ['all components', () => build('base with everything, without KEDA'), set(...everything)],
  ];

  test.each(cases)('create the same objects for %s', (name, makeExpected, args) => {
    const ofHelm = template([...args, '--skip-tests']);
    // Helm creates the namespace before it reads a chart, so the chart has none (README.md).
    const expected = makeExpected().filter(({ kind }) => kind !== 'Namespace');
    if (args.includes('siteUrl=https://example.com')) {
      // Only the Ingress of an overlay changes addresses; the values always change them together.
      const { containers } = find(expected, 'Deployment', 'web').spec.template.spec;
      containers[0].env.find(({ name }: { name: string }) => name === 'API_URL').value =
        'https://api.example.com';
      const { env } = find(expected, 'StatefulSet', 'gateway').spec.template.spec.containers[0];
      for (const variable of env) {
        if (variable.name === 'SITE_URL') variable.value = 'https://example.com';
        if (variable.name === 'VERIFY_URL') variable.value = 'https://example.com/verify';
      }
    }
    // The order of variables differs: it matters only to references, which the next lines check.
    expect(byName(ofHelm)).toEqual(byName(expected));
    for (const { metadata } of ofHelm)
      expect(metadata.labels).toMatchObject({ 'app.kubernetes.io/version': VERSION });
    const containers = workloads(ofHelm).flatMap((pod) => pod.containers);
    // A Redis elsewhere has no container here.
    expect(containers.length).toBeGreaterThan(/redis-external/.test(name) ? 3 : 4);
    expect(containers.flatMap(referenceFaults)).toEqual([]);
  });

  const addresses = ['apiUrl=https://api.example.com', 'siteUrl=https://example.com'];
  test.each<readonly [string, readonly string[]]>([
    ['', []],
    ['1', ['ingress.enabled=true', ...addresses]],
    ['2', ['gateway.trustProxy=2']],
    ['2', ['gateway.trustProxy=2', 'ingress.enabled=true', ...addresses]],
  ])('trust the proxies %j with %j', (trusted, values) => {
    const objects = template(['--skip-tests', ...values.flatMap((value) => ['--set', value])]);
    const { env } = find(objects, 'StatefulSet', 'gateway').spec.template.spec.containers[0];
    expect(env).toContainEqual({ name: 'GATEWAY_TRUST_PROXY', value: trusted });
  });

  test.each(['gateway', 'inference', 'web'])('reserve the variables that the chart sets for %s', (tier) => {
    const container = workloads(template(set(...everything)))
      .flatMap(({ containers }) => containers)
      .find(({ name }) => name === tier);
    const { properties } = JSON.parse(read('values.schema.json'));
    const reserved = properties[tier].properties.env.propertyNames.not?.enum ?? [];
    const free = Object.keys(parseYaml(read('values.yaml'))[tier].env);
    const names = (container?.env ?? []).map(({ name }) => name);
    expect(names.filter((name) => !free.includes(name)).sort()).toEqual(reserved);
  });

  test('create no object twice', () => {
    const names = template(set(...everything)).map(({ kind, metadata }) => `${kind}/${metadata.name}`);
    expect(names).toEqual([...new Set(names)]);
  });
});

describeWith({ helm }, 'helm', () => {
  test.each(readdirSync(EXAMPLES))('finds no fault in the chart with the values of %s', (file) => {
    expect(runHelm('lint', CHART, '--strict', '--values', join(EXAMPLES, file))).toContain(
      '0 chart(s) failed',
    );
  });

  test('refuses values that the schema refuses', () => {
    expect(() => template(set('gateway.replica=3'))).toThrow(/gateway.*replica/s);
  });

  test.each([
    ['gateway', 'gateway.autoscaling.enabled=true'],
    ['inference', 'inference.autoscaling.scaler=keda'],
    ['inference', 'inference.autoscaling.scaler=adapter'],
  ])('refuses a minimum of %s above its maximum (%s)', (tier, scaler) => {
    const { maxReplicas } = parseYaml(read('values.yaml'))[tier].autoscaling;
    const least = (pods: number) => template(set(scaler, `${tier}.autoscaling.minReplicas=${pods}`));
    expect(least(maxReplicas)).not.toEqual([]);
    expect(() => least(maxReplicas + 1)).toThrow(
      `${tier}.autoscaling.minReplicas is larger than ${tier}.autoscaling.maxReplicas`,
    );
  });

  test('gives an Ingress the host of an address without its port', () => {
    const manifests = template([...example('production'), ...set('apiUrl=https://api.example.com:8443')]);
    const { spec } = find(manifests, 'Ingress', 'api');
    expect([spec.rules[0].host, ...spec.tls[0].hosts]).toEqual(['api.example.com', 'api.example.com']);
  });

  test('lets KEDA ask the Prometheus of the namespace for monitoring', () => {
    const addresses = (...values: string[]) =>
      find(
        template([...example('production'), ...set(...values)]),
        'ScaledObject',
        'inference',
      ).spec.triggers.map(({ metadata }: { metadata: { serverAddress: string } }) => metadata.serverAddress);
    const elsewhere = 'http://prometheus-operated.observability.svc:9090';
    expect(addresses('monitoring.namespace=observability')).toEqual([elsewhere, elsewhere]);
    const address = 'http://prometheus.example.com';
    expect(addresses(`inference.autoscaling.prometheus=${address}`)).toEqual([address, address]);
  });

  test('uses the namespace of the release everywhere', () => {
    const manifests = template(example('production'), 'elsewhere');
    expect(new Set(manifests.map(({ metadata }) => metadata.namespace))).toEqual(new Set(['elsewhere']));
    expect(JSON.stringify(manifests)).toContain('namespace=\\"elsewhere\\"');
    expect(JSON.stringify(manifests)).not.toContain('namespace=\\"presenza\\"');
  });

  test('adds what only some clusters need', () => {
    const manifests = template(
      set(
        'imagePullSecrets[0].name=registry',
        'gateway.nodeSelector.disk=ssd',
        'gateway.image.tag=1.2.3',
        'gateway.env.CONSOLE=null',
        'secrets.presenza=mine',
      ).concat('--set-string', 'storageClass=123'),
    );
    const { spec } = find(manifests, 'StatefulSet', 'gateway');
    const pod: PodSpec = spec.template.spec;
    expect(pod).toMatchObject({ nodeSelector: { disk: 'ssd' } });
    expect(pod.containers[0]).toMatchObject({ image: 'presenza/gateway:1.2.3' });
    const variables = pod.containers[0]?.env ?? [];
    expect(variables.map(({ name }) => name)).not.toContain('CONSOLE');
    expect(variables.find(({ name }) => name === 'KEY_SECRET')?.valueFrom?.secretKeyRef?.name).toBe('mine');
    for (const { spec: statefulSet } of ofKind(manifests, 'StatefulSet'))
      expect(statefulSet.volumeClaimTemplates[0].spec.storageClassName).toBe('123');
    for (const workload of workloads(manifests))
      expect(workload.pod).toMatchObject({ imagePullSecrets: [{ name: 'registry' }] });
  });

  describe('test', () => {
    const manifests = template([]);
    const pod = find(manifests, 'Pod', 'check') as Manifest & { spec: PodSpec };
    const labels = pod.metadata.labels ?? {};

    test('runs a pod with minimal rights and no secret', () => {
      const { containers } = pod.spec;
      const workload = { manifest: pod, title: 'Pod check', labels, pod: pod.spec, containers, ends: true };
      expect(faultsOf(workload)).toEqual([]);
      expect(containers.flatMap(({ env = [] }: Container) => env)).toEqual([]);
      expect(containers.map(({ command }: Container) => command?.at(-1))).toEqual([read('files/check.mjs')]);
    });

    test('opens only the connections that its pod needs, and only while it runs', () => {
      const from = { namespace: 'presenza', labels };
      const ways = (given: readonly Manifest[]) =>
        [
          ['gateway', 'TCP/8080'],
          ['gateway', 'TCP/9180'],
          ['gateway', 'TCP/9181'],
          ['web', 'TCP/8000'],
          ['redis', 'TCP/6379'],
          ['inference', 'TCP/9100'],
        ].filter(([component = '', port = '']) => {
          const workload = workloads(manifests).find(
            (workload) => workload.labels['app.kubernetes.io/component'] === component,
          );
          if (!workload) throw new Error(`no pods of ${component}`);
          const ports = workload.containers.flatMap((container) => container.ports ?? []);
          return mayReach(given, from, { namespace: 'presenza', labels: workload.labels, ports }, port);
        });
      expect(ways(manifests).map((way) => way.join(' '))).toEqual([
        'gateway TCP/8080',
        'gateway TCP/9180',
        'web TCP/8000',
      ]);
      expect(ways(template(['--no-hooks']))).toEqual([]);
      const hooks = manifests.filter(({ metadata }) => metadata.annotations?.['helm.sh/hook']);
      for (const { kind, metadata } of hooks.filter((hook) => hook !== pod)) {
        expect(kind).toBe('NetworkPolicy');
        expect(metadata.annotations?.['helm.sh/hook-delete-policy']).toContain('hook-succeeded');
      }
    });
  });
});

describe('the program of helm test', () => {
  /** Runs it against one address for all three tiers. */
  async function check(readiness: object, status = 200) {
    const server = createServer((request, response) => {
      response.statusCode = request.url === '/readyz' ? status : 200;
      response.end(JSON.stringify(request.url === '/readyz' ? readiness : { success: true }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    // The program runs as in the pod, but with less patience, so that a failure shows at once.
    const program = read('files/check.mjs').replace('patienceMs = 60_000', 'patienceMs = 0');
    const args = ['--input-type=module', '--eval', program, '--', url, url, url];
    try {
      return await runToEnd(process.execPath, args);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }

  test('succeeds if everything responds', async () => {
    const { code, stdout } = await check({ degraded: [] });
    expect([code, stdout.split('\n').filter(Boolean).sort()]).toEqual([
      0,
      ['API: ok', 'site: ok', 'tiers: ok'],
    ]);
  });

  test('fails if a tier is unavailable', async () => {
    const { code, stdout } = await check({ degraded: ['inference'] });
    expect([code, stdout]).toEqual([1, expect.stringContaining('tiers: unavailable: inference')]);
  });

  test('fails if the gateways are not ready', async () => {
    const { code, stdout } = await check({ waitingFor: ['store'], degraded: [] }, 503);
    expect([code, stdout]).toEqual([1, expect.stringContaining('tiers: status 503')]);
  });
});

describe('the values', () => {
  const defaults = parseYaml(read('values.yaml'));
  const validate = new Ajv({ allErrors: true, strictTypes: false }).compile(
    JSON.parse(read('values.schema.json')),
  );

  /** Lays values over others, as Helm does. */
  const over = (base: unknown, values: unknown): unknown =>
    [base, values].every((side) => typeof side === 'object' && side !== null && !Array.isArray(side))
      ? Object.fromEntries(
          [...new Set([...Object.keys(base as object), ...Object.keys(values as object)])].map((key) => {
            const [below, above] = [base, values].map((side) => (side as Record<string, unknown>)[key]);
            return [key, above === undefined ? below : over(below, above)];
          }),
        )
      : values;

  test.each(readdirSync(EXAMPLES))('the example %s matches the schema, as the defaults do', (file) => {
    for (const values of [defaults, over(defaults, parseYaml(read(`examples/${file}`)))]) {
      validate(values);
      expect(validate.errors).toBeNull();
    }
  });

  test.each([
    ['an unknown key', { gateway: { replica: 3 } }],
    ['an unknown group', { postgres: { enabled: true } }],
    ['text for a number', { gateway: { replicas: '3' } }],
    ['a number for a variable', { gateway: { env: { REQUEST_LOG_ENTRIES: 1 } } }],
    ['a variable that the chart sets', { gateway: { env: { REDIS_URL: 'redis://mine' } } }],
    ['an unknown mode of Redis', { redis: { mode: 'sentinel' } }],
    ['an unknown resource field', { web: { resources: { request: { cpu: '1' } } } }],
    ['an address with a path', { apiUrl: 'https://example.com/api' }],
    ['an Ingress without HTTPS', { ingress: { enabled: true } }],
  ])('are refused with %s', (_, values) => {
    expect(validate(over(defaults, values))).toBe(false);
  });

  /** Keys of the values that a schema describes, as the templates name them. */
  const valuesIn = ({ properties = {}, description }: Schema, path = ''): string[] =>
    description === undefined
      ? Object.entries(properties).flatMap(([key, schema]) => valuesIn(schema, path ? `${path}.${key}` : key))
      : [path];

  test('each appear in a template', () => {
    const templates = readdirSync(join(CHART, 'templates'), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(?:yaml|tpl)$/.test(file))
      .map((file) => read(`templates/${file}`))
      .join('\n');
    const isUsed = (key: string) =>
      new RegExp(`\\.Values\\.${key.replaceAll('.', '\\.')}\\b`).test(templates) ||
      // Helpers take these groups as a whole.
      /\.(?:image\.(?:repository|tag)|autoscaling\.(?:min|max)Replicas)$/.test(key);
    const keys = valuesIn(JSON.parse(read('values.schema.json')));
    expect(keys.length).toBeGreaterThan(50);
    expect(keys.filter((key) => key !== 'global' && !isUsed(key))).toEqual([]);
  });
});

test('the chart has values for every component of Kustomize', () => {
  const components = readdirSync(join(ROOT, 'deploy/kubernetes/components'));
  expect(Object.keys(COMPONENTS).sort()).toEqual(components.sort());
});

test('the chart has the version of package.json', () => {
  expect(parseYaml(read('Chart.yaml'))).toMatchObject({ version: VERSION, appVersion: VERSION });
});
