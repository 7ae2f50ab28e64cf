/** The public API on a real socket with nothing real behind it, and raw connections to it. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import errors from '@presenza/contract/errors.json';
import pino from 'pino';
import type { ErrorCode } from '../src/errors';
import { createApp, type Services } from '../src/http/app';
import { createApiServer } from '../src/http/server';
import { createMetrics, type Metrics } from '../src/observability/metrics';
import { productIds } from '../src/services/contract/products';
import { HealthHistory } from '../src/services/health/health-history';
import { AdaptiveLimit } from '../src/services/inference/adaptive-limit';
import type { InferenceClient } from '../src/services/inference/inference-client';
import type { Principal } from '../src/services/keys/keys';
import { Admission } from '../src/services/limits/admission';
import { LocalLimiter } from '../src/services/limits/local-limiter';
import type { Liveness } from '../src/services/liveness/liveness';
import { DataKey } from '../src/services/liveness/session/data-key';
import type { Session } from '../src/services/liveness/session/session';
import { policyOf } from '../src/services/liveness/session/session-policy';
import { Journal } from '../src/services/metering/journal';
import { Metering } from '../src/services/metering/metering';
import type { MeterStore } from '../src/services/metering/metering-store';
import { StoreBreaker } from '../src/services/metering/store-breaker';
import { forEach, termsOf } from '../src/services/plans/terms';
import type { WebhookEndpoint } from '../src/services/webhooks/endpoints';
import { schemas } from './contract';

/** The owner of every key. */
export const principal: Principal = {
  accountId: 'acc_1',
  keyId: 'key_1',
  mode: 'test',
  plan: 'business',
  terms: termsOf('business'),
};
export const noFaces = { faces: [], timings: { decodeMs: 0, modelMs: 0, totalMs: 0 } };

/** Begins like a JPEG, which is all that the gateway looks at. */
export const imageBody = JSON.stringify({ image: 'data:image/jpeg;base64,/9j/' });

/** An inference tier that does nothing else. */
export const tierThatDetects = (detect: InferenceClient['detect']): InferenceClient => ({
  detect,
  compare: () => Promise.reject(new Error('not expected')),
  frames: () => Promise.reject(new Error('not expected')),
  moderate: () => Promise.reject(new Error('not expected')),
  ready: async () => true,
  close: () => {},
});

const face = {
  confidence: 0.9,
  boundingBox: { left: 0.1, top: 0.1, width: 0.2, height: 0.3 },
  quality: { brightness: 0.5, sharpness: 0.5 },
  warnings: ['blur', 'small'],
};

/** An inference tier with a result for each analysis. */
export const tierWithResults: InferenceClient = {
  detect: async () => ({ faces: [] }) as never,
  compare: async () => ({ source: face, targets: [{ ...face, similarity: 0.9 }] }) as never,
  frames: () => Promise.reject(new Error('not expected')),
  moderate: async (_image, { prototypes }) =>
    ({
      elements: [{ type: 'Violence', confidence: 0.9 }],
      custom: prototypes.map(() => 0.1),
    }) as never,
  ready: async () => true,
  close: () => {},
};

/** A store that lets everything pass. */
const openStore: MeterStore = {
  admit: async ({ terms }, { items }) => ({
    rate: { ...terms.burst, remaining: terms.burst.limit - 1, resetMs: 30 },
    states: items.map(() => 'reserved'),
  }),
  settle: async () => [],
  replay: async () => {},
};

export const createMetering = (store: MeterStore, journalFolder = 'never-written'): Metering =>
  new Metering({
    store,
    journal: new Journal(journalFolder),
    local: new LocalLimiter(1),
    breaker: new StoreBreaker({
      now: performance.now.bind(performance),
      onUnavailable: () => {},
      onRecovered: () => {},
    }),
    now: Date.now,
    onRejected: () => {},
  });

