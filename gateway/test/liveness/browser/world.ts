/** The whole service as a customer meets it: Redis, inference, gateway and site as processes, and a receiver. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  freePort,
  type RunningGateway,
  startGateway,
  startInference,
  startRedis,
  startSite,
} from '../../../../deploy/local/harness/index.mjs';
import { type Received, startReceiver, verified } from '../../webhooks/receiver';

const adminCli = join(__dirname, '../../../dist/admin/cli.js');

export interface Created {
  readonly sessionId: string;
  readonly verificationUrl: string;
  readonly accessToken: string;
}

export interface Answered {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test says of each answer what it should be
  readonly body: any;
}

export interface World {
  readonly gateway: RunningGateway;
  /** With the API key. */
  call(method: string, path: string, body?: unknown): Promise<Answered>;
  createSession(request?: object): Promise<Created>;
  /** An event of a session with its id once it has come, its signatures checked. */
  event(sessionId: string, eventType: string): Promise<Answered['body']>;
  /** What the operator may read of a session's verdicts. */
  explain(sessionId: string): Promise<Answered['body']>;
  stop(): Promise<void>;
}

/** @param configuration variables of the gateway beside those of the tests */
export async function startWorld(configuration: Record<string, string> = {}): Promise<World> {
  // The last started is the first to end; also those that had started before another one could not.
  const ends: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    while (ends.length > 0) await ends.pop()?.();
  };
  const started = async <Part extends { stop(): Promise<unknown> }>(starting: Promise<Part>) => {
    const part = await starting;
    ends.push(() => part.stop());
    return part;
  };
  try {
    return { ...(await startParts(started, configuration)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Started = <Part extends { stop(): Promise<unknown> }>(starting: Promise<Part>) => Promise<Part>;

async function startParts(
  started: Started,
  configuration: Record<string, string>,
): Promise<Omit<World, 'stop'>> {
  const redis = await started(startRedis());
  const inference = await started(startInference());
  const receiver = await startReceiver();
  await started(Promise.resolve({ stop: () => receiver.close() }));
  const sitePort = await freePort();
  const secrets = { REDIS_URL: redis.url, KEY_SECRET: randomBytes(32).toString('hex') };
  const gateway = await started(
    startGateway({
      ...secrets,
      NODE_ENV: 'test',
      INFERENCE_URL: inference.url,
      VERIFY_URL: `http://127.0.0.1:${sitePort}/verify`,
      ...configuration,
    }),
  );
  await started(startSite({ WEB_PORT: String(sitePort), API_URL: gateway.url }));
  const admin = async (...words: string[]) => {
    const env = { ...process.env, ...secrets, INFERENCE_URL: inference.url };
    const { stdout } = await promisify(execFile)(process.execPath, [adminCli, ...words, '--json'], { env });
    return JSON.parse(stdout);
  };
  const { accountId } = await admin('accounts', 'create', '--name', 'Customer', '--plan', 'business');
  const { apiKey } = await admin('keys', 'create', '--account', accountId);
  const { secret } = await admin('webhooks', 'create', '--account', accountId, '--url', receiver.url);

  const call: World['call'] = async (method, path, body) => {
    const response = await fetch(`${gateway.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  };
  return {
    gateway,
    call,
    async createSession(request = {}) {
      const { status, body } = await call('POST', '/liveness', request);
      if (status !== 200) throw new Error(`POST /liveness: ${status} ${JSON.stringify(body)}`);
      return body.data;
    },
    async event(sessionId, eventType) {
      for (let came = 0; ; came++) {
        const one = (await receiver.count(came + 1))[came] as Received;
        const event = verified(one, secret);
        if (event.sessionId === sessionId && event.eventType === eventType) {
          return { ...event, id: one.headers['webhook-id'] };
        }
      }
    },
    explain: (sessionId) => admin('sessions', 'explain', '--account', accountId, '--session', sessionId),
  };
}
