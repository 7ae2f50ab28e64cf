import { setTimeout as delay } from 'node:timers/promises';
import { Cluster, type ClusterOptions, Redis, type RedisOptions } from 'ioredis';
import { waitAtMost } from '../async/wait-at-most';
import { ApiError } from '../errors';
import { closeWhenSilent } from './silence-watch';

/** One server or a cluster. The stores treat both alike, because all keys of an account share a slot. */
export type RedisClient = Redis | Cluster;

export interface RedisAddress {
  readonly url: string;
  /** Whether the address is one node of a Redis Cluster, which announces the others. */
  readonly cluster: boolean;
}

/**
 * Commands fail at once without a connection instead of queueing: a request that cannot be metered must not wait. A
 * single server receives no command twice. The cluster client may resend one, and every script tolerates that.
 */
const options = {
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  // Short enough to leave time within `connectWithinMs` to ask the server what is missing.
  connectTimeout: 3_000,
  disconnectTimeout: 200,
} satisfies RedisOptions;

/** How long Redis may owe a reply to a request. A watch on the connection costs less than a timer for each command. */
const silenceMs = 1_000;

const retryDelay = (attempt: number) => Math.min(50 * 2 ** attempt, 1_000);

const slotsEveryMs = 1_000;

/** The number of slots of every Redis Cluster. */
const slotCount = 16_384;

/** An incomplete cluster, or a server that is still loading its data, keeps a client waiting without an error. */
const connectWithinMs = 10_000;

/**
 * Connects to Redis and waits until it takes commands.
 * @throws Error if the first connection fails or Redis is not ready in time; its cause says what is missing.
 */
export async function connectRedis(
  address: RedisAddress,
  onError: (error: Error) => void,
  withinMs = connectWithinMs,
): Promise<RedisClient> {
  const redis = address.cluster ? clusterClient(address.url) : singleClient(address.url);
  closeNodesWhenSilent(redis, silenceMs);
  // The event carries the cause; the rejected connection attempt only says that it was closed.
  let reported: Error | undefined;
  redis.on('error', (error: Error) => {
    reported = error;
    onError(error);
  });
  let isReady = false;
  const connected = (redis instanceof Cluster ? connectCluster(redis) : redis.connect()).then(() => {
    isReady = redis.status === 'ready';
  });
  try {
    await waitAtMost(withinMs, connected);
  } catch (cause) {
    redis.disconnect();
    throw new Error('Redis does not respond at REDIS_URL', { cause: reported ?? cause });
  }
  if (isReady) {
    if (redis instanceof Cluster) followSlots(redis);
    return redis;
  }
  connected.catch(() => {}); // Ends with the connection.
  redis.disconnect();
  throw new Error(`Redis at REDIS_URL was not ready within ${withinMs / 1000} s`, {
    cause: (await notReadyBecause(address)) ?? reported,
  });
}

/**
 * Connects, and waits for a complete map of slots. The client reads the map before it asks a node whether the cluster is
 * complete, so it may be ready with gaps. A command for a gap then fails inside the client, and no reply fills the gap.
 */
async function connectCluster(cluster: Cluster): Promise<void> {
  // `connect` never resolves if the cluster was incomplete at the first attempt.
  const ready = new Promise<void>((resolve) => cluster.once('ready', resolve));
  await Promise.race([cluster.connect(), ready]);
  while (!isClosed(cluster) && !(cluster.status === 'ready' && knowsAllSlots(cluster))) {
    await delay(retryDelay(0));
    await new Promise<void>((resolve) => cluster.refreshSlotsCache(() => resolve()));
  }
}

const isClosed = ({ status }: Cluster): boolean => status === 'disconnecting' || status === 'end';

/**
 * Reads the map of slots each second. The client follows a slot that has moved only if it may send the whole pipeline
 * again, which it may not if other commands of it succeeded or concern other slots: those would fail for as long as they
 * are used together. The client's own timer (`slotsRefreshInterval`) outlives a `disconnect` during a refresh.
 */
function followSlots(cluster: Cluster): void {
  const timer = setInterval(() => cluster.refreshSlotsCache(), slotsEveryMs).unref();
  cluster.once('end', () => clearInterval(timer));
}

/** `includes` finds the holes of an array as well. */
const knowsAllSlots = ({ slots }: { readonly slots: readonly (readonly string[] | undefined)[] }): boolean =>
  slots.length === slotCount && !slots.includes(undefined);