/** The one session there is; nothing happens to it. */
export const standInSessionId = `ses_${'0'.repeat(24)}`;
const session: Session = {
  accountId: principal.accountId,
  id: standInSessionId,
  status: 'started',
  mode: 'test',
  keyId: 'key_1',
  createdAt: 0,
  startedAt: 0,
  expiresAt: 1,
  dataExpiresAt: 2,
  hasReference: false,
  maxAttempts: 3,
  begun: 0,
  spent: 0,
  failures: 0,
  policy: policyOf(),
  explanation: [],
  key: DataKey.create(),
};

/** Every token opens the session. */
const standInLiveness = {
  tokens: { read: () => ({ accountId: session.accountId, sessionId: session.id, expiresAt: Infinity }) },
  creation: {
    create: async () => ({
      data: {
        sessionId: session.id,
        livemode: false,
        verificationUrl: 'https://verify.example/#token',
        accessToken: 'token'.repeat(10),
        sessionExpiresAt: new Date(session.expiresAt).toISOString(),
      },
      replayed: false,
    }),
    findRepeated: async () => undefined,
  },
  sessions: {
    find: async () => session,
    start: async () => ({ session, branding: undefined }),
    cancel: async () => ({ session: { ...session, status: 'cancelled' }, changed: true }),
    leave: async () => session,
    resumeErasure: async () => {},
    erase: async () => {},
    list: async () => ({ items: [session] }),
  },
  auditImages: { read: async () => undefined, erase: async () => false },
  lockout: { originOf: () => ({ device: '', network: '' }), checkStart: async () => {} },
  capture: {
    begin: async () => ({
      attemptId: `att_${'0'.repeat(20)}`,
      steps: 4,
      step: { index: 0, movement: 'centre' },
      nonces: ['nonce-of-the-first-frame'],
      frameIntervalMs: 200,
      maxFrameBytes: 1,
      timeoutSeconds: 40,
    }),
    take: async () => ({
      nonce: 'nonce-of-the-next-frame',
      guidance: 'ok',
      step: { index: 0, movement: 'centre' },
      progress: 0,
      done: false,
    }),
  },
  checks: { complete: async () => ({ status: 'completed', attemptsLeft: 0 }) },
  calls: { take: () => ({ waitMs: 0 }) },
  origins: ['https://verify.example'],
  originsOfAccount: async () => [],
  now: Date.now,
} as unknown as Liveness;

const event = {
  eventId: `evt_${'0'.repeat(22)}`,
  sessionId: session.id,
  eventType: 'session.started' as const,
  timestamp: new Date(0).toISOString(),
  livemode: false,
};
const key = {
  id: `key_${'0'.repeat(20)}`,
  accountId: 'acc_1',
  mode: 'test',
  hash: '',
  createdAt: 0,
} as const;
const endpoint: WebhookEndpoint = {
  id: `wh_${'0'.repeat(20)}`,
  url: 'https://shop.example/hook',
  events: ['session.started'],
  mode: 'test',
  type: 'async',
  secret: '',
  createdAt: 0,
};

/** One event, one key and one endpoint. */
const standInEvents: Services['events'] = {
  list: async () => ({ items: [event] }),
  find: async () => event,
};
const standInManagement: Services['management'] = {
  keys: {
    listKeys: async () => [key],
    createKeyFor: async () => ({ apiKey: 'presenza_test_key', keyId: key.id, record: key, isRepeat: false }),
    revokeKey: async () => key,
  },
  webhooks: {
    list: async () => [endpoint],
    create: async () => ({ endpoint, secret: 'whsec_AAAA', isRepeat: false }),
    remove: async () => {},
  },
  deliveries: { list: async () => ({ items: [] }) },
  audit: { record: async () => {} },
};

const none = { livenessDetection: 0, imageAnalysis: 0 };
const noDays = { livenessDetection: [], imageAnalysis: [] };
const noProducts = forEach(productIds, () => ({ withoutDay: 0, days: [] }));

/** A health history without records. */
const standInHealth = new HealthHistory({
  store: { add: async () => {}, read: async () => [] },
  unavailable: async () => [],
  isInService: async () => true,
  now: Date.now,
});

