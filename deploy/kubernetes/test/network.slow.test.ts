/**
 * Connections between the parties, as a network plugin that enforces NetworkPolicies decides them.
 *
 * Slow: Kustomize, which `npm run test:slow` compiles if the machine has none, builds every overlay.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mayReach, type Party, type Peer, isWithin as within } from '../cluster-test/network/reach.mjs';
import { build, describeBuilds, describeEachBuild, find, ROOT, selects, workloads } from './manifests';
import type { Manifest } from './types';

const part = (component: string) => ({
  'app.kubernetes.io/name': 'presenza',
  'app.kubernetes.io/component': component,
});
const elsewhere = (namespace: string, labels = {}): Party => ({ namespace, labels });

const internet = { address: '93.184.215.14' };
const internet6 = { address: '2606:2800:21f:cb07:6820:80da:af6b:8b2c' };
const ingress = elsewhere('ingress-nginx');
const prometheus = elsewhere('monitoring');
const dns = elsewhere('kube-system', { 'k8s-app': 'kube-dns' });
const operator = elsewhere('presenza', { 'presenza/role': 'operator' });
const stranger = elsewhere('presenza', { app: 'stranger' });
const neighbor = elsewhere('default');

/** The parties of a build, by name. */
function partiesOf(manifests: readonly Manifest[]) {
  const pod = (component: string): Party => {
    const labels = part(component);
    const workload = workloads(manifests).find((candidate) =>
      selects({ matchLabels: labels }, candidate.labels),
    );
    if (!workload) throw new Error(`no pods of ${component}`);
    return {
      namespace: 'presenza',
      labels: workload.labels,
      ports: workload.containers.flatMap(({ ports }) => ports ?? []),
    };
  };
  return { pod, gateway: pod('gateway'), inference: pod('inference'), web: pod('web') };
}

/** Whether a side of the way is a pod of this namespace. */
const oursToDecide = ([, from, to]: Way) =>
  [from, to].some((party) => 'namespace' in party && party.namespace === 'presenza');
type Way = [title: string, from: Party, to: Party, port: string];

describeEachBuild(['overlays/production', 'base with redis-cluster', 'base with redis-external'], (name) => {
  const manifests = build(name);
  const { gateway, inference, web } = partiesOf(manifests);
  const redis = name.includes('external') ? { address: '10.1.2.3' } : partiesOf(manifests).pod('redis');
  const redisKeys = partiesOf(manifests).pod('redis-keys');
  const reach = (from: Party, to: Party, port: string) => mayReach(manifests, from, to, port);

  test.each([
    ['Ingress controller -> gateway, API', ingress, gateway, 'TCP/8080'],
    ['Ingress controller -> web', ingress, web, 'TCP/8000'],
    ['gateway -> inference', gateway, inference, 'TCP/9100'],
    ['gateway -> Redis', gateway, redis, 'TCP/6379'],
    ['gateway -> Redis of the keys', gateway, redisKeys, 'TCP/6379'],
    ['gateway -> DNS', gateway, dns, 'UDP/53'],
    ['gateway -> DNS, long responses', gateway, dns, 'TCP/53'],
    ['gateway -> a receiver of webhooks', gateway, internet, 'TCP/443'],
    ['gateway -> a receiver of webhooks, IPv6', gateway, internet6, 'TCP/443'],
    ['Prometheus -> gateway, metrics', prometheus, gateway, 'TCP/9180'],
    ['Prometheus -> inference, metrics', prometheus, inference, 'TCP/9100'],
    ['an operator -> gateway, operators’ API', operator, gateway, 'TCP/9181'],
  ])('open: %s', (_, from, to, port) => {
    expect(reach(from, to, port)).toBe(true);
  });

  const closed: Way[] = [
    ['Ingress controller -> gateway, operators’ API', ingress, gateway, 'TCP/9181'],
    ['Ingress controller -> gateway, metrics', ingress, gateway, 'TCP/9180'],
    ['Ingress controller -> inference', ingress, inference, 'TCP/9100'],
    ['Ingress controller -> Redis', ingress, redis, 'TCP/6379'],
    ['web -> Redis of the keys', web, redisKeys, 'TCP/6379'],
    ['an operator -> Redis of the keys', operator, redisKeys, 'TCP/6379'],
    ['Redis of the keys -> the internet', redisKeys, internet, 'TCP/443'],
    ['Prometheus -> gateway, API', prometheus, gateway, 'TCP/8080'],
    ['Prometheus -> gateway, operators’ API', prometheus, gateway, 'TCP/9181'],
    ['Prometheus -> Redis', prometheus, redis, 'TCP/6379'],
    ['Ingress controller -> exporter of Redis', ingress, redis, 'TCP/9121'],
    ['another namespace -> gateway', neighbor, gateway, 'TCP/8080'],
    ['another namespace -> inference', neighbor, inference, 'TCP/9100'],
    ['a stranger in this namespace -> gateway', stranger, gateway, 'TCP/8080'],
    ['a stranger in this namespace -> operators’ API', stranger, gateway, 'TCP/9181'],
    ['a stranger in this namespace -> DNS', stranger, dns, 'UDP/53'],
    ['an operator -> Redis', operator, redis, 'TCP/6379'],
    ['web -> gateway', web, gateway, 'TCP/8080'],
    ['web -> Redis', web, redis, 'TCP/6379'],
    ['web -> the internet', web, internet, 'TCP/443'],
    ['inference -> Redis', inference, redis, 'TCP/6379'],
    ['inference -> gateway', inference, gateway, 'TCP/8080'],
    ['inference -> DNS', inference, dns, 'UDP/53'],
    ['inference -> the internet', inference, internet, 'TCP/443'],
    ['gateway -> web', gateway, web, 'TCP/8000'],
    ['gateway -> a receiver of webhooks, plain', gateway, internet, 'TCP/80'],
    ['gateway -> the internet, another port', gateway, internet, 'TCP/22'],
    ['gateway -> the metadata service', gateway, { address: '169.254.169.254' }, 'TCP/80'],
    ['gateway -> another metadata service', gateway, { address: '168.63.129.16' }, 'TCP/80'],
    ['gateway -> a private address', gateway, { address: '10.0.0.1' }, 'TCP/443'],
    ['gateway -> another private address', gateway, { address: '192.168.1.1' }, 'TCP/443'],
    ['gateway -> a unique local address', gateway, { address: 'fd00::1' }, 'TCP/443'],
    ['gateway -> an address in 6to4', gateway, { address: '2002:a00:1::' }, 'TCP/443'],
    ['gateway -> pods of another namespace', gateway, neighbor, 'TCP/443'],
    ['Redis -> the internet', redis, internet, 'TCP/443'],
  ];

  test.each(closed.filter(oursToDecide))('closed: %s', (_, from, to, port) => {
    expect(reach(from, to, port)).toBe(false);
  });
});

