/** The objects of the simulation of many nodes: nodes for KWOK, and the workloads of an overlay. */
import { parseAllDocuments } from 'yaml';
import { kustomizeBuild } from '../../deploy/kubernetes/build.mjs';

export const NAMESPACE = 'presenza';
export const ZONE = 'topology.kubernetes.io/zone';
export const HOST = 'kubernetes.io/hostname';
export const COMPONENT = 'app.kubernetes.io/component';

/**
 * The kinds that place pods or limit their evictions, with the paths of their lists. Other kinds need programs that a
 * cluster of simulated nodes lacks, or do not matter without containers.
 * @type {Readonly<Record<string, string>>}
 */
const PATHS = {
  ServiceAccount: `/api/v1/namespaces/${NAMESPACE}/serviceaccounts`,
  Service: `/api/v1/namespaces/${NAMESPACE}/services`,
  Deployment: `/apis/apps/v1/namespaces/${NAMESPACE}/deployments`,
  StatefulSet: `/apis/apps/v1/namespaces/${NAMESPACE}/statefulsets`,
  PodDisruptionBudget: `/apis/policy/v1/namespaces/${NAMESPACE}/poddisruptionbudgets`,
};

/**
 * Nodes with eight GPUs each, evenly in zones.
 * @param {number} count
 * @param {number} zones
 */
export const simulatedNodes = (count, zones) =>
  Array.from({ length: count }, (_, index) => {
    const name = `gpu-${index}`;
    const resources = {
      cpu: '96',
      memory: '768Gi',
      'ephemeral-storage': '1Ti',
      pods: '110',
      'nvidia.com/gpu': '8',
    };
    return {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: {
        name,
        annotations: { 'kwok.x-k8s.io/node': 'fake' },
        labels: {
          type: 'kwok',
          [HOST]: name,
          [ZONE]: `zone-${index % zones}`,
          'kubernetes.io/os': 'linux',
          'kubernetes.io/arch': 'amd64',
          'nvidia.com/gpu.present': 'true',
        },
      },
      status: { allocatable: resources, capacity: resources },
    };
  });

/** @param {string} overlay @returns {import('./kubernetes-api.mjs').KubernetesObject[]} all its objects */
export const overlayObjects = (overlay) =>
  parseAllDocuments(kustomizeBuild(`overlays/${overlay}`)).map((document) => document.toJS());

/**
 * The workloads among objects by the path of each. Volumes become `emptyDir`, since nothing provides any here.
 * @param {readonly import('./kubernetes-api.mjs').KubernetesObject[]} objects
 * @param {Readonly<Record<string, number>>} [replicas] by the name of a Deployment or StatefulSet
 */
export function simulatedWorkloads(objects, replicas = {}) {
  return objects.flatMap((object) => {
    const list = PATHS[object.kind];
    if (!list) return [];
    const { name } = object.metadata;
    const pods = replicas[name];
    if (pods !== undefined && object.spec?.template) object.spec.replicas = pods;
    withoutVolumes(object.spec);
    return [[`${list}/${name}`, object]];
  });
}

/** @param {any} spec of a StatefulSet, or of another kind without volumes of its own */
function withoutVolumes(spec) {
  const claims = spec?.volumeClaimTemplates;
  if (!claims) return;
  delete spec.volumeClaimTemplates;
  const volumes = claims.map((/** @type {any} */ { metadata }) => ({ name: metadata.name, emptyDir: {} }));
  spec.template.spec.volumes = [...(spec.template.spec.volumes ?? []), ...volumes];
}
