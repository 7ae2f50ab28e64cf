/** A gateway on a real Redis and inference tier, with webhooks and the sweep of sessions, and accounts that use it. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startRedis } from '../../harness/index.mjs';
import { adminServices } from '../../src/admin/services';
import { every } from '../../src/async/every';
import { createApp, type Services } from '../../src/http/app';
import { HttpInferenceClient } from '../../src/services/inference/inference-client';
import { retrySchedule } from '../../src/services/webhooks/schedule';
import { createEventDetails } from '../../src/start/liveness';
import { connectRedis } from '../../src/stores/redis';
import { keepOpen, keySecret, realLiveness, realServices } from '../services';
import { sharedTierUrl } from '../shared-tier';
import { deploy } from '../webhooks/deployment';
import type { Doc } from './replay';

/** How often the sweep looks for sessions that move on by themselves. */
const sweepMs = 50;

export interface Call {
  /** An API key or a session's token. */
  readonly token?: string;
  /** JSON unless it is bytes or a form. */
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** URL of the gateway, unless it is the first one. */
  readonly url?: string;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export type ExampleGateway = Awaited<ReturnType<typeof startGateway>>;

export async function startGateway() {
  const store = await startRedis();
  const redis = await connectRedis({ url: store.url, cluster: false }, () => {});
  const inference = new HttpInferenceClient(sharedTierUrl());
  const sessions = createEventDetails(redis, { KEY_SECRET: keySecret });
  const deployment = await deploy(store.url, { sessions, schedule: retrySchedule() });
  const { webhooks } = deployment;
  const failures: Error[] = [];
  const logger = { warn: (fields: object) => void failures.push(new Error(JSON.stringify(fields))) };
  const { liveness, sweeper } = realLiveness(redis, inference, { webhooks, logger });
  const services = {
    ...realServices(redis, inference),
    liveness,
    management: adminServices(redis, inference, keySecret, { allowLoopback: true }),
  };
  const stopSweeping = every(
    sweepMs,
    () => sweeper.sweep(sweepMs),
    (error) => failures.push(error),
  );
  const servers: Server[] = [];

  /** Another gateway that differs in some of its parts. @returns its URL */
  async function serve(parts: Partial<Services> = {}): Promise<string> {
    const server = createServer(keepOpen, createApp({ ...services, ...parts })).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  const first = await serve();

  /** @param line such as `GET /keys` */
  async function send(line: string, { token, body, headers, url = first }: Call = {}): Promise<Reply> {
    const [method, path] = line.split(' ') as [string, string];
    const isJson = body !== undefined && !(body instanceof Uint8Array || body instanceof FormData);
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(isJson && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: isJson ? JSON.stringify(body) : (body as FormData) }),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  return {
    services,
    redis,
    /** A gateway whose sessions expire at once. */
    serveExpired: () => {
      const config = { LIVENESS_SESSION_SECONDS: -1 };
      return serve({ liveness: realLiveness(redis, inference, { webhooks, config }).liveness });
    },
    serve,
    send,

    /** The body of a successful response. */
    async call(line: string, call: Call): Promise<Doc> {
      const { status, text } = await send(line, call);
      const body = JSON.parse(text);
      expect([line, status, body.error]).toEqual([line, 200, undefined]);
      return body;
    },

    /** An account with a key for each mode. */
    async account() {
      const { keys } = services;
      const { id } = await keys.createAccount('Examples', 'growth');
      const keyOf = async (mode: 'live' | 'test') => (await keys.createKey(id, mode)).apiKey;
      return { id, live: await keyOf('live'), trial: await keyOf('test') };
    },

    /** @throws the first failure of the sweep */
    async stop(): Promise<void> {
      await stopSweeping();
      await sweeper.stop();
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
      await deployment.stop();
      inference.close();
      redis.disconnect();
      await store.stop();
      if (failures.length > 0) throw failures[0];
    },
  };
}
