/**
 * Rules for every pod and every selector, in every build: pods have minimal rights and limits, and every reference has
 * a target.
 *
 * Slow: Kustomize, which `npm run test:slow` compiles if the machine has none, builds every overlay.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  build,
  describeEachBuild,
  FOLDER,
  find,
  ofKind,
  parse,
  presenzas,
  selects,
  type Workload,
  workloads,
} from './manifests';
import { faultsOf, referenceFaults } from './pod-rules';
import type { Manifest } from './types';

/** The least number of replicas, from the manifest or an autoscaler. */
function replicasOf(manifests: readonly Manifest[], { kind, metadata: { name }, spec }: Manifest): number {
  const scaler = manifests.find(
    (other) => other.spec?.scaleTargetRef?.name === name && other.spec.scaleTargetRef.kind === kind,
  );
  return scaler?.spec.minReplicas ?? scaler?.spec.minReplicaCount ?? spec.replicas ?? 1;
}

describeEachBuild(presenzas, (name) => {
  const manifests = build(name);
  const pods = workloads(manifests);

  test('has no pod with undeclared rights or resources', () => {
    expect(pods.length).toBeGreaterThan(2);
    expect(pods.flatMap(faultsOf)).toEqual([]);
  });

  test('refers only to variables that are defined earlier', () => {
    const containers = pods.flatMap((pod) => pod.containers);
    expect(containers.flatMap(referenceFaults)).toEqual([]);
  });

  test('puts the main container of each pod first, for `kubectl exec`', () => {
    for (const { title, labels, containers } of pods) {
      const component = labels['app.kubernetes.io/component']?.replace(/^redis-/, '');
      expect([title, containers[0]?.name]).toEqual([title, component]);
    }
  });

  test('uses a namespace that rejects unrestricted pods', () => {
    const [namespace] = ofKind(manifests, 'Namespace');
    expect(namespace?.metadata.labels).toMatchObject({ 'pod-security.kubernetes.io/enforce': 'restricted' });
    for (const { kind, metadata } of manifests)
      expect([kind, metadata.namespace]).toEqual([kind, kind === 'Namespace' ? undefined : 'presenza']);
  });

  test('has a disruption budget for every replicated workload', () => {
    const budgets = ofKind(manifests, 'PodDisruptionBudget');
    const several = pods.filter(({ manifest, ends }) => !ends && replicasOf(manifests, manifest) > 1);
    for (const { title, labels } of several) {
      const matchingBudgets = budgets.filter(({ spec }) => selects(spec.selector, labels));
      expect([title, matchingBudgets.length]).toEqual([title, 1]);
    }
  });

  test('has no selector without pods, and no port without a container', () => {
    expect(danglingIn(manifests)).toEqual([]);
  });

  test('has service accounts without rights', () => {
    expect(manifests.filter(({ apiVersion }) => apiVersion.startsWith('rbac.'))).toEqual([]);
    const accounts = ofKind(manifests, 'ServiceAccount').map(({ metadata }) => metadata.name);
    expect([...new Set(pods.map(({ pod }) => pod.serviceAccountName))].sort()).toEqual(accounts.sort());
  });

  test('holds no secret, and refers to those that the README shows how to make', () => {
    expect(ofKind(manifests, 'Secret')).toEqual([]);
    const readme = readFileSync(join(FOLDER, 'README.md'), 'utf8');
    const references = pods
      .flatMap(({ containers }) => containers)
      .flatMap(({ env }) => env ?? [])
      .flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? []);
    expect(references.length).toBeGreaterThan(2);
    for (const { name: secret, key } of references) {
      const command = new RegExp(`create secret generic ${secret} \\\\?[^]*?--from-literal="${key}=`);
      expect(readme).toMatch(command);
    }
  });

  test('keeps versions out of immutable fields', () => {
    for (const { spec } of ofKind(manifests, 'StatefulSet'))
      for (const { metadata } of spec.volumeClaimTemplates)
        expect(metadata.labels ?? {}).not.toHaveProperty(['app.kubernetes.io/version']);
  });
});

