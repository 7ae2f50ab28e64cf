/** Measures the stages of a request, for the Server-Timing header, the log and the trace. */
import type { RequestErrorCode } from '../../errors';

/**
 * The stages of a request: who calls, reading the body, admission and settlement, and the inference tier, which reports how
 * long the image waited, was decoded and analyzed. The log of requests stores durations in this order, so new names come last.
 */
export const stageNames = ['auth', 'read', 'meter', 'infer', 'queue', 'decode', 'model'] as const;
export type StageName = (typeof stageNames)[number];
/** Milliseconds by stage. */
export type StageTimes = Readonly<Partial<Record<StageName, number>>>;

/** A stage in progress. */
export interface Stage {
  /** W3C Trace Context for the tier that does the work; undefined without tracing. */
  readonly traceparent?: string | undefined;
  end(): void;
}

/** Measures the stages of services. */
export interface Stages {
  /** Begins a stage of this process. Stages with the same name add up, even if they overlap. */
  begin(name: StageName): Stage;
  /** @param ms duration that another process reports */
  add(name: StageName, ms: number): void;
}

/** The trace of one request. */
export interface RequestTrace {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  begin(name: string): Stage;
  end(request: FinishedRequest): void;
}

/** The facts about a finished request that a trace may contain: of its caller, only the plan. */
export interface FinishedRequest {
  readonly method: string;
  /** Template of the path; undefined if no route matches. */
  readonly route: string | undefined;
  /** 499 if the client disconnected before the response. */
  readonly status: number;
  readonly plan: string;
  readonly code: RequestErrorCode | undefined;
}

export interface Tracer {
  /** @param traceparent the caller's header, unchecked */
  request(traceparent: string | undefined): RequestTrace;
}

export class Stopwatch implements Stages {
  /** Milliseconds by stage. */
  private readonly taken = new Map<StageName, number>();
  private readonly beginMs: number;

  constructor(
    readonly trace?: RequestTrace | undefined,
    private readonly now: () => number = performance.now.bind(performance),
  ) {
    this.beginMs = now();
  }

  /** Milliseconds since the request began. */
  get totalMs(): number {
    return this.now() - this.beginMs;
  }

  begin(name: StageName): Stage {
    const beginMs = this.now();
    const span = this.trace?.begin(name);
    const end = () => {
      span?.end();
      this.add(name, this.now() - beginMs);
    };
    return { traceparent: span?.traceparent, end };
  }

  /** Measures the time until a promise settles as a stage. */
  async time<T>(name: StageName, work: Promise<T>): Promise<T> {
    const { end } = this.begin(name);
    try {
      return await work;
    } finally {
      end();
    }
  }

  add(name: StageName, ms: number): void {
    this.taken.set(name, (this.taken.get(name) ?? 0) + ms);
  }

  /** Milliseconds by stage, to the microsecond. */
  entries(): StageTimes {
    const all: Partial<Record<StageName, number>> = {};
    for (const [name, ms] of this.taken) all[name] = toMicrosecond(ms);
    return all;
  }

  /** The header's value: `auth;dur=0.412, infer;dur=18.402, total;dur=24.9` */
  serverTiming(): string {
    let text = '';
    for (const [name, ms] of this.taken) text += `${name};dur=${toMicrosecond(ms)}, `;
    return `${text}total;dur=${toMicrosecond(this.totalMs)}`;
  }
}

const toMicrosecond = (ms: number) => Math.round(ms * 1e3) / 1e3;
