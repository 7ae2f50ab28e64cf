/**
 * The faults and the alerts that each has to raise. The chains of a round run side by side, because they break different
 * parts; the faults of a chain follow each other, and so do the rounds.
 */
import { once } from 'node:events';
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { redisCommand, startInference, unlimited, waitUntil } from '../../../gateway/harness/index.mjs';
import { Skip } from '../../lib/skip.mjs';
import { startEvents, startReceiver } from '../receiver.mjs';
import { createEndpoint } from '../webhooks.mjs';
import { film, presentPhoto } from './captures.mjs';
import { startStranger } from './rig.mjs';
import { crowd, flood, send, steadily } from './traffic.mjs';

/** @typedef {import('./rig.mjs').Rig} Rig */
/**
 * `exported`: alerts on metrics of redis_exporter, which may be missing.
 * @typedef {import('./play.mjs').Fault<Rig> & { exported?: readonly string[] }} Fault
 */

/** Redis has this much of the memory that it uses: it is full. */
const FULL = 0.98;
const CROWD = 320;
const FEW = 24;
const SMALL_QUEUE = 4;
const WRONG_KEY = `Bearer pz_live_${'x'.repeat(32)}`;
/** More deliveries than PresenzaWebhookBacklog accepts. */
const MANY_DELIVERIES = 10_200;
const CUSTOMERS = 5;
const ENDPOINTS = 10;
/** More commits than half of a full journal. */
const MANY_COMMITS = 76_000;

// cspell:ignore allkeys
const config = (url, ...directive) => redisCommand(url, ['CONFIG', 'SET', ...directive]);

/** @param {string} url @param {string} name */
async function infoOf(url, name) {
  const info = await redisCommand(url, ['INFO']);
  return Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1]);
}

/** @param {(rig: Rig) => import('../../../gateway/harness/index.mjs').FaultProxy} pick @param {object} slowness */
const slow = (pick, slowness) => ({
  begin: (/** @type {Rig} */ rig) => pick(rig).slow(slowness),
  end: (/** @type {Rig} */ rig) => pick(rig).heal(),
});
/** @param {(rig: Rig) => { kill(): unknown, startUntilUp(): Promise<void> }} pick */
const killed = (pick) => ({
  begin: (/** @type {Rig} */ rig) => pick(rig).kill(),
  end: (/** @type {Rig} */ rig) => pick(rig).startUntilUp(),
});
const redisProxy = ({ service }) => service.proxies.redis[0];

/** Repeats an action until the returned function is called. */
function repeatedly(act, everyMs) {
  const timer = setInterval(act, everyMs);
  return () => clearInterval(timer);
}

/** @param {string} folder of a journal @returns {string | undefined} one of its commits */
function anyCommit(folder) {
  const name = readdirSync(folder).find((file) => file.endsWith('.journal'));
  return name && readFileSync(join(folder, name), 'utf8').split('\n')[0];
}

/** The name of a file of the journal that begins now. */
const journalName = () => `${new Date().toISOString().replaceAll(/[^\dTZ]/g, '')}-rehearse.journal`;

/** @type {Record<string, Fault>} */
const ofRedis = {
  slow: {
    name: 'connection to Redis slow, 200 ms each way',
    alerts: ['PresenzaRedisSlow'],
    ...slow(redisProxy, { latencyMs: 200 }),
  },
  full: {
    name: 'memory of Redis full',
    alerts: ['PresenzaRedisCallsFailing'],
    exported: ['PresenzaRedisMemoryHigh', 'PresenzaRedisMemoryFull'],
    begin: async ({ service: { redisUrl } }) =>
      config(redisUrl, 'maxmemory', String(Math.round(FULL * (await infoOf(redisUrl, 'used_memory'))))),
    end: ({ service: { redisUrl } }) => config(redisUrl, 'maxmemory', '0'),
  },
  killed: {
    name: 'Redis killed',
    alerts: ['PresenzaStoreUnavailable', 'PresenzaRequestLogIncomplete', 'PresenzaLedgerBehind'],
    exported: ['PresenzaRedisNodeDown'],
    lastsS: 300,
    async begin({ service, watch }) {
      await waitUntil(
        'Prometheus has seen requests',
        async () => (await watch.query('presenza:requests:rate5m'))[0] > 0,
        { intervalMs: 200 },
      );
      await service.redis.kill();
    },
    end: ({ service }) => service.redis.startUntilUp(),
  },
  gatewayKilled: {
    name: 'gateway killed while Redis is down',
    alerts: ['PresenzaGatewayAbsent', 'PresenzaTargetDown', 'PresenzaJournalLeftBehind'],
    async begin({ service, watch }) {
      await service.redis.kill();
      await waitUntil(
        'Prometheus has seen a commit in the journal',
        async () => (await watch.query('presenza:journal_pending'))[0] > 0,
        { intervalMs: 200 },
      );
      await service.gateways[0].kill();
    },
    async end({ service }) {
      await service.redis.startUntilUp();
      await service.gateways[0].startUntilUp();
    },
  },
};

