/** The faults of pods and the alerts that each has to raise. See ../faults.mjs for rounds and chains. */
import { waitUntil } from '../../../../gateway/harness/index.mjs';
import { Skip } from '../../../lib/skip.mjs';
import { AWAY } from './stand-ins.mjs';

/** @typedef {import('./rig.mjs').Rig} Rig */
/** @typedef {import('../play.mjs').Fault<Rig>} Fault */

const FILLER = '/data/filler';
/** The share of the volume that remains free. */
const FREE = 0.05;
const DAY_MS = 86_400e3;

/** A shell command as the process of a container. @param {string} script */
const runs = (script) => ({ command: ['sh', '-c', script] });

/**
 * A release with another pod template, and its rollback.
 * @param {string} workload such as `deployment/inference`
 * @param {{ container?: object, pod?: object }} template
 */
function released(workload, { container = {}, pod = {} }) {
  const [, name] = workload.split('/');
  const spec = { ...pod, containers: [{ name, ...container }] };
  const patch = JSON.stringify({ spec: { template: { spec } } });
  return {
    /** @param {Rig} rig */
    begin: ({ kubectl }) => kubectl('patch', workload, '--patch', patch),
    /** @param {Rig} rig */
    async end({ kubectl }) {
      await kubectl('rollout', 'undo', workload);
      await kubectl('rollout', 'status', workload, '--timeout=110s');
    },
  };
}

/** @type {readonly Fault[]} */
const ofInference = [
  {
    name: 'release of the inference tier whose process exits',
    alerts: ['PresenzaContainerRestarting', 'PresenzaContainerCrashLooping'],
    ...released('deployment/inference', { container: runs('exit 1') }),
  },
  {
    name: 'release of the inference tier whose image does not exist',
    alerts: ['PresenzaContainerNotCreated'],
    ...released('deployment/inference', {
      container: { image: 'registry.invalid/presenza/inference:absent' },
    }),
  },
  {
    name: 'release of the inference tier for nodes with a label that none has',
    alerts: ['PresenzaPodPending'],
    ...released('deployment/inference', { pod: { nodeSelector: { 'presenza/none': 'true' } } }),
  },
  {
    name: 'inference tier exceeds its memory limit once',
    alerts: ['PresenzaContainerOutOfMemory'],
    ...released('deployment/inference', {
      // `tail` keeps what has no line break. The volume of /tmp outlives the container.
      container: runs('sleep 5; [ -e /tmp/was ] || { touch /tmp/was; exec tail /dev/zero; }; sleep infinity'),
    }),
    // The pod stays, as one does that a burst has killed.
    end: () => {},
  },
];

/** @type {Fault} */
const away = {
  name: 'readiness probe of the site fails',
  alerts: ['PresenzaSiteUnavailable'],
  begin: ({ kubectl }) => kubectl('exec', 'deployment/web', '--', 'touch', AWAY),
  end: ({ kubectl }) => kubectl('exec', 'deployment/web', '--', 'rm', AWAY),
};

const busy = released('statefulset/gateway', { container: runs('while :; do :; done') });
/** @type {Fault} */
const exhausted = {
  name: 'gateways so busy that their autoscaler reaches its maximum',
  alerts: ['PresenzaScalingExhausted'],
  ...busy,
  async begin(rig) {
    if (!rig.hasMetrics) throw new Skip('The autoscaler needs metrics-server, which the cluster lacks.');
    await busy.begin(rig);
  },
};

/** @type {Fault} */
const filling = {
  name: `${100 * (1 - FREE)} % of Redis's volume used`,
  alerts: ['PresenzaVolumeFilling'],
  async begin({ kubectl, volumeMiB }) {
    const inRedis = ['exec', 'redis-0', '--container', 'redis', '--'];
    const text = await kubectl(...inRedis, 'df', '--block-size=1', '--output=size,avail', '/data');
    const [, values = ''] = text.split('\n');
    const [size = 0, available = 0] = values.trim().split(/\s+/).map(Number);
    // A folder of the node's own disk: to fill it would harm the node.
    if (size > 2 * volumeMiB * 2 ** 20)
      throw new Skip(
        `The file system of the volume has ${Math.round(size / 2 ** 20)} MiB, not ${volumeMiB}.`,
      );
    await kubectl(
      ...inRedis,
      'sh',
      '-c',
      `head -c ${Math.floor(available - FREE * size)} /dev/zero > ${FILLER}`,
    );
  },
  end: ({ kubectl }) => kubectl('exec', 'redis-0', '--container', 'redis', '--', 'rm', FILLER),
};

/** @type {Fault} */
const notRewritten = {
  name: 'Redis down since the last success of its CronJob two days ago (its status is set back)',
  alerts: ['PresenzaRedisNotRewritten'],
  async begin({ kubectl }) {
    const patch = (/** @type {object} */ change, /** @type {string[]} */ ...options) =>
      kubectl(
        'patch',
        'cronjob/redis-rewrite',
        '--type=merge',
        '--patch',
        JSON.stringify(change),
        ...options,
      );
    await kubectl('scale', 'statefulset/redis', '--replicas=0');
    await patch({ spec: { schedule: '* * * * *' } });
    const restarts = '--output=jsonpath={.items[*].status.containerStatuses[*].restartCount}';
    const jobs = ['get', 'pods', '--selector=app.kubernetes.io/component=redis-rewrite', restarts];
    await waitUntil('a rewrite has failed', async () => /[1-9]/.test(await kubectl(...jobs)), {
      timeoutMs: 180_000,
      intervalMs: 1_000,
    });
    const lastSuccessfulTime = new Date(Date.now() - 2 * DAY_MS).toISOString().replace(/\.\d+/, '');
    await patch({ status: { lastSuccessfulTime } }, '--subresource=status');
  },
  end: ({ kubectl }) => kubectl('scale', 'statefulset/redis', '--replicas=1'),
};

/**
 * The rewrite comes last, because a job that fails raises the alerts of crashing containers, too.
 * @type {readonly (readonly (readonly Fault[])[])[]}
 */
export const rounds = [[ofInference, [away], [exhausted], [filling]], [[notRewritten]]];
