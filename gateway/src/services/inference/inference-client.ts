/** Client of the inference tier: sends images as raw bodies and receives JSON. */
import type {
  BuiltInCategory,
  Challenge,
  CompareReply,
  DetectReply,
  FaultCode,
  FaultReply,
  FramesReply,
  Light,
  ModerateReply,
  PrototypeReply,
  WireHeaders,
} from '@presenza/inference/wire';
import type { CancellationSignal } from '../../async/cancellation';
import { runningTimeout } from '../../async/running-timeout';
import { ApiError, ClientGone } from '../../errors';
import type { KeyMode } from '../keys/api-key';
import type { DependencyCall, DependencyObserver } from '../timing/dependency';
import type { Stages } from '../timing/stages';
import { InferenceTransport, type Reply } from './inference-transport';
import { incompatibility, wireVersion } from './wire-version';

/** How long a caller waits. The signal aborts with the error to respond with as its reason. */
export interface Deadline {
  readonly signal: CancellationSignal;
  leftMs(): number;
}

export interface InferenceCall {
  readonly requestId: string;
  /** The account that is served. Absent for the operator's own work. */
  readonly accountId?: string | undefined;
  /** Mode of the API key. With a test key, test images get their documented response without analysis. */
  readonly mode?: KeyMode | undefined;
  /** Request field that held the image, for error texts. */
  readonly field: string;
  readonly deadline: Deadline;
  /** Receives the timings. */
  readonly stages?: Stages | undefined;
  /** `interactive`, the default, when a person waits for this response; `batch` for bulk work. */
  readonly priority?: WireHeaders['x-priority'] | undefined;
}

/** The categories to look for in an image. */
export interface ModerationRequest {
  readonly builtIn: readonly BuiltInCategory[];
  /** Prototypes of custom categories, base64. */
  readonly prototypes: readonly string[];
}

/** The tier cannot make a prototype of these images. */
export class ExamplesRefused extends Error {
  override readonly name = 'ExamplesRefused';

  constructor(
    /** The error of the tier; `values.image` is the position of the invalid image. */
    readonly fault: FaultReply['error'],
  ) {
    super(`examples refused: ${fault.reason ?? fault.code}`);
  }
}

/** A prototype belongs to another model than the current one. */
export class StalePrototypes extends Error {
  override readonly name = 'StalePrototypes';
}

export interface DetectCall extends InferenceCall {
  /** The attributes of each face: `all`, or names of the contract, each once. Default: none. */
  readonly attributes?: 'all' | readonly string[] | undefined;
  /** Whether it is a frame of a capture, which has lower limits. Default: no. */
  readonly isFrame?: boolean | undefined;
}

/** The fields of the two images are fixed. */
export type CompareCall = Omit<InferenceCall, 'field'>;

/** A set of frames and what to measure it with. */
export interface FramesRequest {
  /** 2 to 64 frames in chronological order, at most 32 MiB in total, in addition to a reference of up to 5 MiB. */
  readonly frames: readonly TimedFrame[];
  /** Times in whole milliseconds. */
  readonly challenges: readonly Challenge[];
  /** The colors, in a session with a light challenge. */
  readonly light?: Light | undefined;
  /** An encoded image of the person whom the frames should show. */
  readonly reference?: Buffer | undefined;
}

export interface TimedFrame {
  /** Encoded. */
  readonly image: Buffer;
  /** Whole milliseconds, 0 to 600000, in ascending order. */
  readonly timeMs: number;
}

export interface InferenceClient {
  /** @throws ApiError INVALID_IMAGE, SERVICE_UNAVAILABLE, DEADLINE_EXCEEDED or INTERNAL_ERROR, or the signal's reason */
  detect(image: Buffer, call: DetectCall): Promise<DetectReply>;
  /** @throws ApiError as `detect` does, or NO_FACE_DETECTED */
  compare(source: Buffer, target: Buffer, call: CompareCall): Promise<CompareReply>;
  /** @throws ApiError as `detect` does; StalePrototypes */
  moderate(image: Buffer, wanted: ModerationRequest, call: InferenceCall): Promise<ModerateReply>;
  /** A frame that cannot be decoded is part of the reply. @throws ApiError as `detect` does */
  frames(wanted: FramesRequest, call: InferenceCall): Promise<FramesReply>;
  /** Whether the tier is ready and speaks a version of the wire that this gateway speaks. */
  ready(): Promise<boolean>;
  close(): void;
}

const readinessTimeoutMs = 1_000;

export class HttpInferenceClient implements InferenceClient {
  private readonly transport: InferenceTransport;

  constructor(
    url: string,
    private readonly observe: DependencyObserver = () => {},
    /**
     * Called by `ready` whenever the tier responds: with a sentence for the log if it speaks another major version of the
     * wire, else with undefined.
     */
    private readonly onVersionCheck: (problem: string | undefined) => void = () => {},
  ) {
    this.transport = new InferenceTransport(url);
  }

  async detect(image: Buffer, call: DetectCall): Promise<DetectReply> {
    const { attributes, isFrame = false } = call;
    const headers: Partial<WireHeaders> = {
      ...(attributes && { 'x-attributes': attributes === 'all' ? attributes : attributes.join(',') }),
      ...(isFrame && { 'x-limits': 'frame' }),
    };
    const reply = await this.post('/detect', [image], call, headers);
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
    { builtIn, prototypes }: ModerationRequest,
    call: InferenceCall,
  ): Promise<ModerateReply> {
    const bytes = prototypes.map((prototype) => Buffer.from(prototype, 'base64'));
    const parts = bytes.length > 0 ? [image, Buffer.concat(bytes)] : [image];
    const reply = await this.post(`/moderate?categories=${builtIn.join()}`, parts, call);
    if (reply.status === 200) return reply.body as ModerateReply;
    const { error } = (reply.body ?? {}) as Partial<FaultReply>;
    throw error?.reason === 'prototypes' ? new StalePrototypes() : faultOf(reply, call.field);
  }

