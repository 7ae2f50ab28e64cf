/**
 * The stand-ins of the measurement of alerts in a cluster keep the names by which the rules select.
 *
 * Slow: Kustomize, which `npm run test:slow` compiles if the machine has none, builds the manifests.
 */
import { findTool, KUSTOMIZE } from '../../../../gateway/harness/setup/tools.mjs';
import { standIns } from './stand-ins.mjs';

const withKustomize = findTool(KUSTOMIZE) ? test : test.skip;
const options = { image: '', storageClass: 'small', volumeMiB: 64 };

withKustomize('stand-ins have the names and images of the manifests, and small requests', () => {
  const objects = standIns(options);
  const find = (kind: string, name: string) =>
    objects.find((object) => object.kind === kind && object.metadata.name === name);
  expect(objects[0]).toMatchObject({ kind: 'Namespace', metadata: { name: 'presenza' } });
  const web = find('Deployment', 'web').spec.template.spec;
  expect(web.containers[0]).toMatchObject({ name: 'web', resources: { limits: { memory: '64Mi' } } });
  const redis = find('StatefulSet', 'redis').spec;
  expect(redis.template.spec.containers[0].image).toMatch(/^redis:.*@sha256:/);
  expect(web.containers[0].image).toBe(redis.template.spec.containers[0].image);
  expect(redis.volumeClaimTemplates[0].spec).toMatchObject({
    storageClassName: 'small',
    resources: { requests: { storage: '64Mi' } },
  });
  expect(find('StatefulSet', 'gateway').spec.volumeClaimTemplates).toBeUndefined();
  expect(find('HorizontalPodAutoscaler', 'gateway').spec).toMatchObject({ minReplicas: 1, maxReplicas: 2 });
  expect(find('CronJob', 'redis-rewrite').spec.jobTemplate.spec.template.spec.containers[0].name).toBe(
    'rewrite',
  );
  expect(objects.some(({ metadata }) => metadata.name.startsWith('redis-keys'))).toBe(false);
});

withKustomize('another image replaces that of Redis in every container', () => {
  const images = standIns({ ...options, image: 'example/redis:1' }).flatMap(({ spec }) => {
    const pod = spec?.template?.spec ?? spec?.jobTemplate?.spec.template.spec;
    return (pod?.containers ?? []).map(({ image }: { image: string }) => image);
  });
  expect(new Set(images)).toEqual(new Set(['example/redis:1']));
});
