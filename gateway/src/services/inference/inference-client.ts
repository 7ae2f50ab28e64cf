/** What the gateway asks of the inference tier: images go as raw bodies, answers come as JSON. */
import type {
  BuiltInCategory,
  CompareReply,
  DetectReply,
  FaultCode,
  FaultReply,
  FramesReply,
  ModerateReply,
  PrototypeReply,
  WireHeaders,
} from '@presenza/inference/wire';
import { AppError, ClientGone } from '../../errors';
import type { CancellationSignal } from '../cancellation';
import type { DependencyCall, DependencyObserver } from '../dependency';
import type { Stages } from '../stages';
import { InferenceTransport, type Reply } from './inference-transport';

/** How long a caller waits. The signal aborts with the error to answer as its reason. */
export interface Deadline {
  readonly signal: CancellationSignal;
  leftMs(): number;
}

export interface InferenceCall {
  readonly requestId: string;
  /** Request field that held the image, for error texts. */
  readonly field: string;
  readonly deadline: Deadline;
  /** Told where the time went. */
  readonly stages?: Stages | undefined;
  /** Whether somebody waits for this one answer, which is the default, or for many. */
  readonly priority?: WireHeaders['x-priority'] | undefined;
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

/** Some prototype was made by another model than the one that moderates now. */
export class StalePrototypes extends Error {
  override readonly name = 'StalePrototypes';
}

export interface DetectCall extends InferenceCall {
  /** For each face: the word all, or names of the contract, each once. Default: none. */
  readonly attributes?: 'all' | readonly string[] | undefined;
}

/** The fields of two images are known. */
export type CompareCall = Omit<InferenceCall, 'field'>;

/** What a set of frames is measured with. */
export interface FramesWanted {
  /** 2 to 64, 32 MiB together at most beside a reference of 5 MiB, in the order in which they were taken. */
  readonly frames: readonly TimedFrame[];
  readonly challenges: readonly Challenge[];
  /** An encoded image of the person whom the frames should show. */
  readonly reference?: Buffer | undefined;
}

export interface TimedFrame {
  /** Encoded. */
  readonly image: Buffer;
  /** Whole milliseconds, 0 to 600000, never falling. */
  readonly timeMs: number;
}

/** A turn of the head that was asked for, on the clock of the frames in whole milliseconds. */
export interface Challenge {
  readonly kind: 'left' | 'right' | 'up' | 'down';
  readonly fromMs: number;
  /** Later than `fromMs`. */
  readonly toMs: number;
}

export interface InferenceClient {
  /** @throws AppError INVALID_IMAGE, SERVICE_UNAVAILABLE, DEADLINE_EXCEEDED or INTERNAL_ERROR, or the signal's reason */
  detect(image: Buffer, call: DetectCall): Promise<DetectReply>;
  /** @throws AppError as `detect` does, or NO_FACE_DETECTED */
  compare(source: Buffer, target: Buffer, call: CompareCall): Promise<CompareReply>;
  /** @throws AppError as `detect` does; StalePrototypes */
  moderate(image: Buffer, wanted: ModerationWanted, call: InferenceCall): Promise<ModerateReply>;
  /** Frames that are no pictures are told inside the reply. @throws AppError as `detect` does */
  frames(wanted: FramesWanted, call: InferenceCall): Promise<FramesReply>;
  /** Whether the tier says it is ready. */
  ready(): Promise<boolean>;
  close(): void;
}

const readinessTimeoutMs = 1_000;

export class HttpInferenceClient implements InferenceClient {
  private readonly transport: InferenceTransport;

  constructor(
    url: string,
    private readonly observe: DependencyObserver = () => {},
  ) {
    this.transport = new InferenceTransport(url);
  }

  async detect(image: Buffer, call: DetectCall): Promise<DetectReply> {
    const { attributes } = call;
    const wanted: Partial<WireHeaders> = attributes
      ? { 'x-attributes': attributes === 'all' ? attributes : attributes.join(',') }
      : {};
    const reply = await this.post('/detect', [image], call, wanted);
    if (reply.status === 200) return reply.body as DetectReply;
    throw faultOf(reply, call.field);
  }

  async compare(source: Buffer, target: Buffer, call: CompareCall): Promise<CompareReply> {
    const reply = await this.post('/compare', [source, target], call);
    if (reply.status === 200) return reply.body as CompareReply;
    throw faultOf(reply, partFields);
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
    const { error } = (reply.body ?? {}) as Partial<FaultReply>;
    throw error?.reason === 'prototypes' ? new StalePrototypes() : faultOf(reply, call.field);
  }

  async frames({ frames, challenges, reference }: FramesWanted, call: InferenceCall): Promise<FramesReply> {
    const images = frames.map(({ image }) => image);
    const headers: Partial<WireHeaders> = {
      'x-frame-times': frames.map(({ timeMs }) => timeMs).join(),
      ...(challenges.length > 0 && {
        'x-challenges': challenges.map(({ kind, fromMs, toMs }) => `${kind}@${fromMs}-${toMs}`).join(),
      }),
    };
    const reply = await this.post('/frames', reference ? [...images, reference] : images, call, headers);
    if (reply.status === 200) return reply.body as FramesReply;
    throw faultOf(reply, call.field);
  }