  async frames(wanted: FramesRequest, call: InferenceCall): Promise<FramesReply> {
    const { frames, challenges, light, reference } = wanted;
    const images = frames.map(({ image }) => image);
    const headers: Partial<WireHeaders> = {
      'x-frame-times': frames.map(({ timeMs }) => timeMs).join(),
      ...(challenges.length > 0 && {
        'x-challenges': challenges.map(({ kind, fromMs, toMs }) => `${kind}@${fromMs}-${toMs}`).join(),
      }),
      ...(light && {
        'x-light-colors': light.colors.map((color) => Buffer.from(color).toString('hex')).join(),
        'x-frame-lights': light.shown.map(({ index, sinceMs }) => `${index}+${sinceMs}`).join(),
      }),
    };
    const reply = await this.post('/frames', reference ? [...images, reference] : images, call, headers);
    if (reply.status === 200) return reply.body as FramesReply;
    throw faultOf(reply, call.field);
  }

  /** @throws ExamplesRefused, or ApiError as `detect` does */
  async prototype(images: readonly Buffer[], call: InferenceCall): Promise<PrototypeReply> {
    const reply = await this.post('/prototype', images, call);
    if (reply.status === 200) return reply.body as PrototypeReply;
    const { error } = (reply.body ?? {}) as Partial<FaultReply>;
    throw reply.status === 422 && error ? new ExamplesRefused(error) : faultOf(reply, call.field);
  }

  async ready(): Promise<boolean> {
    const signal = runningTimeout(readinessTimeoutMs);
    const headers = { 'x-wire-version': wireVersion };
    try {
      const probe = { method: 'GET', path: '/readyz', headers, signal, reconnect: false } as const;
      const reply = await this.transport.exchange(probe);
      const problem = incompatibility('inference tier', reply.wireVersion);
      this.onVersionCheck(problem);
      return problem === undefined && reply.status === 200;
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
    { requestId, accountId, deadline, stages, priority }: CompareCall,
    others: Partial<WireHeaders> = {},
  ): Promise<Reply> {
    const stage = stages?.begin('infer');
    const wire: WireHeaders = {
      'x-wire-version': wireVersion,
      'x-request-id': requestId,
      'x-deadline-ms': String(Math.max(1, Math.floor(deadline.leftMs()))),
      ...(parts.length > 1 && { 'x-part-lengths': parts.map(({ length }) => length).join() }),
      ...(stage?.traceparent && { traceparent: stage.traceparent }),
      ...(priority && { 'x-priority': priority }),
      ...(accountId && { 'x-account': accountId }),
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
      checkVersion(reply);
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

/** @throws ApiError SERVICE_UNAVAILABLE for a reply in another major version of the wire, with the reason for the log */
function checkVersion({ wireVersion: version }: Reply): void {
  const problem = incompatibility('inference tier', version);
  if (problem === undefined) return;
  const cause = new Error(problem);
  throw new ApiError('SERVICE_UNAVAILABLE', { reason: 'inference', cause, retryAfterSeconds: 1 });
}

function outcomeOf(status: number): DependencyCall['outcome'] {
  if (status === 200) return 'ok';
  if (status === 503) return 'unavailable';
  if (status === 504) return 'expired';
  return status < 500 ? 'refused' : 'error';
}

function outcomeOfError(error: unknown): DependencyCall['outcome'] {
  if (error instanceof ClientGone) return 'abandoned';
  if (!(error instanceof ApiError)) return 'error';
  return error.code === 'INTERNAL_ERROR' ? 'error' : outcomeOf(error.status);
}

/** Adds the tier's own timings to the round trip. */
function addTimings(stages: Stages, { body }: Reply): void {
  const { timings } = (body ?? {}) as Partial<DetectReply>;
  if (timings?.queueMs !== undefined) stages.add('queue', timings.queueMs);
  if (timings?.decodeMs !== undefined) stages.add('decode', timings.decodeMs);
  if (timings?.modelMs !== undefined) stages.add('model', timings.modelMs);
}

/** The codes that the tier may send. Any other is a defect, not a code of the public API. */
const faultCodes: readonly unknown[] = [
  'INVALID_IMAGE',
  'NO_FACE_DETECTED',
  'SERVICE_UNAVAILABLE',
  'DEADLINE_EXCEEDED',
  'INTERNAL_ERROR',
] satisfies FaultCode[];

/** Names of the two images of a comparison in the public API. */
export const partFields = { source: 'sourceImage', target: 'targetImage' } as const;

/**
 * The public error for a refusal of the inference tier.
 * @param fields the request field that held the image, or each image's where there are two.
 */
function faultOf(reply: Reply, fields: string | typeof partFields): ApiError {
  const fault = (reply.body as Partial<FaultReply> | null | undefined)?.error;
  const detail = `the inference tier responded with ${reply.status} ${fault?.reason ?? ''}`.trimEnd();
  if (!fault || !faultCodes.includes(fault.code)) return new ApiError('INTERNAL_ERROR', { detail });
  const { code, reason, values, part } = fault;
  if (code === 'SERVICE_UNAVAILABLE') {
    const retryAfterSeconds = reply.retryAfterSeconds ?? 1;
    return new ApiError(code, { reason: reason ?? 'overload', detail, retryAfterSeconds });
  }
  const field = typeof fields === 'string' ? fields : part && fields[part];
  return new ApiError(code, {
    ...(reason && { reason }),
    values: { ...values, ...(field && { field }) },
    work: reply.work,
    detail,
  });
}