export class StandIn {
  private constructor(
    readonly server: Server,
    readonly metrics: Metrics,
    readonly log: readonly Record<string, unknown>[],
  ) {}

  /** Every key but none and `Bearer wrong` is good. */
  static async start(services: Partial<Services> = {}): Promise<StandIn> {
    const log: Record<string, unknown>[] = [];
    const logger = pino({ level: 'info' }, { write: (line) => log.push(JSON.parse(line)) });
    const metrics = createMetrics();
    const app = createApp({
      keys: { authenticate: async (key) => (['', 'wrong'].includes(key) ? undefined : principal) },
      inference: tierThatDetects(async () => noFaces as never),
      categories: { listCategories: async () => [] },
      metering: createMetering(openStore),
      liveness: standInLiveness,
      events: standInEvents,
      management: standInManagement,
      accounts: {
        findAccount: async (id) => ({ id, name: 'Stand-in', plan: 'business', createdAt: 1 }),
      },
      usage: { readMonth: async () => ({ used: none, reserved: none, days: noDays, products: noProducts }) },
      admission: new Admission({ maxRequests: 100, maxBodyBytes: 2 ** 28 }),
      adaptiveLimit: new AdaptiveLimit(),
      logger,
      metrics,
      health: standInHealth,
      incidents: { read: () => undefined },
      unready: async () => [],
      draining: () => false,
      checkResponses: true,
      deadlineMs: 15_000,
      now: Date.now,
      ...services,
    });
    const { errorLinks } = services;
    const server = createApiServer(app, logger, metrics, { errorLinks }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new StandIn(server, metrics, log);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  connect(): Connection {
    return new Connection(connect(this.port, '127.0.0.1'));
  }
}

export interface RawResponse {
  readonly status: number;
  readonly head: string;
  // biome-ignore lint/suspicious/noExplicitAny: responses are checked against the contract's schemas
  readonly body: any;
}

export class Connection {
  private received = '';
  readonly closed: Promise<unknown>;
  /** The error of the socket, such as a reset. */
  error: Error | undefined;

  constructor(readonly socket: Socket) {
    socket.on('data', (chunk) => {
      this.received += chunk;
    });
    socket.on('error', (error) => {
      this.error = error;
    });
    this.closed = new Promise((resolve) => socket.once('close', resolve));
  }

  send(head: string, headers: Record<string, string | number> = {}, body = ''): this {
    const lines = Object.entries({ Host: 'test', ...headers }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    this.socket.write(`${head}\r\n${lines.join('')}\r\n${body}`);
    return this;
  }

  detect(body = imageBody): this {
    return this.send('POST /detect HTTP/1.1', { ...json, 'Content-Length': body.length }, body);
  }

  /** The next whole response, interim ones included. */
  async reply(): Promise<RawResponse> {
    for (;;) {
      const end = this.received.indexOf('\r\n\r\n');
      const head = this.received.slice(0, end);
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (end >= 0 && this.received.length >= end + 4 + length) {
        const body = this.received.slice(end + 4, end + 4 + length);
        this.received = this.received.slice(end + 4 + length);
        return { status: Number(head.split(' ')[1]), head, body: body && JSON.parse(body) };
      }
      if (this.socket.closed) throw new Error(`closed after "${this.received}"`);
      await Promise.race([once(this.socket, 'data'), this.closed]);
    }
  }
}

export const json = { Authorization: 'Bearer right', 'Content-Type': 'application/json' };

export function expectEnvelope({ status, head, body }: RawResponse, code: ErrorCode, reason?: string): void {
  expect(body.error).toMatchObject({ code, ...(reason ? { reason } : {}) });
  expect(status).toBe(errors[code].status);
  expect(schemas.validate('error-response.json', body)).toBe(true);
  expect(head).toMatch(new RegExp(`^x-request-id: ${body.requestId}$`, 'im'));
}