/** Asks the server why it is not ready. @returns undefined if the reason is unknown */
async function notReadyBecause({ url, cluster }: RedisAddress): Promise<Error | undefined> {
  const node = new Redis(url, {
    ...options,
    lazyConnect: true,
    enableReadyCheck: false,
    retryStrategy: null,
  });
  node.on('error', () => {}); // The commands below fail with it as well.
  closeWhenSilent(node, silenceMs);
  try {
    await node.connect();
    const persistence = infoOf(await node.info('persistence'));
    if (persistence.loading === '1') return new Error('it is loading its data');
    if (!cluster) return undefined;
    const { cluster_state: state, cluster_slots_assigned: slots } = infoOf(
      String(await node.cluster('INFO')),
    );
    if (state === 'ok' && slots === String(slotCount)) return undefined;
    return new Error(
      `the Redis Cluster is not complete: ${slots} of ${slotCount} slots are assigned, and its state is ${state}; create it with redis-cli --cluster create, or bring its missing nodes back`,
    );
  } catch (error) {
    return error as Error;
  } finally {
    node.disconnect();
  }
}

/** The lines `name:value` of Redis's INFO. */
export const infoOf = (text: string): Partial<Record<string, string>> =>
  Object.fromEntries(text.split('\r\n').map((line) => line.split(':') as [string, string]));

/** Options of queue workers, which can wait: commands are sent once Redis is available again. */
const patient = {
  ...options,
  enableOfflineQueue: true,
  autoResendUnfulfilledCommands: true,
  maxRetriesPerRequest: null,
} satisfies RedisOptions;

/**
 * A worker's command blocks for at most 10 s, so a connection that is silent for longer is dead. The system alone would
 * notice after about 15 minutes.
 */
const workerSilenceMs = 15_000;

/**
 * A connection for queue workers. It returns at once and connects in the background, again after each loss.
 * @param silenceMs how long Redis may take to reply to a command.
 */
export function workerConnection(
  { url, cluster }: RedisAddress,
  onError: (error: Error) => void,
  silenceMs: number = workerSilenceMs,
): RedisClient {
  const redis = cluster
    ? clusterClient(url, patient, { enableAutoPipelining: false, lazyConnect: false })
    : new Redis(url, { ...patient, retryStrategy: retryDelay });
  closeNodesWhenSilent(redis, silenceMs);
  if (redis instanceof Cluster) followSlots(redis);
  redis.on('error', onError);
  return redis;
}

/** A connection to a single server, which `connect` opens. It returns after each loss, and after a failed `connect`. */
export function lazyConnection(url: string, onError: (error: Error) => void): Redis {
  const redis = singleClient(url);
  closeWhenSilent(redis, silenceMs);
  redis.on('error', onError);
  return redis;
}

/** Watches a server, or each node of a cluster. @param silenceMs how long it may owe a reply */
function closeNodesWhenSilent(redis: RedisClient, silenceMs: number): void {
  if (redis instanceof Cluster) redis.on('+node', (node: Redis) => closeWhenSilent(node, silenceMs));
  else closeWhenSilent(redis, silenceMs);
}

function singleClient(url: string): Redis {
  const redis = new Redis(url, { ...options, lazyConnect: true, retryStrategy: retryDelay });
  writeTogether(redis);
  return redis;
}

/**
 * Sends all commands of one callback in one write. The client's own pipelines, which a cluster needs, do the same, but
 * their bookkeeping takes nearly a tenth of the processor time of a small request.
 */
function writeTogether(redis: Redis): void {
  const send = redis.sendCommand.bind(redis);
  redis.sendCommand = (...command) => {
    // Undefined before the first connection; replaced by each reconnect.
    const { stream } = redis as { stream?: Redis['stream'] };
    if (stream?.writableCorked === 0) {
      stream.cork();
      process.nextTick(() => stream.uncork());
    }
    return send(...command);
  };
}

function clusterClient(
  url: string,
  ofNodes: typeof options | typeof patient = options,
  ofCluster: Pick<ClusterOptions, 'enableAutoPipelining' | 'lazyConnect'> = {},
): Cluster {
  const { username, password, protocol } = new URL(url);
  return new Cluster([url], {
    lazyConnect: true,
    enableOfflineQueue: ofNodes.enableOfflineQueue,
    enableAutoPipelining: true,
    clusterRetryStrategy: retryDelay,
    retryDelayOnFailover: 100,
    maxRedirections: 4,
    redisOptions: {
      ...ofNodes,
      ...(username && { username: decodeURIComponent(username) }),
      ...(password && { password: decodeURIComponent(password) }),
      ...(protocol === 'rediss:' && { tls: {} }),
    },
    ...ofCluster,
  });
}

/** Whether Redis replies to commands. Resolves within the command timeout. */
export const isResponding = (redis: RedisClient): Promise<boolean> =>
  redis.ping().then(
    () => true,
    () => false,
  );

/** Turns a failed command into the error for API clients. */
export function unavailable(cause: unknown): never {
  throw new ApiError('SERVICE_UNAVAILABLE', { reason: 'store', cause, retryAfterSeconds: 1 });
}
