/**
 * A scripted gateway over real HTTP, which checks both sides against the contract: its
 * responses and the page's requests must match the schemas of the operation.
 */
import { createHash, createPublicKey, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import errors from '@presenza/contract/errors.json';
import limits from '@presenza/contract/limits.json';
import versions from '@presenza/contract/versions.json';
import type {
  Attempt,
  FrameResult,
  Guidance,
  Movement,
  Outcome,
  Start,
  Status,
} from '../../component/src/wire';
import { validatorOf } from './contract';

export type Operation = 'start' | 'read' | 'begin' | 'frame' | 'complete' | 'cancel' | 'leave';

/** A response: `data` of a success, or a rejection with code and reason. */
type Scripted =
  | { data: Record<string, unknown> }
  | { refuse: keyof typeof errors; reason?: string; retryAfter?: number }
  /** Closes the connection without a response. */
  | { cut: true };

const SCHEMAS: Record<Operation, string> = {
  start: 'liveness-start-response',
  read: 'liveness-session-response',
  begin: 'liveness-attempt-response',
  frame: 'liveness-frame-response',
  complete: 'liveness-complete-response',
  cancel: 'liveness-cancel-response',
  leave: 'liveness-leave-response',
};
const TOKEN_END = 'CExhGMcmxxOvD2QZZr4t3DfCbpin3h2rNBUoWGp7CvS';
const FRAMES_PER_STEP = 4;
const NONCES = 3;

/** The server for the gateways of consecutive tests. */
export interface ScriptedServer {
  readonly url: string;
  /** The gateway of the current test. */
  gateway: ScriptedGateway | undefined;
  /** Number of calls so far. */
  gateways: number;
  stop(): Promise<void>;
}

export async function startScriptedServer(): Promise<ScriptedServer> {
  const http = createServer((req, res) => void scripted.gateway?.handle(req, res));
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const scripted: ScriptedServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    gateway: undefined,
    gateways: 0,
    async stop() {
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  };
  return scripted;
}

export class ScriptedGateway {
  readonly calls: Operation[] = [];
  /** Violations of the contract by either side. */
  readonly violations: string[] = [];
  /** Bodies of the accepted frames. */
  readonly frames: Buffer[] = [];
  /** Unique, because the page of the previous test may still send requests about its session. */
  readonly sessionId: string;
  readonly url: string;
  movements: Movement[] = ['centre', 'left', 'up', 'right'];
  guidance: Guidance = 'ok';
  branding: Start['branding'];
  /** Colors of a light challenge. */
  light: Attempt['light'];
  /** The header X-Frame-Light of each frame. */
  readonly lights: (string | undefined)[] = [];
  returnUrl: string | undefined;
  /** Further data of the start, such as locale and controller. */
  page: Partial<Start> = {};
  /** Body of the last attempt request. */
  begun: Record<string, unknown> = {};
  outcome: Partial<Outcome> = { status: 'completed' };
  attemptsLeft = limits.liveness.attemptsPerSession;
  /** Longer than in production, for machines under load. */
  timeoutSeconds = 600;
  /** Accepts frames without progress. */
  stuck = false;
  /** Accepts frames of this step and later ones without progress. */
  heldAt = Number.POSITIVE_INFINITY;
  /** Refuses all connections like a lost network. */
  offline = false;
  status: Status = 'created';

  private readonly next = new Map<Operation, Scripted[]>();
  private readonly waiting = new Set<() => void>();
  private attempts = 0;
  private issued = 0;
  private nonces = new Set<string>();
  private publicKey?: JsonWebKey;
  private taken = 0;

  constructor(server: ScriptedServer) {
    server.gateways++;
    server.gateway = this;
    this.url = server.url;
    this.sessionId = `ses_O8KhR1CUcwkvSelwdNUi${String(server.gateways).padStart(4, '0')}`;
  }

  get link() {
    return `${this.sessionId}-${TOKEN_END}`;
  }

  /** Overrides the next responses to an operation, in this order. */
  script(operation: Operation, ...responses: Scripted[]) {
    this.next.set(operation, responses);
  }

  count = (operation: Operation) => this.calls.filter((call) => call === operation).length;

  /** Resolves after the given number of calls of an operation. */
  async called(operation: Operation, times = 1) {
    while (this.count(operation) < times) await new Promise<void>((resolve) => this.waiting.add(resolve));
  }

  async handle(req: IncomingMessage, res: ServerResponse) {
    if (this.offline) return req.socket.destroy();
    res.setHeader('Access-Control-Allow-Origin', '*');
    res.setHeader('Access-Control-Expose-Headers', 'Retry-After, X-Request-Id');
    if (req.method === 'OPTIONS') {
      res.setHeader(
        'Access-Control-Allow-Headers',
        'Authorization, Content-Type, Presenza-Version, X-Frame-Light, X-Frame-Nonce, X-Frame-Signature',
      );
      return res.writeHead(204, { 'Access-Control-Allow-Methods': 'GET, POST' }).end();
    }
    const body = Buffer.concat(await req.toArray());
    if (!versions.some(({ date }) => date === req.headers['presenza-version']))
      this.violations.push(`no version of the API: ${req.headers['presenza-version']}`);
    const [operation, attemptId] = this.operationOf(req);
    if (!operation) return this.refuse(res, { refuse: 'NOT_FOUND', reason: 'operation' });
    const response = this.next.get(operation)?.shift() ?? this.respond(operation, { req, body, attemptId });
    this.calls.push(operation);
    if ('cut' in response) req.socket.destroy();
    else if ('refuse' in response) this.refuse(res, response);
    else this.send(res, 200, SCHEMAS[operation], { success: true, data: response.data });
    for (const resolve of this.waiting) resolve();
    this.waiting.clear();
  }

  private operationOf({ method, url }: IncomingMessage): [Operation | undefined, string | undefined] {
    const [, rest = '-'] = url?.split(`/v1/liveness/${this.sessionId}`) ?? [];
    const [, attemptId, call] = /^\/attempts\/(att_\w+)\/(frames|complete)$/.exec(rest) ?? [];
    if (call) return [call === 'frames' ? 'frame' : 'complete', attemptId];
    const operations: Record<string, Operation> = {
      'GET ': 'read',
      'POST /start': 'start',
      'POST /attempts': 'begin',
      'POST /cancel': 'cancel',
      'POST /leave': 'leave',
    };
    return [operations[`${method} ${rest}`], undefined];
  }

  private respond(
    operation: Operation,
    { req, body, attemptId }: { req: IncomingMessage; body: Buffer; attemptId: string | undefined },
  ): Scripted {
    if (req.headers.authorization !== `Bearer ${this.link}`)
      return { refuse: 'INVALID_API_KEY', reason: 'token' };
    if (attemptId && attemptId !== this.attemptId)
      return { refuse: 'SESSION_STATE_CONFLICT', reason: 'attempt' };
    switch (operation) {
      case 'start':
        this.expectBody('empty-request', body);
        if (this.status === 'created') this.status = 'started';
        return { data: this.session() };
      case 'read':
        return { data: this.record() };
      case 'begin':
        this.expectBody('liveness-attempt-request', body);
        this.begun = JSON.parse(body.toString());
        this.publicKey = this.begun.publicKey as JsonWebKey;
        return { data: this.attempt() };
      case 'frame':
        this.expectSignature(req, body);
        this.lights.push(req.headers['x-frame-light']?.toString());
        return this.frame(String(req.headers['x-frame-nonce']), body);
      case 'complete':
        this.status = this.outcome.status ?? 'completed';
        if (this.status !== 'completed') this.attemptsLeft--;
        return {
          data: {
            attemptsLeft: this.attemptsLeft,
            ...this.outcome,
            ...(this.returnUrl && { returnUrl: this.returnUrl }),
          },
        };
      case 'cancel':
        this.status = 'cancelled';
        return { data: { status: 'cancelled' } };
      case 'leave':
        this.expectBody('empty-request', body);
        return { data: { status: this.status } };
    }
  }

  private session() {
    return {
      status: this.status,
      sessionExpiresAt: new Date(Date.now() + limits.liveness.sessionLifetimeSeconds * 1000).toISOString(),
      attemptsLeft: this.attemptsLeft,
      retentionSeconds: limits.liveness.dataRetentionSeconds,
      ...(this.light && { lightChallenge: 'required' }),
      ...(this.branding && { branding: this.branding }),
      ...(this.returnUrl && { returnUrl: this.returnUrl }),
      ...this.page,
    };
  }

  private record() {
    const now = new Date().toISOString();
    return {
      sessionId: this.sessionId,
      livemode: false,
      status: this.status,
      createdAt: now,
      sessionExpiresAt: now,
      dataExpiresAt: now,
      ...(this.returnUrl && { returnUrl: this.returnUrl }),
    };
  }

  private get attemptId() {
    return `att_Rk3VtX8mQz1LwYc6Np${String(this.attempts).padStart(2, '0')}`;
  }

  private attempt() {
    this.attempts++;
    this.taken = 0;
    this.nonces = new Set();
    return {
      attemptId: this.attemptId,
      steps: 1 + this.indexOf(this.movements.length - 1),
      step: { index: 0, movement: this.movements[0] },
      nonces: Array.from({ length: NONCES }, () => this.nonce()),
      ...(this.light && { light: this.light }),
      frameIntervalMs: 60,
      maxFrameBytes: limits.liveness.frame.maxBytes,
      timeoutSeconds: this.timeoutSeconds,
    };
  }

  /** A return before a repeated turn has the index of that turn. */
  private indexOf(at: number): number {
    return at === 0 ? 0 : 1 + this.movements.slice(0, at).filter((movement) => movement !== 'centre').length;
  }

  private nonce() {
    const nonce = `nonce-${String(this.issued++).padStart(12, '0')}`;
    this.nonces.add(nonce);
    return nonce;
  }

  private frame(nonce: string, body: Buffer): Scripted {
    if (!this.nonces.delete(nonce)) return { refuse: 'SESSION_STATE_CONFLICT', reason: 'frame' };
    this.expectJpeg(body);
    this.frames.push(body);
    const held = this.stuck || this.taken >= this.heldAt * FRAMES_PER_STEP;
    if (!held && this.guidance === 'ok') this.taken++;
    const step = Math.floor(this.taken / FRAMES_PER_STEP);
    const at = Math.min(step, this.movements.length - 1);
    const data: FrameResult = {
      nonce: this.nonce(),
      guidance: this.guidance,
      step: { index: this.indexOf(at), movement: this.movements[at] as Movement },
      progress: (this.taken % FRAMES_PER_STEP) / FRAMES_PER_STEP,
      done: step >= this.movements.length,
    };
    return { data: { ...data } };
  }

  private expectSignature({ headers }: IncomingMessage, body: Buffer) {
    const [sequence, timeMs, signature = ''] = String(headers['x-frame-signature']).split('.');
    const digest = createHash('sha256').update(body).digest('hex');
    const nonce = headers['x-frame-nonce'];
    const text = ['liveness-frame-1', this.attemptId, nonce, sequence, timeMs, digest].join('\n');
    const key = createPublicKey({ key: { ...this.publicKey }, format: 'jwk' });
    const bytes = Buffer.from(signature, 'base64url');
    if (!verify('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }, bytes))
      this.violations.push(`the signature of the frame ${sequence} does not fit`);
  }

  private expectJpeg(body: Buffer) {
    const jpeg = body.subarray(0, 3).toString('hex') === 'ffd8ff';
    if (!jpeg || body.length > limits.liveness.frame.maxBytes)
      this.violations.push(`a frame of ${body.length} bytes, JPEG: ${jpeg}`);
  }

  private expectBody(schema: string, body: Buffer) {
    const validate = validatorOf(schema);
    if (!validate(JSON.parse(body.toString())))
      this.violations.push(`${schema}: ${JSON.stringify(validate.errors)}`);
  }

  private refuse(res: ServerResponse, response: Extract<Scripted, { refuse: string }>) {
    const { refuse: code, reason, retryAfter } = response;
    const entry: { status: number; message: string; reasons?: Record<string, string> } = errors[code];
    const message = reason === undefined ? entry.message : entry.reasons?.[reason];
    if (!message) this.violations.push(`${code} has no reason ${reason}`);
    if (retryAfter !== undefined) res.setHeader('Retry-After', String(retryAfter));
    this.send(res, entry.status, 'error-response', {
      success: false,
      error: { code, message, ...(reason && { reason }) },
    });
  }

  private send(res: ServerResponse, status: number, schema: string, response: Record<string, unknown>) {
    const body = { ...response, requestId: 'req_a8PnYw2GfUq6MxJv4EtKc0Ds' };
    const validate = validatorOf(schema);
    if (!validate(body)) this.violations.push(`${schema}: ${JSON.stringify(validate.errors)}`);
    res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  }
}
