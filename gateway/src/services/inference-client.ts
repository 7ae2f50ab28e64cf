/** Calls the inference tier over keep-alive HTTP, images as raw bodies. */
import { Agent, type IncomingMessage, request } from 'node:http';
import type { DetectReply, FaultReply } from '@presenza/inference/protocol';
import { AppError } from '../errors';

export interface InferenceCall {
  readonly requestId: string;
  /** Request field that held the image, for error texts. */
  readonly field: string;
}

export interface InferenceClient {
  /** @throws AppError INVALID_IMAGE, SERVICE_UNAVAILABLE, DEADLINE_EXCEEDED or INTERNAL_ERROR */
  detect(image: Buffer, call: InferenceCall): Promise<DetectReply>;
  /** Whether the tier says it is ready. */
  ready(): Promise<boolean>;
  close(): void;
}

/** An answer takes well under a second; this bounds the wait for a tier that hangs. */
const timeoutMs = 15_000;
/** Answers are small; anything larger is not one of ours. */
const maxReplyBytes = 4 * 1024 * 1024;

interface Reply {
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;
  readonly body: unknown;
}

export class HttpInferenceClient implements InferenceClient {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 256 });

  constructor(private readonly url: string) {}

  async detect(image: Buffer, call: InferenceCall): Promise<DetectReply> {
    const reply = await this.post('/detect', image, call);
    if (reply.status === 200) return reply.body as DetectReply;
    throw faultOf(reply, call);
  }

  async ready(): Promise<boolean> {
    try {
      return (await this.send('GET', '/readyz', undefined, {})).status === 200;
    } catch {
      return false;
    }
  }

  close(): void {
    this.agent.destroy();
  }

  private async post(path: string, body: Buffer, call: InferenceCall): Promise<Reply> {
    const headers = { 'content-type': 'application/octet-stream', 'x-request-id': call.requestId };
    try {
      return await this.send('POST', path, body, headers);
    } catch (error) {
      if (!(error instanceof StaleConnectionError)) throw error;
      // The tier closed an idle connection just as it was used again: nothing was processed, a new one will do.
      return this.send('POST', path, body, headers);
    }
  }

  private send(
    method: string,
    path: string,
    body: Buffer | undefined,
    headers: Record<string, string>,
  ): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const req = request(
        new URL(path, this.url),
        { method, agent: this.agent, headers, timeout: timeoutMs },
        (res) => {
          readReply(res).then(resolve, reject);
        },
      );
      req.on('timeout', () => req.destroy(new AppError('DEADLINE_EXCEEDED')));
      req.on('error', (cause: NodeJS.ErrnoException) => {
        if (cause instanceof AppError) reject(cause);
        else if (req.reusedSocket && cause.code === 'ECONNRESET') reject(new StaleConnectionError());
        else
          reject(new AppError('SERVICE_UNAVAILABLE', { reason: 'inference', cause, retryAfterSeconds: 1 }));
      });
      req.end(body);
    });
  }
}

class StaleConnectionError extends Error {}

async function readReply(res: IncomingMessage): Promise<Reply> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of res as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxReplyBytes)
      throw new AppError('INTERNAL_ERROR', { detail: 'inference reply is too large' });
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  const retryAfter = Number(res.headers['retry-after']);
  return {
    status: res.statusCode ?? 0,
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
    body: res.headers['content-type']?.startsWith('application/json') ? JSON.parse(text) : undefined,
  };
}

/** The public error for a refusal of the inference tier. */
function faultOf(reply: Reply, { field }: InferenceCall): AppError {
  const fault = (reply.body as FaultReply | undefined)?.error;
  if (!fault) return new AppError('INTERNAL_ERROR', { detail: `inference answered ${reply.status}` });
  const { code, reason, values } = fault;
  return new AppError(code, {
    ...(reason === undefined ? {} : { reason }),
    values: { ...values, field },
    detail: `inference answered ${reply.status}`,
    ...(reply.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: reply.retryAfterSeconds }),
  });
}
