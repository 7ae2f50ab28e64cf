/** Faults of Redis, the gateways, the inference tier and its workers, and rolling restarts. */
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { rehearsal } from './rehearsal.mjs';

/** Latency of slow connections. Each request takes two round trips to Redis. */
const SLOW_MS = 200;
/** Leases of operations end 15 s after the deadline; a gateway that hangs for longer finds them swept. */
const LEASE_MARGIN_MS = 15_000;

/** Repeats an action every so often until the end of the fault. */
function repeatedly(act, everyMs) {
  let timer;
  return {
    begin: () => {
      timer = setInterval(act, everyMs);
    },
    end: () => clearInterval(timer),
  };
}

const killed = (part) => ({ begin: part.kill, end: () => part.startUntilUp() });
const frozen = (part) => ({ begin: part.freeze, end: part.thaw });

/** Faults of connections, on all of the given proxies. */
function connectionFaults(proxies) {
  const all = (act) => () => Promise.all(proxies.map(act));
  const fault = (begin) => ({ begin: all(begin), end: all((proxy) => proxy.heal()) });
  return {
    slow: (slowness) => fault((proxy) => proxy.slow(slowness)),
    held: () => fault((proxy) => proxy.hold()),
    partitioned: () => fault((proxy) => proxy.partition()),
    halfOpen: () => fault((proxy) => proxy.halfOpen()),
    refused: () => fault((proxy) => proxy.refuse()),
    reset: () =>
      repeatedly(
        all((proxy) => proxy.cut()),
        1_000,
      ),
  };
}

export const redisFaults = rehearsal({
  name: 'reliability/redis',
  question: 'What do clients notice when Redis dies, hangs, is slow or unreachable?',
  remark:
    'Without Redis an account with a hard limit has to wait, one with overage is served and billed later. Slow: 200 ms each way.',
  shortest: 'killed',
  faults: ({ redis, proxies }) => {
    const connections = connectionFaults(proxies.redis);
    return [
      { name: 'killed', ...killed(redis) },
      { name: 'frozen', ...frozen(redis) },
      { name: 'slow', ...connections.slow({ latencyMs: SLOW_MS }) },
      { name: 'bytes held', ...connections.held() },
      { name: 'partitioned', ...connections.partitioned() },
      { name: 'partitioned from one gateway', ...connectionFaults(proxies.redis.slice(0, 1)).partitioned() },
      { name: 'half-open', ...connections.halfOpen() },
      { name: 'connections reset, each second', ...connections.reset() },
      { name: 'connections refused', ...connections.refused() },
    ];
  },
});

export const gatewayFaults = rehearsal({
  name: 'reliability/gateways',
  question: 'What do clients notice when one of two gateways dies or hangs, or their connections fail?',
  remark:
    'Each client knows both gateways and changes to the other one after a failure. The other gateway responds with 409 to operations of a killed or frozen gateway until their lease ends, 15 s after the deadline. Slow connections: 100 ms each way, 200 kB/s.',
  shortest: 'one killed',
  faults: ({ gateways: [first], proxies, deadlineMs }) => {
    const connections = connectionFaults(proxies.clients);
    const ofFirst = connectionFaults(proxies.clients.slice(0, 1));
    return [
      { name: 'one killed', ...killed(first) },
      {
        name: 'one frozen for longer than a lease',
        ...frozen(first),
        faultMs: deadlineMs + LEASE_MARGIN_MS + 6_000,
        silent: true,
      },
      {
        name: 'one terminated without notice',
        begin: async () => {
          await first.running.stop();
          await delay(1_000);
        },
        end: () => first.startUntilUp(),
      },
      {
        name: 'slow connections of clients',
        ...connections.slow({ latencyMs: 100, bytesPerSecond: 200_000 }),
      },
      { name: 'one partitioned from clients', ...ofFirst.partitioned(), silent: true },
      { name: 'half-open connections of clients', ...ofFirst.halfOpen(), silent: true },
      { name: 'connections of clients reset, each second', ...connections.reset() },
    ];
  },
});

