/** A gateway on a real Redis with its operators' port, and accounts that are strangers to each other. */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type RunningServer, startRedis } from '../../../deploy/local/harness/index.mjs';
import { createAdminApp, largestAdminBody } from '../../src/admin/app';
import { registry } from '../../src/admin/registry';
import { adminServices } from '../../src/admin/services';
import { createApp } from '../../src/http/app';
import { HttpInferenceClient } from '../../src/services/inference/inference-client';
import { Admission } from '../../src/services/limits/admission';
import { connectRedis, type RedisClient } from '../../src/stores/redis';
import { keySecret, realServices } from '../services';
import { tierThatDetects } from '../stand-in';

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

export class TestGateway {
  private constructor(
    private readonly redisServer: RunningServer,
    readonly redis: RedisClient,
    readonly services: ReturnType<typeof realServices>,
    private readonly servers: { readonly api: Server; readonly admin: Server },
  ) {}

  static async start(): Promise<TestGateway> {
    const redisServer = await startRedis();
    const redis = await connectRedis({ url: redisServer.url, cluster: false }, () => {});
    const inference = tierThatDetects(async () => ({ faces: [{}] }) as never);
    const services = realServices(redis, inference);
    const { logger, metrics } = services;
    const admin = createAdminApp(registry, {
      // Nobody listens there: none of these operations is to come as far as an image.
      admin: adminServices(
        redis,
        new HttpInferenceClient('http://127.0.0.1:1', metrics.dependency),
        keySecret,
        { allowLoopback: false },
      ),
      token: adminToken,
      admission: new Admission({ maxRequests: 8, maxBodyBytes: 2 * largestAdminBody }),
      logger,
      metrics,
      draining: () => false,
    });
    const servers = { api: await listen(createApp(services)), admin: await listen(admin) };
    return new TestGateway(redisServer, redis, services, servers);
  }

  async stop(): Promise<void> {
    for (const server of Object.values(this.servers)) {
      server.closeAllConnections();
      server.close();
    }
    this.redis.disconnect();
    await this.redisServer.stop();
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
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function send(server: Server, { method = 'POST', path, bearer, body, headers }: Call) {
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
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
    body: text === '' ? undefined : JSON.parse(text),
  };
}
