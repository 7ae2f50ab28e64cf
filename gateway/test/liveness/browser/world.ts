/** The whole service with its site, an account, and a receiver of its webhooks. */
import { type Service, startService } from '../../../harness/index.mjs';
import { sharedTierUrl } from '../../shared-tier';
import { eventOf, startReceiver } from '../../webhooks/receiver';

export interface Created {
  readonly sessionId: string;
  readonly verificationUrl: string;
  readonly accessToken: string;
}

export interface CallResult {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the tests check each response
  readonly body: any;
}

export interface World {
  /** Address of the API for browsers. */
  readonly apiUrl: string;
  /** Calls the API with the API key. */
  call(method: string, path: string, body?: unknown): Promise<CallResult>;
  createSession(request?: object): Promise<Created>;
  /** Resolves to an event of a session and its id once it has arrived with valid signatures. */
  event(sessionId: string, eventType: string): Promise<CallResult['body']>;
  /** The verdicts of a session, as operators see them. */
  explain(sessionId: string): Promise<CallResult['body']>;
  stop(): Promise<void>;
}

/**
 * @param configuration variables of the gateway in addition to those of the tests
 * @param inferenceUrl by default that of the tier that the test files of a run share
 */
export async function startWorld(
  configuration: Record<string, string> = {},
  inferenceUrl = sharedTierUrl(),
): Promise<World> {
  const service = await startService({
    site: true,
    inferenceUrl,
    gatewayEnv: { NODE_ENV: 'test', ...configuration },
  });
  try {
    return await populate(service);
  } catch (error) {
    await service.stop();
    throw error;
  }
}

async function populate(service: Service): Promise<World> {
  const { accountId, apiKey } = await service.createAccount();
  const receiver = await startReceiver();
  const { secret } = await service.admin('webhooks', 'create', '--account', accountId, '--url', receiver.url);

  const call: World['call'] = async (method, path, body) => {
    const response = await fetch(service.url + path, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  };
  return {
    apiUrl: service.url,
    call,
    async createSession(request = {}) {
      const { status, body } = await call('POST', '/liveness', request);
      if (status !== 200) throw new Error(`POST /liveness: ${status} ${JSON.stringify(body)}`);
      return body.data;
    },
    async event(sessionId, eventType) {
      const { event, id } = await eventOf(receiver, secret, sessionId, eventType);
      return { ...event, id };
    },
    explain: (sessionId) =>
      service.admin('sessions', 'explain', '--account', accountId, '--session', sessionId),
    async stop() {
      await service.stop();
      await receiver.close();
    },
  };
}
