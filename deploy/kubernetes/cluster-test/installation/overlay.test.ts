import { parse } from 'yaml';
import { kustomizationOf, MOST_GATEWAYS, renameNeighbors } from './overlay.mjs';

const run = { namespace: 'test-1', folder: '../..', images: { gateway: 'example.com:5000/gateway:2' } };

test('the overlay is the local one, in another namespace and with two pods of each tier', () => {
  expect(kustomizationOf(run)).toMatchObject({
    namespace: 'test-1',
    resources: ['../../overlays/local'],
    components: [],
    replicas: [
      { name: 'gateway', count: 2 },
      { name: 'inference', count: 2 },
      { name: 'web', count: 2 },
    ],
    images: [{ name: 'presenza/gateway', newName: 'example.com:5000/gateway', newTag: '2' }],
  });
});

test.each([
  ['redis:7', { newName: 'redis', newTag: '7' }],
  ['redis@sha256:ab', { newName: 'redis', digest: 'sha256:ab' }],
  ['host:5000/redis', { newName: 'host:5000/redis' }],
  ['host:5000/redis:7@sha256:ab', { newName: 'host:5000/redis', newTag: '7', digest: 'sha256:ab' }],
])('%s names an image by repository, tag and digest', (redis, image) => {
  const { images } = kustomizationOf({ ...run, redis }) as { images: object[] };
  expect(images[1]).toEqual({ name: 'redis', ...image });
});

test('patches are valid, and the largest number of gateways is the one that scaling reaches', () => {
  const { patches } = kustomizationOf({ ...run, components: ['redis-cluster'] }) as {
    patches: { patch: string }[];
  };
  const parsed = patches.map(({ patch }) => parse(patch));
  expect(parsed.map(({ metadata }) => metadata.name)).toEqual(['inference', 'gateway', 'redis-cluster']);
  expect(parsed[1].spec.template.spec.containers[0].env).toEqual([
    { name: 'GATEWAY_REPLICAS', value: String(MOST_GATEWAYS) },
  ]);
});

test('policies name the namespaces of the run, and other objects stay as they are', () => {
  const rule = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } };
  const manifests = [
    { kind: 'NetworkPolicy', metadata: { name: 'a' }, spec: { ingress: [{ from: [rule] }] } },
    { kind: 'Other', metadata: { name: 'b' }, spec: rule },
  ];
  const [policy, other] = renameNeighbors(manifests, { monitoring: 'test-1-monitoring' });
  expect(JSON.stringify(policy)).toContain('"kubernetes.io/metadata.name":"test-1-monitoring"');
  expect(other).toEqual(manifests[1]);
});