describeEachBuild(['overlays/production', 'base with redis-cluster'], (name) => {
  const { pod, gateway, inference } = partiesOf(build(name));
  const [redis, rewrite] = [pod('redis'), pod('redis-rewrite')];

  test.each([
    ['CronJob of the daily rewriting -> Redis', rewrite, redis, 'TCP/6379', true],
    ['CronJob of the daily rewriting -> DNS', rewrite, dns, 'UDP/53', true],
    ['CronJob of the daily rewriting -> exporter of Redis', rewrite, redis, 'TCP/9121', false],
    ['CronJob of the daily rewriting -> gateway', rewrite, gateway, 'TCP/8080', false],
    ['CronJob of the daily rewriting -> inference', rewrite, inference, 'TCP/9100', false],
    ['CronJob of the daily rewriting -> the internet', rewrite, internet, 'TCP/443', false],
  ] as [string, Party, Party, string, boolean][])('%s', (_, from, to, port, open) => {
    expect(mayReach(build(name), from, to, port)).toBe(open);
  });
});

describeBuilds('Redis Cluster', () => {
  const manifests = build('base with redis-cluster');
  const { pod, gateway } = partiesOf(manifests);
  const [redis, create] = [pod('redis'), pod('redis-create')];

  test.each([
    ['node -> node, replication', redis, redis, 'TCP/6379', true],
    ['node -> node, bus', redis, redis, 'TCP/16379', true],
    ['node -> DNS', redis, dns, 'UDP/53', true],
    ['Job -> node', create, redis, 'TCP/6379', true],
    ['Job -> node, bus', create, redis, 'TCP/16379', false],
    ['gateway -> node, bus', gateway, redis, 'TCP/16379', false],
    ['Job -> the internet', create, internet, 'TCP/443', false],
    ['Job -> gateway', create, gateway, 'TCP/8080', false],
  ] as [string, Party, Party, string, boolean][])('%s', (_, from, to, port, open) => {
    expect(mayReach(manifests, from, to, port)).toBe(open);
  });
});