/** @type {Record<string, Fault>} */
const besideRedis = {
  keysNotRewritten: {
    name: "file in place of the folder of the session keys' append-only file",
    alerts: ['PresenzaSessionKeysOverdue'],
    exported: ['PresenzaRedisRewriteFailing'],
    lastsS: 300,
    async begin({ service, apiKey, keysFolder }) {
      const { body } = await send(`${service.url}/liveness`, { token: apiKey, body: '{}' });
      const folder = join(keysFolder, 'appendonlydir');
      renameSync(folder, `${folder}-gone`);
      // Redis would create a missing folder again.
      writeFileSync(folder, '');
      const { sessionId } = body.data;
      await send(`${service.url}/liveness/${sessionId}`, { token: apiKey, method: 'DELETE' });
      return folder;
    },
    end(_rig, folder) {
      rmSync(folder);
      renameSync(`${folder}-gone`, folder);
    },
  },
  keysKilled: {
    name: 'Redis of the session keys killed',
    alerts: ['PresenzaSessionKeysUnavailable'],
    ...killed(({ sessionKeys }) => sessionKeys),
  },
  evicting: {
    name: 'Redis that evicts: allkeys-lru and little memory',
    exported: ['PresenzaRedisEvicting'],
    async begin({ primary: { url } }) {
      for (let i = 0; i < 2_000; i++) await redisCommand(url, ['SET', `filler-${i}`, 'x'.repeat(1_000)]);
      await config(url, 'maxmemory-policy', 'allkeys-lru');
      await config(url, 'maxmemory', String((await infoOf(url, 'used_memory')) - 1_000_000));
      // A write makes it look for room.
      await redisCommand(url, ['SET', 'last', 'x']).catch(() => {});
    },
    async end({ primary: { url } }) {
      await config(url, 'maxmemory', '0');
      await config(url, 'maxmemory-policy', 'noeviction');
    },
  },
  notDurable: {
    name: 'append-only file of Redis switched off',
    exported: ['PresenzaRedisNotDurable'],
    begin: ({ primary: { url } }) => config(url, 'appendonly', 'no'),
    end: ({ primary: { url } }) => config(url, 'appendonly', 'yes'),
  },
  replicaBehind: {
    name: 'primary of a replica frozen',
    exported: ['PresenzaRedisReplicaBehind'],
    async begin({ primary, replica }) {
      await config(replica.url, 'repl-timeout', '2');
      primary.freeze();
    },
    end: ({ primary }) => primary.thaw(),
  },
  clusterBroken: {
    name: 'one of three nodes of a Redis Cluster frozen',
    exported: ['PresenzaRedisClusterBroken'],
    begin: ({ cluster }) => cluster.nodes[0].freeze(),
    end: ({ cluster }) => cluster.nodes[0].thaw(),
  },
};

