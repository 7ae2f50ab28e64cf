// Slow: Kustomize, which `npm run test:slow` compiles if the machine has none, builds the manifests.
import { kustomize } from '../../deploy/kubernetes/build.mjs';
import { overlayObjects, simulatedNodes, simulatedWorkloads, ZONE } from './many-pods.mjs';

test('nodes are spread over the zones and have eight GPUs each', () => {
  const nodes = simulatedNodes(8, 4);
  const zones = nodes.map(({ metadata }) => metadata.labels[ZONE]);
  expect(zones.filter((zone) => zone === 'zone-3')).toHaveLength(2);
  expect(new Set(nodes.map(({ metadata }) => metadata.name)).size).toBe(8);
  expect(nodes[0]?.status.capacity['nvidia.com/gpu']).toBe('8');
});

(kustomize ? test : test.skip)(
  'workloads are those of the overlay, without volumes that nothing provides',
  () => {
    const workloads = simulatedWorkloads(overlayObjects('gpu'), { inference: 600, gateway: 75 });
    const find = (end: string) => workloads.find(([path]) => path.endsWith(end))?.[1];
    expect(find('poddisruptionbudgets/inference')).toBeDefined();
    expect(find('deployments/inference').spec.replicas).toBe(600);
    const gateway = find('statefulsets/gateway');
    expect(gateway.spec.replicas).toBe(75);
    expect(gateway.spec.volumeClaimTemplates).toBeUndefined();
    const mounts = gateway.spec.template.spec.containers[0].volumeMounts.map(
      ({ name }: { name: string }) => name,
    );
    const volumes = gateway.spec.template.spec.volumes.map(({ name }: { name: string }) => name);
    expect(volumes).toEqual(expect.arrayContaining(mounts));
  },
);
