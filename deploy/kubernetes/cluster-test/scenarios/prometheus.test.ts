import type { Installation } from '../installation/installation.mjs';
import { mayReach } from '../network/reach.mjs';
import { monitorsOf, policyFor, reasonForNoResult, withScraping } from './prometheus.mjs';

const pod = (component: string, port: { name: string; containerPort: number }) => ({
  namespace: 'test-1',
  labels: { 'app.kubernetes.io/component': component },
  ports: [port],
});
const inference = pod('inference', { name: 'http', containerPort: 9100 });
const gateway = pod('gateway', { name: 'metrics', containerPort: 9180 });
const web = pod('web', { name: 'http', containerPort: 8000 });

test('the namespace of Prometheus reaches the metrics of both tiers, and nothing else', () => {
  const closed = { ...policyFor('test-1', 'none'), spec: { podSelector: {}, policyTypes: ['Ingress'] } };
  const policies = [closed, policyFor('test-1', 'monitoring')];
  const reaches = (from: string, to: typeof web, port: string) =>
    mayReach(policies, { namespace: from, labels: {} }, to, port, 'test-1');
  expect(reaches('monitoring', inference, 'TCP/9100')).toBe(true);
  expect(reaches('monitoring', gateway, 'TCP/9180')).toBe(true);
  expect(reaches('monitoring', gateway, 'TCP/8080')).toBe(false);
  expect(reaches('monitoring', web, 'TCP/8000')).toBe(false);
  expect(reaches('default', inference, 'TCP/9100')).toBe(false);
});

test('monitors of a run are those of the component, with the labels that Prometheus selects', () => {
  const monitors = monitorsOf('test-1', { release: 'stack' });
  expect(monitors.map(({ kind, metadata }) => [kind, metadata.name, metadata.namespace])).toEqual([
    ['ServiceMonitor', 'gateway', 'test-1'],
    ['ServiceMonitor', 'inference', 'test-1'],
  ]);
  for (const { metadata } of monitors)
    expect(metadata.labels).toMatchObject({ release: 'stack', 'app.kubernetes.io/component': metadata.name });
});

interface Applied {
  kind: string;
  metadata: { name: string; labels?: Record<string, string> };
}

/** Stands in for kubectl, of a cluster with or without the Prometheus Operator. */
function startCluster(hasOperator: boolean, response = '{}') {
  const applied: Applied[] = [];
  const commands: string[] = [];
  const kubectl = {
    serves: async () => hasOperator,
    json: async () => ({
      items: [{ spec: { serviceMonitorSelector: { matchLabels: { release: 'stack' } } } }],
    }),
    apply: async (objects: Applied[]) => applied.push(...objects),
    run: async (args: string[]) => {
      commands.push(args.join(' '));
      return response;
    },
    get uninterrupted() {
      return kubectl;
    },
  };
  const installation = { kubectl, namespace: 'test-1', outside: { ingress: 'test-1-ingress' } };
  return { applied, commands, installation: installation as unknown as Installation };
}

test('with the Prometheus Operator, a run is monitored until the scenario ends, even if it fails', async () => {
  const { applied, commands, installation } = startCluster(true);
  const fail = async () => {
    expect(commands).toEqual([]);
    throw new Error('no pod');
  };
  await expect(withScraping(installation, 'monitoring', fail)).rejects.toThrow('no pod');
  expect(applied.map(({ metadata }) => metadata.labels?.release)).toEqual([undefined, 'stack', 'stack']);
  expect(commands).toEqual([
    '--namespace test-1 delete --ignore-not-found NetworkPolicy/prometheus ServiceMonitor/gateway ServiceMonitor/inference',
  ]);
});

test('without the Prometheus Operator, there are no monitors', async () => {
  const { applied, installation } = startCluster(false);
  await withScraping(installation, 'monitoring', async () => {});
  expect(applied.map(({ kind }) => kind)).toEqual(['NetworkPolicy']);
});

test('a query is asked from a pod of the cluster', async () => {
  const { commands, installation } = startCluster(true, '{"data":{"result":[{"value":[1,"0"]}]}}');
  const trigger = { serverAddress: 'http://prometheus.monitoring.svc:9090', query: 'sum(a{b="c"})' };
  expect(await reasonForNoResult(installation, trigger)).toBeUndefined();
  expect(commands[0]).toMatch(
    /^--namespace test-1-ingress exec load -- node --eval .* http:\/\/prometheus\.monitoring\.svc:9090\/api\/v1\/query\?query=sum%28a%7Bb%3D%22c%22%7D%29$/,
  );
});

test.each([
  [
    'has no result',
    '{"data":{"result":[]}}',
    /^Timed out after 0.01 s waiting until Prometheus has a result/,
  ],
  ['is refused', '{"error":"parse error"}', /\(parse error\)\.$/],
])('a query that %s is a reason to skip', async (_, response, reason) => {
  const { installation } = startCluster(true, response);
  const trigger = { serverAddress: 'http://prometheus.monitoring.svc:9090', query: 'a' };
  expect(await reasonForNoResult(installation, trigger, 10)).toMatch(reason);
});