/** Sentences on Services, budgets, policies, monitors, Ingresses and scalers that point at nothing. */
function danglingIn(manifests: readonly Manifest[]): string[] {
  const pods = workloads(manifests);
  const services = ofKind(manifests, 'Service');
  const taking = (selector: Record<string, string>) =>
    pods.filter(({ labels }) => selects({ matchLabels: selector }, labels));
  const hasPort = (workload: Workload, port: string | number) =>
    workload.containers.some(({ ports }) =>
      ports?.some(({ name, containerPort }) => port === name || port === containerPort),
    );
  return manifests.flatMap(({ kind, metadata: { name }, spec }) => {
    const at = (sentence: string) => [`${kind} ${name}: ${sentence}`];
    switch (kind) {
      case 'Service': {
        const behind = taking(spec.selector);
        if (behind.length !== 1) return at(`selects ${behind.length} workloads`);
        return spec.ports
          .filter(({ targetPort }: { targetPort: string }) => !hasPort(behind[0] as Workload, targetPort))
          .flatMap(({ targetPort }: { targetPort: string }) => at(`no port ${targetPort}`));
      }
      case 'PodDisruptionBudget':
      case 'Deployment':
      case 'StatefulSet':
        return taking(spec.selector.matchLabels).length === 1 ? [] : at('selects nothing, or too much');
      case 'NetworkPolicy':
        // Operators create these pods by hand, and cert-manager creates its solvers on demand.
        if (spec.podSelector.matchLabels?.['presenza/role'] === 'operator') return [];
        if (spec.podSelector.matchLabels?.['acme.cert-manager.io/http01-solver']) return [];
        return taking(spec.podSelector.matchLabels ?? {}).length > 0 ? [] : at('selects nothing');
      case 'ServiceMonitor': {
        const behind = services.filter(({ metadata }) => selects(spec.selector, metadata.labels));
        return spec.endpoints.flatMap(({ port }: { port: string }) => {
          const serving = behind.filter((service) =>
            service.spec.ports.some((servicePort: { name: string }) => servicePort.name === port),
          );
          return serving.length === 1 ? [] : at(`${serving.length} Services with port ${port}`);
        });
      }
      case 'PodMonitor':
        return spec.podMetricsEndpoints.flatMap(({ port }: { port: string }) =>
          taking(spec.selector.matchLabels).some((workload) => hasPort(workload, port))
            ? []
            : at(`no port ${port}`),
        );
      case 'Ingress':
        return spec.rules.flatMap(({ http }: Manifest['spec']) =>
          http.paths.flatMap(({ backend: { service } }: Manifest['spec']) =>
            find(manifests, 'Service', service.name).spec.ports.some(
              (servicePort: { name: string }) => servicePort.name === service.port.name,
            )
              ? []
              : at(`no port ${service.port.name}`),
          ),
        );
      case 'HorizontalPodAutoscaler':
      case 'ScaledObject': {
        const { replicas } = find(manifests, spec.scaleTargetRef.kind, spec.scaleTargetRef.name).spec;
        return replicas === undefined ? [] : at('fights with replicas in the manifest');
      }
      default:
        return [];
    }
  });
}

describe('detects a fault', () => {
  const bad = parse(`
    apiVersion: apps/v1
    kind: Deployment
    metadata: { name: bad }
    spec:
      replicas: 2
      selector: { matchLabels: { app: bad } }
      template:
        metadata: { labels: { app: bad } }
        spec:
          hostNetwork: true
          volumes: [{ name: host, hostPath: { path: / } }]
          containers: [{ name: bad, image: "registry:5000/bad:latest", securityContext: { privileged: true } }]
---
    apiVersion: v1
    kind: Service
    metadata: { name: bad }
    spec: { selector: { app: bad }, ports: [{ targetPort: http }] }
---
    apiVersion: policy/v1
    kind: PodDisruptionBudget
    metadata: { name: bad }
    spec: { selector: { matchLabels: { app: bda } } }
---
    apiVersion: autoscaling/v2
    kind: HorizontalPodAutoscaler
    metadata: { name: bad }
    spec: { scaleTargetRef: { kind: Deployment, name: bad } }`);

  test('in a pod', () => {
    const faults = workloads(bad).flatMap(faultsOf).join('\n');
    for (const part of [
      'root',
      'user',
      'seccomp',
      'token',
      'account',
      'GATEWAY_PORT',
      'namespace of its host',
      'mounts',
      'write to its image',
      'gain',
      'privileged',
      'capabilities',
      'bad:latest',
      'requests no cpu',
      'no limit of memory',
      'startupProbe',
      'livenessProbe',
      'readinessProbe',
    ])
      expect(faults).toContain(part);
  });

  test('in variables', () => {
    const env = [
      { name: 'URL', value: 'redis://:$(PASSWORD)@redis' },
      { name: 'PASSWORD', value: '$$(NOT_ONE)' },
      { name: 'COPY', value: '$(PASSWORD)' },
    ];
    expect(referenceFaults({ name: 'bad', image: 'bad', env, args: ['$(COPY)', '$(OTHER)'] })).toEqual([
      'bad: nothing before it says what $(PASSWORD) is',
      'bad: nothing before it says what $(OTHER) is',
    ]);
  });

  test('in references', () => {
    expect(danglingIn(bad)).toEqual([
      'Service bad: no port http',
      'PodDisruptionBudget bad: selects nothing, or too much',
      'HorizontalPodAutoscaler bad: fights with replicas in the manifest',
    ]);
  });
});