describeBuilds('the component mail', () => {
  const manifests = build('base with everything, without KEDA');
  const { gateway, web } = partiesOf(manifests);

  test.each([
    ['gateway -> mail server, TLS', gateway, internet, 'TCP/465', true],
    ['gateway -> mail server, STARTTLS', gateway, internet6, 'TCP/587', true],
    ['gateway -> mail server, without TLS', gateway, internet, 'TCP/25', false],
    ['gateway -> a private address', gateway, { address: '10.0.0.1' }, 'TCP/587', false],
    ['gateway -> the metadata service', gateway, { address: '169.254.169.254' }, 'TCP/587', false],
    ['web -> mail server', web, internet, 'TCP/465', false],
  ] as [string, Party, Party, string, boolean][])('%s', (_, from, to, port, open) => {
    expect(mayReach(manifests, from, to, port)).toBe(open);
  });

  test('has the exceptions of webhooks', () => {
    const rulesOf = (name: string) => find(manifests, 'NetworkPolicy', name).spec.egress[0].to;
    expect(rulesOf('gateway-mail')).toEqual(rulesOf('gateway-webhooks'));
  });
});

describeBuilds('cert-manager’s solver of HTTP-01', () => {
  const manifests = build('overlays/production');
  const solver = elsewhere('presenza', { 'acme.cert-manager.io/http01-solver': 'true' });

  test.each([
    ['Ingress controller -> solver', ingress, solver, 'TCP/8089', true],
    ['another namespace -> solver', neighbor, solver, 'TCP/8089', false],
    ['solver -> the internet', solver, internet, 'TCP/443', false],
    ['solver -> gateway', solver, partiesOf(manifests).gateway, 'TCP/8080', false],
  ] as [string, Party, Party, string, boolean][])('%s', (_, from, to, port, open) => {
    expect(mayReach(manifests, from, to, port)).toBe(open);
  });
});

describeEachBuild(['overlays/production', 'base with everything, without KEDA'], (name) => {
  test.each(['redis', 'redis-keys'])('Prometheus scrapes the exporter of each pod of %s', (component) => {
    const manifests = build(name);
    const { pod } = partiesOf(manifests);
    expect(mayReach(manifests, prometheus, pod(component), 'TCP/9121')).toBe(true);
    expect(mayReach(manifests, prometheus, pod(component), 'TCP/6379')).toBe(false);
    const { spec } = find(manifests, 'PodMonitor', 'redis');
    expect(selects(spec.selector, part(component))).toBe(true);
    const [server, exporter] = workloads(manifests).find(({ labels }) =>
      selects({ matchLabels: part(component) }, labels),
    )!.containers;
    expect([server?.ports?.[0]?.name, exporter?.name]).toEqual(['redis', 'exporter']);
    expect(exporter?.ports).toContainEqual({
      name: spec.podMetricsEndpoints[0].port,
      containerPort: 9121,
    });
  });
});

describeBuilds('the Redis of the keys', () => {
  test('is excluded from backups by Velero, which would undo erasures', () => {
    const { spec } = find(build('overlays/production'), 'StatefulSet', 'redis-keys');
    const [volume] = spec.volumeClaimTemplates;
    expect(volume.metadata.labels).toMatchObject({ 'velero.io/exclude-from-backup': 'true' });
    expect(spec.template.metadata.annotations).toMatchObject({
      'backup.velero.io/backup-volumes-excludes': volume.metadata.name,
    });
  });
});

describeBuilds('webhooks', () => {
  test('may not reach addresses that the gateway’s own guard refuses', () => {
    const manifests = build('overlays/production');
    const { egress } = find(manifests, 'NetworkPolicy', 'gateway-webhooks').spec;
    const [ipv4, ipv6] = egress[0].to.map(({ ipBlock }: Peer) => ipBlock);
    const source = readFileSync(join(ROOT, 'gateway/src/services/webhooks/address-guard.ts'), 'utf8');
    const refused = (list: string) => {
      const [, body = ''] = new RegExp(`const ${list} = \\[([^\\]]*)\\]`).exec(source) ?? [];
      return [...body.matchAll(/'([0-9a-f:.]+(?:\/\d+)?)'/g)].map(([, range = '']) =>
        range.includes('/') ? range : `${range}/32`,
      );
    };
    expect(refused('refusedIpv4').length).toBeGreaterThan(10);
    expect([...ipv4.except].sort()).toEqual(refused('refusedIpv4').sort());
    // The policy allows only 2000::/3 of IPv6, so the guard's other ranges are unreachable anyway.
    const inside = refused('refusedIpv6').filter((range) => within(range.split('/')[0] as string, ipv6.cidr));
    expect([...ipv6.except].sort()).toEqual(inside.sort());
  });

  test('the checks detect an opening: without default-deny, strangers get through', () => {
    const open = build('overlays/production').filter(({ metadata }) => metadata.name !== 'default-deny');
    expect(mayReach(open, stranger, dns, 'UDP/53')).toBe(true);
  });
});
