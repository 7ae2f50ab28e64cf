// Replaces secrets, and restores Redis from a backup, as operators do.

import { randomBytes } from 'node:crypto';
import { ledgersOf, settledBills } from '../installation/bills.mjs';
import { WORKLOADS } from '../installation/installation.mjs';
import { idle, podOf } from '../installation/pods.mjs';
import { replicasOf } from './scenario.mjs';

/**
 * @typedef {import('./scenario.mjs').Scenario} Scenario
 * @typedef {import('./scenario.mjs').World} World
 */

/** Prints the status of the operators' API for a token, from inside the cluster. */
const ASK = `fetch('http://gateway-admin:9181/accounts', { headers: { authorization: 'Bearer ' + process.argv[1] } })
  .then(({ status }) => console.log(status))`;

/** @param {World} world @param {string} token */
async function statusWith({ installation }, token) {
  return (await installation.run(['exec', 'operator', '--', 'node', '--eval', ASK, token])).trim();
}

/** @type {Scenario} */
const secrets = {
  name: 'secrets',
  about: 'replaces ADMIN_TOKEN and rolls the secret of a webhook',
  withoutRetry: true,
  run: async (world) => {
    const { installation, operator, accounts, check } = world;
    const { namespace, kubectl } = installation;
    const image = installation.images().gateway;
    const labels = { 'presenza/role': 'operator' };
    await kubectl.apply([podOf({ name: 'operator', namespace, image, labels, command: idle })]);
    await installation.run(['wait', '--for=condition=Ready', 'pod/operator', '--timeout=60s']);

    const { data } = await installation.json(['get', 'secret', 'presenza']);
    const old = Buffer.from(data.ADMIN_TOKEN, 'base64').toString();
    const token = randomBytes(32).toString('hex');
    check((await statusWith(world, old)) === '200', 'the first ADMIN_TOKEN was refused');
    const patch = JSON.stringify({ stringData: { ADMIN_TOKEN: token } });
    await installation.run(['patch', 'secret', 'presenza', '--patch', patch]);
    await installation.run(['rollout', 'restart', WORKLOADS.gateway]);
    await installation.rolledOut('gateway');
    check((await statusWith(world, old)) === '401', 'the old ADMIN_TOKEN still opens the API');
    check((await statusWith(world, token)) === '200', 'the new ADMIN_TOKEN was refused');

    const account = ['--account', String(accounts['with overage']?.accountId)];
    const endpoint = ['--url', 'https://example.com/hook'];
    const made = await operator.admin(['webhooks', 'create', ...account, ...endpoint]);
    const webhook = ['--webhook', String(made.webhookId)];
    const rolled = await operator.admin(['webhooks', 'roll-secret', ...account, ...webhook]);
    check(/^whsec_/.test(rolled.secret) && rolled.secret !== made.secret, 'the webhook has no new secret');
    await operator.admin(['webhooks', 'delete', ...account, ...webhook]);
    await installation.run(['delete', 'pod', 'operator']);
  },
};

const CLAIM = 'data-redis-0';
/** Redis's own user, which owns its files. */
const REDIS_USER = 999;

/** The append-only file, rewritten, as text. */
const COPY = `redis-cli bgrewriteaof >/dev/null
until redis-cli info persistence | grep -q 'aof_rewrite_in_progress:0'; do sleep 0.2; done
tar c -C /data appendonlydir | base64 -w0`;

/** @param {import('./scenario.mjs').Installation} installation @param {string} script */
const inRedis = (installation, script) =>
  installation.run(['exec', 'redis-0', '--container', 'redis', '--', 'sh', '-euc', script]);

/** A copy of files that change is none: no gateway writes meanwhile. A snapshot of the volume needs no pause. @param {World} world */
async function backUp({ installation }) {
  await installation.scale('gateway', 0);
  const archive = (await inRedis(installation, COPY)).trim();
  await installation.scale('gateway', replicasOf('gateway'));
  return archive;
}

/**
 * Replaces the volume of Redis, which is scaled to 0, by a new one with the files of the backup.
 * @param {import('./scenario.mjs').Installation} installation
 * @param {{ archive: string, image: string }} backup image: of Redis
 */
async function restore(installation, { archive, image }) {
  const { namespace, kubectl } = installation;
  const claim = await installation.json(['get', 'pvc', CLAIM]);
  await installation.run(['delete', 'pvc', CLAIM, '--timeout=100s']);
  const { accessModes, resources, storageClassName } = claim.spec;
  await kubectl.apply([
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: CLAIM, namespace, labels: claim.metadata.labels },
      spec: { accessModes, resources, storageClassName },
    },
    podOf({
      name: 'restore',
      namespace,
      image,
      user: REDIS_USER,
      command: ['sleep', '600'],
      mounts: [{ volume: { persistentVolumeClaim: { claimName: CLAIM } }, mountPath: '/data' }],
    }),
  ]);
  await installation.run(['wait', '--for=condition=Ready', 'pod/restore', '--timeout=100s']);
  await installation.run(['exec', '--stdin', 'restore', '--', 'sh', '-c', 'base64 -d | tar x -C /data'], {
    input: archive,
  });
  await installation.run(['delete', 'pod', 'restore']);
}

/**
 * Requests between the backup and the loss of Redis, to every gateway: without Redis, a gateway serves only keys that it
 * knows. The restore takes these units back.
 * @param {World} world
 * @param {import('./scenario.mjs').Units} held units in the backup
 * @returns {Promise<number>} units
 */
async function useEveryGateway(world, held) {
  const pods = await world.installation.pods('gateway');
  const load = world.startLoad(pods.map(({ status }) => `http://${hostOf(status.podIP)}:8080`));
  await load.responses(20);
  const units = await settledBills(world, held, await load.stop());
  return Object.values(units).reduce((sum, count) => sum + count, 0);
}

/** @param {string} address */
const hostOf = (address) => (address.includes(':') ? `[${address}]` : address);

/** Whether a request of the hard limit waited for Redis. @param {import('../load/pod.mjs').Request} request */
const hasWaited = ({ account, attempts }) =>
  account === 'hard limit' &&
  attempts.some(({ name, retryMs }) => name.startsWith('503') && retryMs !== undefined);

/** @type {Scenario} */
const backup = {
  name: 'backup',
  about: 'backs Redis up, loses it, restores it under load to a new volume, and verifies the bills',
  withoutLoad: true,
  // The requests of the hard limit wait: as many as arrive before Redis is back have to fit into the load.
  load: 0.5,
  run: async (world) => {
    const { installation, operator, learner, check, note } = world;
    const { accountId } = learner;
    const before = await operator.verify(accountId);
    check(before.matches && before.ledger > 0, 'there is nothing to back up');
    const archive = await backUp(world);
    const held = await ledgersOf(world);
    const since = await useEveryGateway(world, held);

    const image = (await installation.json(['get', 'pod', 'redis-0'])).spec.containers[0].image;
    // From here on, gateways run on without Redis: they serve accounts with overage, and keep journals.
    await installation.scale('redis', 0);
    await restore(installation, { archive, image });
    const load = world.startLoad();
    await load.responses(10);
    await installation.scale('redis', 1);
    await load.responses(20);
    const result = await load.stop();
    world.count(held, result);
    check(result.requests.some(hasWaited), 'no request of the hard limit had to wait for Redis');

    const after = await operator.verify(accountId);
    check(after.matches && after.ledger === before.ledger, `${before.ledger} units became ${after.ledger}`);
    note(`${before.ledger} units of an account without load before and after`);
    note(`${since} units were billed between the backup and the loss, and are lost`);
  },
};

export const serviceScenarios = [secrets, backup];
