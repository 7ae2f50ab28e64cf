/** Calls the inference tier over keep-alive HTTP, images as raw bodies. */
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import type {
  BuiltInCategory,
  CompareReply,
  DetectReply,
  FaultCode,
  FaultReply,
  ModerateReply,
  PrototypeReply,
  WireHeaders,
} from '@presenza/inference/protocol';
import { AppError } from '../errors';

/** How long a caller waits. The signal aborts with the error to answer as its reason. */
export interface Deadline {
  readonly signal: AbortSignal;
  leftMs(): number;
}

export interface InferenceCall {
  readonly requestId: string;
  /** Request field that held the image, for error texts. */
  readonly field: string;
  readonly deadline: Deadline;
}

/** What a picture is checked for. */
export interface ModerationWanted {
  readonly builtIn: readonly BuiltInCategory[];
  /** Prototypes of custom categories, base64. */
  readonly prototypes: readonly string[];
}

/** The tier cannot make a prototype of these images. */
export class ExamplesRefused extends Error {
  override readonly name = 'ExamplesRefused';

  constructor(
    /** As the tier worded it; `values.image` is the place of an image that is at fault. */
    readonly fault: FaultReply['error'],
  ) {
    super(`examples refused: ${fault.reason ?? fault.code}`);
  }
}

export interface DetectCall extends InferenceCall {
  /** For each face: the word all, or names of the contract, each once. Default: none. */
  readonly attributes?: 'all' | readonly string[] | undefined;
}

export interface InferenceClient {
  /** @throws AppError INVALID_IMAGE, SERVICE_UNAVAILABLE, DEADLINE_EXCEEDED or INTERNAL_ERROR, or the signal's reason */
  detect(image: Buffer, call: DetectCall): Promise<DetectReply>;
  /** @throws AppError as `detect` does, or NO_FACE_DETECTED */
  compare(source: Buffer, target: Buffer, call: Omit<InferenceCall, 'field'>): Promise<CompareReply>;
  /** @throws AppError as `detect` does */
  moderate(image: Buffer, wanted: ModerationWanted, call: InferenceCall): Promise<ModerateReply>;
  /** Whether the tier says it is ready. */
  ready(): Promise<boolean>;
  close(): void;
}

const readinessTimeoutMs = 1_000;
/** Answers are small; anything larger is not one of ours. */
const maxReplyBytes = 4 * 1024 * 1024;

interface Message {
  readonly method: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: Buffer;
  readonly signal: AbortSignal;
}

interface Reply {
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;
  readonly body: unknown;
}

export class HttpInferenceClient implements InferenceClient {
  /** Without a bound on its sockets: what may be in flight is the admission's to say, and the tier sheds the rest. */
  private readonly agent = new Agent({ keepAlive: true });

  constructor(private readonly url: string) {}

  async detect(image: Buffer, call: DetectCall): Promise<DetectReply> {
    const { attributes } = call;
    const wanted: Partial<WireHeaders> = attributes
      ? { 'x-attributes': attributes === 'all' ? attributes : attributes.join(',') }
      : {};
    const reply = await this.post('/detect', [image], call, wanted);
    if (reply.status === 200) return reply.body as DetectReply;
    throw faultOf(reply, call);
  }

  async compare(source: Buffer, target: Buffer, call: Omit<InferenceCall, 'field'>): Promise<CompareReply> {
    const reply = await this.post('/compare', [source, target], { ...call, field: '' });
    if (reply.status === 200) return reply.body as CompareReply;
    const part = (reply.body as Partial<FaultReply> | null | undefined)?.error?.part;
    throw faultOf(reply, { ...call, field: `${part}Image` });
  }

  async moderate(
    image: Buffer,
    { builtIn, prototypes }: ModerationWanted,
    call: InferenceCall,
  ): Promise<ModerateReply> {
    const bytes = prototypes.map((prototype) => Buffer.from(prototype, 'base64'));
    const parts = bytes.length > 0 ? [image, Buffer.concat(bytes)] : [image];
    const reply = await this.post(`/moderate?categories=${builtIn.join()}`, parts, call);
    if (reply.status === 200) return reply.body as ModerateReply;
    throw faultOf(reply, call);
  }