/** @type {Record<string, Fault>} */
const ofInference = {
  killed: {
    name: 'inference killed',
    alerts: [
      'PresenzaInferenceUnavailable',
      'PresenzaInferenceAbsent',
      'PresenzaOperationFailing',
      'PresenzaErrorBudgetBurnsFast',
      'PresenzaErrorBudgetBurnsSlowly',
    ],
    ...killed(({ service }) => service.inference[0]),
  },
  stranger: {
    name: 'another web server at the address of the inference tier',
    alerts: ['PresenzaInternalErrors'],
    async begin({ service: { proxies } }) {
      const stranger = await startStranger();
      const { target } = proxies.inference;
      proxies.inference.target = () => stranger.port;
      proxies.inference.cut();
      return { stranger, target };
    },
    end({ service: { proxies } }, { stranger, target }) {
      proxies.inference.target = target;
      proxies.inference.cut();
      stranger.close();
    },
  },
  workerKilled: {
    name: 'worker of the inference tier killed every three seconds under load',
    alerts: ['PresenzaInferenceErrors'],
    begin({ service, analyze }) {
      const kill = () => process.kill(service.inference[0].running.pid, 'SIGUSR2');
      return [crowd(4, () => analyze('detect')), repeatedly(kill, 3_000)];
    },
    end: (_rig, stops) => Promise.all(stops.map((stop) => stop())),
  },
  overload: {
    name: `${CROWD} clients at once, one worker`,
    alerts: ['PresenzaOverloaded', 'PresenzaQueueOld'],
    async begin({ service, analyze }) {
      const keys = [];
      for (let i = 0; i < 4; i++) keys.push((await service.createAccount({ overrides: unlimited })).apiKey);
      let number = 0;
      return crowd(CROWD, () => analyze('detect', number++, keys[number % keys.length]));
    },
    end: (_rig, stop) => stop(),
  },
  slow: {
    name: 'connection to the inference tier slow, 700 ms each way, while a capture runs',
    alerts: ['PresenzaLatencyBudgetBurnsFast', 'PresenzaLatencyBudgetBurnsSlowly', 'PresenzaFramesUnseen'],
    async begin(rig) {
      rig.service.proxies.inference.slow({ latencyMs: 700 });
      return film(rig, (nonces) => nonces.shift() ?? 'none');
    },
    async end({ service }, stop) {
      await service.proxies.inference.heal();
      await stop();
    },
  },
  smallQueue: {
    name: `inference tier with a queue of ${SMALL_QUEUE}, ${FEW} clients`,
    alerts: ['PresenzaInferenceDropping'],
    async begin({ service, analyze, inferenceEnv }) {
      // A gateway admits 16 analyses at least, however often the tier refuses some.
      inferenceEnv.INFERENCE_MAX_QUEUE = String(SMALL_QUEUE);
      await service.inference[0].restart();
      return crowd(FEW, () => analyze('detect'));
    },
    async end({ service, inferenceEnv }, stop) {
      await stop();
      delete inferenceEnv.INFERENCE_MAX_QUEUE;
      await service.inference[0].restart();
    },
  },
  recycled: {
    name: 'workers replaced after every 4 tasks',
    alerts: ['PresenzaWorkersRecycledOften'],
    async begin({ service, inferenceEnv }) {
      inferenceEnv.INFERENCE_WORKER_MAX_TASKS = '4';
      await service.inference[0].restart();
    },
    end: () => {},
  },
  devicesDiffer: {
    name: 'inference process on the CPU beside one with a GPU',
    alerts: ['PresenzaDevicesDiffer'],
    async begin({ service, watch, open }) {
      if (service.inference[0].running.device === 'cpu')
        throw new Skip('This machine has no GPU that the inference tier can use.');
      const running = await open(startInference({ INFERENCE_DEVICE: 'cpu' }));
      watch.alsoScrape([{ job: 'inference', address: new URL(running.url).host }]);
      return running;
    },
    async end({ watch }, running) {
      watch.alsoScrape([]);
      await running.stop();
    },
  },
  notReplaced: {
    name: 'successors of workers do not start',
    alerts: ['PresenzaWorkerNotReplaced'],
    begin: ({ withoutSuccessors }) => withoutSuccessors(true),
    async end({ service, inferenceEnv, withoutSuccessors }) {
      withoutSuccessors(false);
      delete inferenceEnv.INFERENCE_WORKER_MAX_TASKS;
      await service.inference[0].restart();
    },
  },
};

