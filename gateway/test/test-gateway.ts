/** A gateway on a real Redis, with its port for operators, and accounts that are strangers to each other. */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startRedis } from '../harness/index.mjs';
import { createAdminApp } from '../src/admin/app';
import { largestAdminBody } from '../src/admin/http-input';
import { registry } from '../src/admin/registry';
import { adminServices } from '../src/admin/services';
import type { ConsoleServices } from '../src/console/call';
import { createApp, type Services } from '../src/http/app';
import { HttpInferenceClient, type InferenceClient } from '../src/services/inference/inference-client';
import { Admission } from '../src/services/limits/admission';
import { connectRedis, type RedisClient } from '../src/stores/redis';
import { keepOpen, keySecret, realServices } from './services';
import { sharedTierUrl } from './shared-tier';
import { tierThatDetects } from './stand-in';

type RunningRedis = Awaited<ReturnType<typeof startRedis>>;

export const adminToken = 'ab'.repeat(32);

export interface Call {
  readonly method?: string;
  readonly path: string;
  readonly bearer?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: responses are read freely in tests
  readonly body: any;
}

export interface Parts extends Partial<Omit<Services, 'console'>> {
  /** Makes a console on the gateway's Redis. */
  readonly console?: (redis: RedisClient) => ConsoleServices;
  readonly redis?: Parameters<typeof startRedis>[0];
  /** Uses the real inference tier. Otherwise, and without `inference`, every image shows a face. */
  readonly realTier?: boolean;
}

export class TestGateway {
  private constructor(
    private readonly store: RunningRedis,
    readonly redis: RedisClient,
    /** The services without the parts that the test replaces. */
    readonly services: ReturnType<typeof realServices>,
    private readonly servers: { readonly api: Server; readonly admin: Server },
  ) {}

  /** @param parts in place of the usual ones. */
  static async start({
    realTier = false,
    console,
    redis: options,
    ...parts
  }: Parts = {}): Promise<TestGateway> {
    const store = await startRedis(options);
    const redis = await connectRedis({ url: store.url, cluster: false }, () => {});
    const inference: InferenceClient = realTier
      ? new HttpInferenceClient(sharedTierUrl())
      : (parts.inference ?? tierThatDetects(async () => ({ faces: [{}] }) as never));
    const services = realServices(redis, inference);
    const { logger, metrics } = services;
    const admin = createAdminApp(registry, {
      // Nobody listens there: none of these operations is to come as far as an image.
      admin: adminServices(
        redis,
        new HttpInferenceClient('http://127.0.0.1:1', metrics.dependency),
        keySecret,
      ),
      token: adminToken,
      admission: new Admission({ maxRequests: 8, maxBodyBytes: 2 * largestAdminBody }),
      logger,
      metrics,
      draining: () => false,
    });
    const api = createApp({ ...services, ...parts, ...(console && { console: console(redis) }) });
    const servers = { api: await listen(api), admin: await listen(admin) };
    return new TestGateway(store, redis, services, servers);
  }

  async stop(): Promise<void> {
    for (const server of Object.values(this.servers)) {
      server.closeAllConnections();
      server.close();
    }
    this.services.inference.close();
    this.redis.disconnect();
    await this.store.stop();
  }

  /** The files of Redis. */
  get folder(): string {
    return this.store.folder;
  }

  get redisUrl(): string {
    return this.store.url;
  }

  /** The address of the public API. */
  get url(): string {
    return urlOf(this.servers.api);
  }

  get adminUrl(): string {
    return urlOf(this.servers.admin);
  }

  /** An account with a key that works. */
  async account(): Promise<{ readonly id: string; readonly apiKey: string; readonly keyId: string }> {
    const { id } = await this.services.keys.createAccount('a stranger', 'business');
    return { id, ...(await this.services.keys.createKey(id, 'live')) };
  }

  api = (call: Call): Promise<Reply> => send(this.servers.api, call);
  admin = (call: Call): Promise<Reply> => send(this.servers.admin, call);
}

async function listen(app: RequestListener): Promise<Server> {
  const server = createServer(keepOpen, app).listen(0, '127.0.0.1');
  // Production does this too: Node would send `100 Continue` before the gateway wants the body.
  server.on('checkContinue', app);
  await once(server, 'listening');
  return server;
}

const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const isCsv = ({ headers }: Response) => headers.get('content-type')?.startsWith('text/csv') === true;

async function send(server: Server, { method = 'POST', path, bearer, body, headers }: Call) {
  const response = await fetch(urlOf(server) + path, {
    method,
    headers: {
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: text === '' || isCsv(response) ? undefined : JSON.parse(text),
  };
}
