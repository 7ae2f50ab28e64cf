/**
 * Numbers and names that both the manifests and the code contain: a change of one side fails here until the other
 * follows.
 *
 * Slow: Kustomize, which `npm run test:slow` compiles if the machine has none, builds every overlay.
 */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import openapi from '@presenza/contract/openapi.json';
import { parse as parseYaml } from 'yaml';
import { bounds as gatewayBounds } from '../../../gateway/src/bounds';
import { readConfig as readGatewayConfig } from '../../../gateway/src/config';
import { readConfig as readInferenceConfig } from '../../../inference/src/config';
import { kustomizeBuild, withScratch } from '../build.mjs';
import {
  build,
  container,
  describeBuilds,
  describeEachBuild,
  environment,
  FOLDER,
  find,
  ofKind,
  parse,
  presenzas,
  ROOT,
  workloads,
} from './manifests';
import type { Container, Manifest } from './types';

const source = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** A number that the code names. @throws Error where it no longer does */
function constant(file: string, name: string): number {
  const [, value] = new RegExp(`const ${name} = ([\\d_ *]+);`).exec(source(file)) ?? [];
  if (!value) throw new Error(`${file} has no number ${name}`);
  return value.split('*').reduce((product, factor) => product * Number(factor.replaceAll('_', '')), 1);
}

const UNITS: Readonly<Record<string, number>> = { '': 1, m: 1e-3, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30 };
const NGINX_UNITS: Readonly<Record<string, number>> = { k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 };

/** Kubernetes' own way to write a number. */
function quantity(text: string | undefined): number {
  const [, value, unit = ''] = /^([\d.]+)(m|Ki|Mi|Gi)?$/.exec(text ?? '') ?? [];
  if (value === undefined) throw new Error(`no quantity: ${text}`);
  return Number(value) * (UNITS[unit] as number);
}

const secrets = { KEY_SECRET: 'ab'.repeat(32), ADMIN_TOKEN: 'ab'.repeat(32) };
const { deadlineMs, batchDeadlines, responseLingerMs, drainMs, settleMs } = gatewayBounds;
const longestMs = deadlineMs * batchDeadlines + responseLingerMs;
const secondsOf = {
  gateway: (Math.min(longestMs, drainMs) + settleMs) / 1e3,
  inference: constant('inference/src/main.ts', 'drainMs') / 1e3,
  web: Number(/WEB_DRAIN_MS=(\d+)/.exec(source('deploy/docker/web.Dockerfile'))?.[1]) / 1e3,
};
/** The time between the end of the drain and SIGKILL, for the last batch, journal and log. */
const spareSeconds = 5;

/** Variables that the programs below ours read. */
const OTHERS = new Set(['UV_THREADPOOL_SIZE', 'REDIS_PASSWORD']);

/** Values as the pod has them; of secrets, something of their shape. */
const given = (container: Container): Record<string, string> => ({
  ...Object.fromEntries(
    (container.env ?? []).flatMap(({ name }) => (name in secrets ? [[name, 'ab'.repeat(32)]] : [])),
  ),
  ...Object.fromEntries(
    Object.entries(environment(container)).map(([name, value]) => [
      name,
      value.replace(/\$\(\w+\)/g, 'abcd'),
    ]),
  ),
});

/** The configuration that each tier reads from its container's environment. @throws Error that names a variable */
function configured(manifests: readonly Manifest[]) {
  const gateway = given(container(manifests, 'StatefulSet', 'gateway'));
  const inference = given(container(manifests, 'Deployment', 'inference'));
  return {
    gateway: { env: gateway, config: readGatewayConfig(gateway) },
    inference: { env: inference, config: readInferenceConfig(inference) },
  };
}