export const inferenceFaults = rehearsal({
  name: 'reliability/inference',
  question: 'What do clients notice when the inference tier dies, hangs, is slow or unreachable?',
  remark:
    'Two processes of one worker each behind a TCP balancer that follows their readiness. Slow: 200 ms each way, 2 MB/s.',
  shortest: 'one of two killed',
  options: () => ({ inferences: 2 }),
  faults: ({ inference, proxies }) => {
    const [firstTier] = inference;
    const each = (act) => () => Promise.all(inference.map(act));
    const connections = connectionFaults([proxies.inference]);
    return [
      { name: 'one of two killed', ...killed(firstTier) },
      { name: 'one of two frozen', ...frozen(firstTier) },
      { name: 'both killed', begin: each((part) => part.kill()), end: each((part) => part.startUntilUp()) },
      { name: 'both frozen', begin: each((part) => part.freeze()), end: each((part) => part.thaw()) },
      { name: 'slow', ...connections.slow({ latencyMs: SLOW_MS, bytesPerSecond: 2e6 }) },
      { name: 'bytes held', ...connections.held() },
      { name: 'partitioned', ...connections.partitioned() },
      { name: 'half-open', ...connections.halfOpen() },
      { name: 'connections reset, each second', ...connections.reset() },
      { name: 'connections refused', ...connections.refused() },
    ];
  },
});

const dyingWorker = fileURLToPath(new URL('dying-worker.cjs', import.meta.url));
/** A few seconds of work. By default the tier replaces no worker for its age. */
const MAX_TASKS = '20';

export const workerFaults = rehearsal({
  name: 'reliability/workers',
  question: 'What do clients notice when worker threads of the inference tier die or are replaced?',
  remark: `One process of two workers, each replaced after ${MAX_TASKS} batches. Killed: all worker threads of the process die of an uncaught error.`,
  shortest: 'killed once',
  options: () => ({
    inferenceEnv: {
      INFERENCE_WORKERS: '2',
      INFERENCE_WORKER_MAX_TASKS: MAX_TASKS,
      NODE_OPTIONS: `--require=${dyingWorker}`,
    },
  }),
  faults: ({ inference: [tier] }) => {
    const kill = () => process.kill(tier.running.pid, 'SIGUSR2');
    const nothing = { begin: () => {}, end: () => {} };
    return [
      { name: 'replaced after their tasks', ...nothing, withoutRetry: true },
      // The first replacements allocate memory for two generations of workers; these reuse it.
      {
        name: 'replaced after their tasks, again and for longer',
        ...nothing,
        faultMs: 40_000,
        withoutRetry: true,
      },
      { name: 'killed once', begin: kill, end: () => {} },
      { name: 'killed every two seconds', ...repeatedly(kill, 2_000) },
    ];
  },
});

/** The sleep of a preStop hook, between leaving the endpoints and SIGTERM. */
const PRE_STOP_MS = 3_000;

async function restart(part, balancer) {
  await part.restart();
  await balancer.putIn(part.name);
  // Clients reconnect before the next replica leaves.
  await delay(1_000);
}

/** Restarts one after the other, as Kubernetes does with a preStop hook: out of the endpoints, and later SIGTERM. */
async function restartInOrder(parts, balancer) {
  for (const part of parts) {
    balancer.takeOut(part.name);
    await delay(PRE_STOP_MS);
    await restart(part, balancer);
  }
}

/** SIGTERM at once: the balancer notices through readiness alone. */
async function restartAtOnce(parts, balancer) {
  for (const part of parts) await restart(part, balancer);
}

export const rollingRestart = rehearsal({
  name: 'reliability/rolling',
  question: 'Does a rolling restart of the gateways or of the inference tier drop a request?',
  remark: `Two of each behind TCP balancers that follow their readiness. In order: out of the balancer, SIGTERM ${PRE_STOP_MS / 1e3} s later, and no request may fail even once. At once: SIGTERM first, and clients retry.`,
  shortest: 'gateways in order',
  // 0: half of the highest throughput, which one of two replicas can carry alone.
  perSecond: 0,
  options: () => ({ inferences: 2 }),
  faults: ({ gateways, inference, balancer, inferenceBalancer, frontUrl }) => {
    const restarts = (name, begin, more = {}) => ({
      name,
      begin,
      end: () => {},
      faultMs: 0,
      urls: [frontUrl],
      ...more,
    });
    const inOrder = { withoutRetry: true };
    return [
      restarts('gateways in order', () => restartInOrder(gateways, balancer), inOrder),
      restarts('inference in order', () => restartInOrder(inference, inferenceBalancer), inOrder),
      restarts('gateways at once', () => restartAtOnce(gateways, balancer)),
      restarts('inference at once', () => restartAtOnce(inference, inferenceBalancer)),
    ];
  },
});