  /** @throws ExamplesRefused, or AppError as `detect` does */
  async prototype(images: readonly Buffer[], call: InferenceCall): Promise<PrototypeReply> {
    const reply = await this.post('/prototype', images, call);
    if (reply.status === 200) return reply.body as PrototypeReply;
    const { error } = (reply.body ?? {}) as Partial<FaultReply>;
    throw reply.status === 422 && error ? new ExamplesRefused(error) : faultOf(reply, call);
  }

  async ready(): Promise<boolean> {
    const signal = AbortSignal.timeout(readinessTimeoutMs);
    try {
      return (await this.exchange({ method: 'GET', path: '/readyz', signal })).status === 200;
    } catch {
      return false;
    }
  }

  close(): void {
    this.agent.destroy();
  }

  private post(
    path: string,
    parts: readonly Buffer[],
    { requestId, deadline }: InferenceCall,
    others: Partial<WireHeaders> = {},
  ): Promise<Reply> {
    const wire: WireHeaders = {
      'x-request-id': requestId,
      'x-deadline-ms': String(Math.max(1, Math.floor(deadline.leftMs()))),
      ...(parts.length > 1 && { 'x-part-lengths': parts.map(({ length }) => length).join() }),
      ...others,
    };
    const headers = { 'content-type': 'application/octet-stream', ...wire };
    const [first] = parts;
    const body = first && parts.length === 1 ? first : Buffer.concat(parts);
    return this.exchange({ method: 'POST', path, headers, body, signal: deadline.signal });
  }

  private async exchange(message: Message): Promise<Reply> {
    try {
      return await this.send(message, this.agent).catch((error) => {
        // A kept connection may be gone by the time it is used again. The request may have been worked on, which is
        // harmless: analyses are pure, a second one changes nothing and answers the same.
        if (error instanceof StaleConnection) return this.send(message, false);
        throw error;
      });
    } catch (cause) {
      if (message.signal.aborted) throw message.signal.reason;
      if (cause instanceof AppError) throw cause;
      throw new AppError('SERVICE_UNAVAILABLE', { reason: 'inference', cause, retryAfterSeconds: 1 });
    }
  }

  private async send(message: Message, agent: Agent | false): Promise<Reply> {
    const { method, path, headers = {}, body, signal } = message;
    const req = request(new URL(path, this.url), { method, headers, signal, agent });
    // Once there is an answer, its end tells whether it arrived whole; an error of the request adds nothing.
    req.on('error', () => {});
    req.end(body);
    const [res] = (await once(req, 'response').catch((cause) => {
      throw req.reusedSocket ? new StaleConnection('connection lost', { cause }) : cause;
    })) as [IncomingMessage];
    return readReply(res);
  }
}

class StaleConnection extends Error {}

async function readReply(res: IncomingMessage): Promise<Reply> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of res as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxReplyBytes)
      throw new AppError('INTERNAL_ERROR', { detail: 'inference reply is too large' });
    chunks.push(chunk);
  }
  const retryAfter = Number(res.headers['retry-after']);
  return {
    status: res.statusCode ?? 0,
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
    body: res.headers['content-type']?.startsWith('application/json')
      ? parse(Buffer.concat(chunks).toString('utf8'))
      : undefined,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError('INTERNAL_ERROR', { detail: 'inference reply is not JSON', cause });
  }
}

/** What the tier may say. Anything else it sends is a defect, not a code of the public API. */
const faultCodes: readonly unknown[] = [
  'INVALID_IMAGE',
  'NO_FACE_DETECTED',
  'SERVICE_UNAVAILABLE',
  'DEADLINE_EXCEEDED',
  'INTERNAL_ERROR',
] satisfies FaultCode[];

/** The public error for a refusal of the inference tier. */
function faultOf(reply: Reply, { field }: InferenceCall): AppError {
  const fault = (reply.body as Partial<FaultReply> | null | undefined)?.error;
  const detail = `inference answered ${reply.status} ${fault?.reason ?? ''}`.trimEnd();
  if (!fault || !faultCodes.includes(fault.code)) return new AppError('INTERNAL_ERROR', { detail });
  const { code, reason, values } = fault;
  if (code === 'SERVICE_UNAVAILABLE') {
    const retryAfterSeconds = reply.retryAfterSeconds ?? 1;
    return new AppError(code, { reason: reason ?? 'overload', detail, retryAfterSeconds });
  }
  return new AppError(code, { ...(reason && { reason }), values: { ...values, field }, detail });
}