describeEachBuild(presenzas, (name) => {
  const manifests = build(name);
  const { gateway, inference } = configured(manifests);

  test.each(['gateway', 'inference', 'web'] as const)(
    '%s has time to drain after its endpoints are gone',
    (tier) => {
      const workload = workloads(manifests).find(({ manifest }) => manifest.metadata.name === tier);
      const tierContainer = workload?.containers.find((candidate) => candidate.name === tier);
      const preStop = tierContainer?.lifecycle?.preStop?.sleep?.seconds ?? 0;
      expect(preStop).toBeGreaterThanOrEqual(10);
      const needed = preStop + secondsOf[tier] + spareSeconds;
      expect(workload?.pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(needed);
    },
  );

  test('every variable exists in the tier’s configuration', () => {
    const unknown = (env: object, config: object) =>
      Object.keys(env).filter((variable) => !(variable in config) && !OTHERS.has(variable));
    expect(unknown(gateway.env, gateway.config)).toEqual([]);
    expect(unknown(inference.env, inference.config)).toEqual([]);
    const web = source('web/serve.mjs');
    for (const variable of Object.keys(environment(container(manifests, 'Deployment', 'web'))))
      expect(web).toMatch(new RegExp(`\\b${variable}\\b.*}\\) \\{`));
  });

  test('ports and addresses match those that the tiers listen on', () => {
    const port = (kind: string, tier: string) =>
      Object.fromEntries(
        (container(manifests, kind, tier).ports ?? []).map((containerPort) => [
          containerPort.name,
          containerPort.containerPort,
        ]),
      );
    const { config } = gateway;
    expect(port('StatefulSet', 'gateway')).toEqual({
      api: config.GATEWAY_PORT,
      metrics: config.GATEWAY_METRICS_PORT,
      admin: config.GATEWAY_ADMIN_PORT,
    });
    expect(port('Deployment', 'inference')).toEqual({ http: inference.config.INFERENCE_PORT });
    expect(config.INFERENCE_URL).toBe(`http://inference:${inference.config.INFERENCE_PORT}`);
    expect(source('web/serve.mjs')).toContain(`port: '${port('Deployment', 'web').http}'`);
  });

  test('a gateway’s share of a rate limit follows from the maximum of replicas', () => {
    const scaler = ofKind(manifests, 'HorizontalPodAutoscaler').find(
      ({ metadata }) => metadata.name === 'gateway',
    );
    const most = scaler?.spec.maxReplicas ?? find(manifests, 'StatefulSet', 'gateway').spec.replicas;
    expect(gateway.config.GATEWAY_REPLICAS).toBe(most);
  });

  test('a gateway has enough memory for its bodies in flight, and enough disk for its journal', () => {
    const { resources } = container(manifests, 'StatefulSet', 'gateway');
    // A body takes about twice its size once it is decoded (gateway/src/config/index.ts). The process itself takes 430
    // MB.
    const needed = 430e6 + 2 * gateway.config.GATEWAY_MAX_BODY_BYTES_IN_FLIGHT;
    expect(quantity(resources?.limits?.memory)).toBeGreaterThanOrEqual(needed);
    const [volume] = find(manifests, 'StatefulSet', 'gateway').spec.volumeClaimTemplates;
    const journal = gatewayBounds.journalBytes;
    expect(quantity(volume.spec.resources.requests.storage)).toBeGreaterThan(2 * journal);
    expect(gateway.config.GATEWAY_JOURNAL.startsWith('/var/lib/presenza/')).toBe(true);
  });

  test('inference has a core for each worker, two more on a GPU, and names its device', () => {
    const { resources } = container(manifests, 'Deployment', 'inference');
    const { INFERENCE_WORKERS: workers, INFERENCE_DEVICE: device } = inference.config;
    const gpus = resources?.limits?.['nvidia.com/gpu'];
    expect(device).toBe(gpus ? 'cuda' : 'cpu');
    expect(quantity(resources?.limits?.cpu)).toBe(Number(workers) + (gpus ? 2 : 0));
    if (gpus) expect(container(manifests, 'Deployment', 'inference').image).toMatch(/-gpu$/);
  });

  test('Redis has memory to rewrite its file in, and disk for two of them', () => {
    const nodes = workloads(manifests).flatMap(({ containers, manifest }) =>
      manifest.kind === 'StatefulSet'
        ? containers.filter((candidate) => candidate.name === 'redis').map((redis) => ({ redis, manifest }))
        : [],
    );
    expect(nodes).toHaveLength(name.includes('external') ? 0 : 1);
    for (const { redis, manifest } of nodes) {
      const [, value, unit] = /^(\d+)(mb|gb)$/.exec(environment(redis).REDIS_MAXMEMORY ?? '') ?? [];
      const maxmemory = Number(value) * (unit === 'gb' ? 2 ** 30 : 2 ** 20);
      expect(quantity(redis.resources?.limits?.memory)).toBeGreaterThan(2.2 * maxmemory);
      const disk = quantity(manifest.spec.volumeClaimTemplates[0].spec.resources.requests.storage);
      expect(disk).toBeGreaterThanOrEqual(4 * maxmemory);
    }
  });

  test('inference has minutes to start, since a pod that is killed for being slow starts over', () => {
    const { startupProbe } = container(manifests, 'Deployment', 'inference');
    const { periodSeconds = 10, failureThreshold = 3 } = startupProbe ?? {};
    expect(periodSeconds * failureThreshold).toBeGreaterThanOrEqual(300);
  });

  test('the Services of Redis publish unready addresses', () => {
    const services = ofKind(manifests, 'Service').filter(({ metadata }) => /^redis/.test(metadata.name));
    expect(services.map(({ spec }) => spec.publishNotReadyAddresses)).toEqual(
      name.includes('external') ? [true] : [true, true],
    );
  });

  test('every Redis is the same Redis', () => {
    const images = workloads(manifests).flatMap(({ containers }) => containers.map(({ image }) => image));
    expect(new Set(images.filter((image) => image.startsWith('redis')))).toEqual(
      new Set([container(build('overlays/local'), 'StatefulSet', 'redis').image]),
    );
  });

  test('our images have the version of package.json', () => {
    const { version } = JSON.parse(source('package.json'));
    const images = workloads(manifests)
      .flatMap(({ containers }) => containers.map(({ image }) => image))
      .filter((image) => image.includes('presenza/'));
    expect(images).toHaveLength(3);
    for (const image of images)
      expect(image).toMatch(new RegExp(`:${version.replaceAll('.', '\\.')}(-gpu)?$`));
    expect(manifests[0]?.metadata.labels?.['app.kubernetes.io/version']).toBe(version);
  });
});

describeBuilds('Redis Cluster', () => {
  test('introduces every node to the others, and rewrites the file of each every day', () => {
    const manifests = build('base with redis-cluster');
    const { replicas } = find(manifests, 'StatefulSet', 'redis-cluster').spec;
    const nodes = Array.from({ length: replicas }, (_, i) => `redis-cluster-${i}.redis-cluster:6379`).join(
      ' ',
    );
    const clusters = workloads(manifests)
      .flatMap(({ containers }) => containers.map((container) => environment(container).NODES))
      .filter((given) => given !== undefined);
    expect(clusters).toEqual([nodes, nodes, nodes]);
  });
});

describeBuilds('Ingress', () => {
  const manifests = build('overlays/production');
  const { annotations = {} } = find(manifests, 'Ingress', 'api').metadata;

  test('accepts the largest body of the contract and waits for the longest response', () => {
    const bodies = Object.values(
      openapi.paths as Record<string, Record<string, { 'x-max-body-bytes'?: number }>>,
    )
      .flatMap((path) => Object.values(path))
      .map((operation) => operation['x-max-body-bytes'] ?? 0);
    for (const limit of ['nginx.ingress.kubernetes.io/proxy-body-size', 'nginx.org/client-max-body-size']) {
      const [, value, unit = ''] = /^(\d+)([kmg])$/.exec(annotations[limit] ?? '') ?? [];
      expect(Number(value) * (NGINX_UNITS[unit] as number)).toBeGreaterThanOrEqual(Math.max(...bodies));
    }
    for (const patience of ['nginx.ingress.kubernetes.io/proxy-read-timeout', 'nginx.org/proxy-read-timeout'])
      expect(Number.parseInt(annotations[patience] ?? '', 10)).toBeGreaterThan(longestMs / 1e3);
  });

  test('keeps no image in a file', () => {
    expect(annotations['nginx.ingress.kubernetes.io/proxy-request-buffering']).toBe('off');
    expect(annotations['nginx.ingress.kubernetes.io/proxy-buffering']).toBe('off');
  });

  test('has one host for the API and one for the site, and each is configured with the other’s', () => {
    const hosts = ofKind(manifests, 'Ingress').map(({ spec }) => [spec.rules[0].host, spec.tls[0].hosts[0]]);
    expect(hosts).toEqual([
      ['api.example.com', 'api.example.com'],
      ['example.com', 'example.com'],
    ]);
    expect(environment(container(manifests, 'Deployment', 'web')).API_URL).toBe('https://api.example.com');
    expect(environment(container(manifests, 'Deployment', 'web')).CONSOLE).toBe('on');
    const { VERIFY_URL, SITE_URL, CONSOLE } = environment(container(manifests, 'StatefulSet', 'gateway'));
    expect([VERIFY_URL, SITE_URL, CONSOLE]).toEqual([
      'https://example.com/verify',
      'https://example.com',
      'on',
    ]);
  });

  test('has hosts without the ports of the addresses, which Kubernetes refuses there', () => {
    const built = withScratch((copy) => {
      const change = (file: string, from: string, to: string) => {
        const text = readFileSync(join(copy, file), 'utf8');
        writeFileSync(join(copy, file), text.replaceAll(from, to));
      };
      cpSync(join(FOLDER, 'overlays/production'), copy, { recursive: true });
      change('kustomization.yaml', '../../', `${relative(copy, FOLDER)}/`);
      change('addresses.yaml', 'example.com', 'example.com:8443');
      return parse(kustomizeBuild(relative(FOLDER, copy)));
    });
    expect(ofKind(built, 'Ingress').map(({ spec }) => spec)).toEqual(
      ofKind(manifests, 'Ingress').map(({ spec }) => spec),
    );
    expect(environment(container(built, 'Deployment', 'web')).API_URL).toBe('https://api.example.com:8443');
  });
});

describeBuilds('autoscaling', () => {
  const production = build('overlays/production');
  const byAdapter = build('base with everything, without KEDA');
  const scaled = find(production, 'ScaledObject', 'inference').spec;

  test('uses metrics that the tiers export', () => {
    const known = source('gateway/src/observability/metrics.ts') + source('inference/src/http/metrics.ts');
    const rules = readFileSync(join(FOLDER, 'cluster/prometheus-adapter/values.yaml'), 'utf8');
    const queries = scaled.triggers
      .map(({ metadata }: { metadata: { query: string } }) => metadata.query)
      .join();
    const named = [...`${rules}${queries}`.matchAll(/presenza_\w+(?=\{)/g)].map(([metric]) => metric);
    expect(new Set(named).size).toBe(4);
    for (const metric of named) expect(known).toContain(`'${metric.replace(/_count$/, '')}'`);
  });

  test('uses metrics of the adapter’s rules', () => {
    const values = parseYaml(readFileSync(join(FOLDER, 'cluster/prometheus-adapter/values.yaml'), 'utf8'));
    const served = [...values.rules.custom, ...values.rules.external].map(({ name }) => name.as);
    const wanted = ofKind(byAdapter, 'HorizontalPodAutoscaler')
      .flatMap(({ spec }) => spec.metrics)
      .flatMap((metric) => (metric.pods ?? metric.external)?.metric.name ?? []);
    expect(wanted.sort()).toEqual(served.sort());
  });

  test('is the same with KEDA and without', () => {
    const { spec } = find(byAdapter, 'HorizontalPodAutoscaler', 'inference');
    expect(spec.behavior).toEqual(scaled.advanced.horizontalPodAutoscalerConfig.behavior);
    expect([spec.minReplicas, spec.maxReplicas]).toEqual([scaled.minReplicaCount, scaled.maxReplicaCount]);
    const targets = spec.metrics.map(({ external: { target } }: Manifest['spec']) =>
      quantity(target.averageValue ?? target.value),
    );
    const thresholds = scaled.triggers.map(({ metadata }: Manifest['spec']) => Number(metadata.threshold));
    expect(targets).toEqual(thresholds);
  });

  test('scales down more slowly than up', () => {
    const all = [
      ...ofKind(byAdapter, 'HorizontalPodAutoscaler'),
      { spec: scaled.advanced.horizontalPodAutoscalerConfig },
    ];
    for (const { spec } of all) {
      const { scaleUp, scaleDown } = spec.behavior;
      expect(scaleDown.stabilizationWindowSeconds).toBeGreaterThan(scaleUp.stabilizationWindowSeconds);
    }
  });
});
