// Pods of the test itself. They meet the Pod Security Standard `restricted`, which the namespace enforces.

const security = {
  runAsNonRoot: true,
  runAsUser: 10001,
  runAsGroup: 10001,
  fsGroup: 10001,
  seccompProfile: { type: 'RuntimeDefault' },
};

/**
 * @param {object} pod
 * @param {string} pod.name
 * @param {string} pod.namespace
 * @param {string} pod.image
 * @param {Readonly<Record<string, string>>} [pod.labels]
 * @param {readonly string[]} pod.command
 * @param {readonly { volume: object, mountPath: string }[]} [pod.mounts]
 * @param {number} [pod.user]
 * @returns {object}
 */
export function podOf({ name, namespace, image, labels = {}, command, mounts = [], user = 10001 }) {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, labels },
    spec: {
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      terminationGracePeriodSeconds: 1,
      securityContext: { ...security, runAsUser: user, runAsGroup: user, fsGroup: user },
      containers: [
        {
          name: 'main',
          image,
          imagePullPolicy: 'IfNotPresent',
          command,
          resources: { requests: { cpu: '20m', memory: '64Mi' }, limits: { memory: '256Mi' } },
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
          volumeMounts: mounts.map(({ mountPath }, i) => ({ name: `volume-${i}`, mountPath })),
        },
      ],
      volumes: mounts.map(({ volume }, i) => ({ name: `volume-${i}`, ...volume })),
    },
  };
}

/** A pod of the gateway's image, which has Node.js and no shell, in which `kubectl exec` runs programs. */
export const idle = ['node', '--eval', 'setInterval(() => {}, 2 ** 30)'];