/** @type {Record<string, Fault>} */
const ofClients = {
  quota: {
    name: 'client over its quota, 3 requests a second',
    alerts: ['PresenzaQuotaRefusals'],
    async begin({ service, analyze }) {
      const overrides = { quota: { imageAnalysis: 1, livenessDetection: 1 } };
      const { apiKey } = await service.createAccount({ plan: 'free', overrides });
      return steadily(3, (number) => analyze('moderate', number, apiKey));
    },
    end: (_rig, stop) => stop(),
  },
  mails: {
    name: 'mail server hangs up',
    alerts: ['PresenzaMailsFailing'],
    async begin({ service }) {
      for (let i = 0; i < 8; i++)
        await send(`${service.url}/console/api/sign-up`, {
          body: JSON.stringify({ email: `person-${i}@example.com` }),
          headers: { 'content-type': 'application/json', origin: service.siteUrl },
        });
    },
    end: () => {},
  },
  gone: {
    name: 'receiver responds with 410',
    alerts: ['PresenzaWebhookEndpointDisabled', 'PresenzaWebhookDeadLetters'],
    async begin({ service, accountId, apiKey }) {
      const server = createServer((request, response) => {
        request.resume();
        response.writeHead(410).end();
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
      await createEndpoint(service, accountId, `http://127.0.0.1:${port}/hook`);
      return { server, events: startEvents(service.urls, apiKey, 1) };
    },
    async end(_rig, { server, events }) {
      await events.stop();
      server.closeAllConnections();
      server.close();
    },
  },
  unreachable: {
    name: `connections to ${ENDPOINTS} endpoints of each of ${CUSTOMERS} customers hang`,
    alerts: ['PresenzaWebhookBacklog', 'PresenzaWebhooksStuck'],
    lastsS: 300,
    async begin({ service, watch, open }) {
      const { url, proxy } = await open(startReceiver('unreachable'));
      proxy.partition();
      const sources = [];
      for (let i = 0; i < CUSTOMERS; i++) {
        const { apiKey } = await service.createAccount({ plan: 'growth', overrides: unlimited });
        for (let endpoint = 0; endpoint < ENDPOINTS; endpoint++)
          await send(`${service.url}/webhooks`, {
            token: apiKey,
            body: JSON.stringify({ url: `${url}?${endpoint}`, events: ['session.cancelled'] }),
          });
        sources.push(startEvents(service.urls, apiKey, 10));
      }
      try {
        await waitUntil(
          `${MANY_DELIVERIES} deliveries wait`,
          async () => (await watch.query('presenza_gateway_webhook_backlog'))[0] > MANY_DELIVERIES,
          { timeoutMs: 120_000, intervalMs: 500 },
        );
      } finally {
        for (const source of sources) await source.stop();
      }
      return proxy;
    },
    end: (_rig, proxy) => proxy.heal(),
  },
  photo: {
    name: 'client holds a photo before the camera in every session',
    alerts: ['PresenzaLivenessFailing'],
    async begin({ service, images }) {
      const { apiKey } = await service.createAccount({ overrides: unlimited });
      return steadily(0.1, () => presentPhoto({ service, images, apiKey }));
    },
    end: (_rig, stop) => stop(),
  },
  foreign: {
    name: 'client sends every second frame with the nonce of another session',
    alerts: ['PresenzaFramesForeign'],
    begin(rig) {
      let number = 0;
      const foreign = `7-${'A'.repeat(22)}`;
      return film(rig, (nonces) => (number++ % 2 === 0 ? foreign : (nonces.shift() ?? foreign)));
    },
    end: (_rig, stop) => stop(),
  },
  wrongKeys: {
    name: 'flood of requests with a wrong key',
    alerts: ['PresenzaAuthenticationStorm', 'PresenzaGatewaySaturated'],
    // Past the proxy, which would need as much processor time as the gateway.
    begin: ({ service: { gateways } }) =>
      flood(`http://127.0.0.1:${gateways[0].running.port}/usage`, 64, { authorization: WRONG_KEY }),
    end: (_rig, stop) => stop(),
  },
};

/** @type {Record<string, Fault>} */
const ofGateway = {
  fullJournal: {
    name: `gateway starts with a journal of ${MANY_COMMITS} commits and a damaged line`,
    alerts: ['PresenzaJournalFilling', 'PresenzaJournalRejected'],
    async begin({ service: { redis, gateways, journals } }) {
      await redis.kill();
      const commit = await waitUntil('the journal has a commit', () => anyCommit(journals[0]));
      await redis.startUntilUp();
      await gateways[0].running.stop();
      writeFileSync(join(journals[0], journalName()), `{"damaged\n${`${commit}\n`.repeat(MANY_COMMITS)}`);
      await gateways[0].startUntilUp();
    },
    end: ({ service: { journals } }) => rmSync(join(journals[0], 'rejected')),
  },
  paused: {
    name: 'gateway paused for 250 ms twice a second',
    alerts: ['PresenzaEventLoopLag'],
    begin({ service: { gateways } }) {
      const { running } = gateways[0];
      return repeatedly(async () => {
        running.freeze();
        await delay(250);
        running.thaw();
      }, 500);
    },
    async end({ service: { gateways } }, stop) {
      stop();
      await delay(300);
      gateways[0].thaw();
    },
  },
};

/** @type {readonly (readonly (readonly Fault[])[])[]} */
export const rounds = [
  [
    // First the faults that burn a budget: windows of 6 hours still see them for 9 minutes at a factor of 40. The slow
    // connection comes before all others that delay responses.
    [
      ofInference.slow,
      ofInference.killed,
      ofInference.stranger,
      ofInference.recycled,
      ofInference.notReplaced,
      ofInference.workerKilled,
      ofInference.smallQueue,
      ofInference.overload,
    ],
    [besideRedis.evicting, besideRedis.notDurable, besideRedis.replicaBehind, besideRedis.clusterBroken],
    // The order matters: the alert on dead letters compares with a time at which Prometheus already ran.
    [ofClients.unreachable, ofClients.gone],
  ],
  [
    [ofRedis.slow, ofRedis.full, ofRedis.killed, ofRedis.gatewayKilled],
    [besideRedis.keysNotRewritten, besideRedis.keysKilled],
  ],
  [[ofClients.quota], [ofClients.mails], [ofClients.photo], [ofInference.devicesDiffer]],
  [[ofClients.foreign, ofClients.wrongKeys, ofGateway.paused, ofGateway.fullJournal]],
];