  /** @throws ExamplesRefused, or AppError as `detect` does */
  async prototype(images: readonly Buffer[], call: InferenceCall): Promise<PrototypeReply> {
    const reply = await this.post('/prototype', images, call);
    if (reply.status === 200) return reply.body as PrototypeReply;
    const { error } = (reply.body ?? {}) as Partial<FaultReply>;
    throw reply.status === 422 && error ? new ExamplesRefused(error) : faultOf(reply, call.field);
  }

  async ready(): Promise<boolean> {
    const signal = AbortSignal.timeout(readinessTimeoutMs);
    try {
      return (
        (await this.transport.exchange({ method: 'GET', path: '/readyz', signal, reconnect: false }))
          .status === 200
      );
    } catch {
      return false;
    }
  }

  close(): void {
    this.transport.close();
  }

  private async post(
    path: string,
    parts: readonly Buffer[],
    { requestId, deadline, stages, priority }: CompareCall,
    others: Partial<WireHeaders> = {},
  ): Promise<Reply> {
    const stage = stages?.begin('infer');
    const wire: WireHeaders = {
      'x-request-id': requestId,
      'x-deadline-ms': String(Math.max(1, Math.floor(deadline.leftMs()))),
      ...(parts.length > 1 && { 'x-part-lengths': parts.map(({ length }) => length).join() }),
      ...(stage?.traceparent && { traceparent: stage.traceparent }),
      ...(priority && { 'x-priority': priority }),
      ...others,
    };
    const headers = { 'content-type': 'application/octet-stream', ...wire };
    const [first] = parts;
    const body = first && parts.length === 1 ? first : Buffer.concat(parts);
    const begin = performance.now();
    let outcome: DependencyCall['outcome'] = 'error';
    try {
      const reply = await this.transport.exchange({
        method: 'POST',
        path,
        headers,
        body,
        signal: deadline.signal,
      });
      outcome = outcomeOf(reply.status);
      if (stages) addTimings(stages, reply);
      return reply;
    } catch (error) {
      outcome = outcomeOfError(error);
      throw error;
    } finally {
      stage?.end();
      const [operation] = path.slice(1).split('?') as [string];
      this.observe({ dependency: 'inference', operation, outcome, ms: performance.now() - begin });
    }
  }
}

function outcomeOf(status: number): DependencyCall['outcome'] {
  if (status === 200) return 'ok';
  if (status === 503) return 'unavailable';
  if (status === 504) return 'expired';
  return status < 500 ? 'refused' : 'error';
}

function outcomeOfError(error: unknown): DependencyCall['outcome'] {
  if (error instanceof ClientGone) return 'abandoned';
  if (!(error instanceof AppError)) return 'error';
  return error.code === 'INTERNAL_ERROR' ? 'error' : outcomeOf(error.status);
}

/** What the tier says of its own time, beside the round trip. */
function addTimings(stages: Stages, { body }: Reply): void {
  const { timings } = (body ?? {}) as Partial<DetectReply>;
  if (timings?.queueMs !== undefined) stages.add('queue', timings.queueMs);
  if (timings?.decodeMs !== undefined) stages.add('decode', timings.decodeMs);
  if (timings?.modelMs !== undefined) stages.add('model', timings.modelMs);
}

/** What the tier may say. Anything else it sends is a defect, not a code of the public API. */
const faultCodes: readonly unknown[] = [
  'INVALID_IMAGE',
  'NO_FACE_DETECTED',
  'SERVICE_UNAVAILABLE',
  'DEADLINE_EXCEEDED',
  'INTERNAL_ERROR',
] satisfies FaultCode[];

/** How the public API calls the images of a comparison. */
const partFields = { source: 'sourceImage', target: 'targetImage' } as const;

/**
 * The public error for a refusal of the inference tier.
 * @param fields the request field that held the image, or each image's where there are two.
 */
function faultOf(reply: Reply, fields: string | typeof partFields): AppError {
  const fault = (reply.body as Partial<FaultReply> | null | undefined)?.error;
  const detail = `inference answered ${reply.status} ${fault?.reason ?? ''}`.trimEnd();
  if (!fault || !faultCodes.includes(fault.code)) return new AppError('INTERNAL_ERROR', { detail });
  const { code, reason, values, part } = fault;
  if (code === 'SERVICE_UNAVAILABLE') {
    const retryAfterSeconds = reply.retryAfterSeconds ?? 1;
    return new AppError(code, { reason: reason ?? 'overload', detail, retryAfterSeconds });
  }
  const field = typeof fields === 'string' ? fields : part && fields[part];
  return new AppError(code, {
    ...(reason && { reason }),
    values: { ...values, ...(field && { field }) },
    detail,
  });
}
