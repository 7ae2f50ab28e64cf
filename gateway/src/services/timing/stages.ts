/** Measures the stages of a request, for the Server-Timing header, the log and the trace. */
import type { RequestErrorCode } from '../../errors';

/** A stage in progress. */
export interface Stage {
  /** W3C Trace Context for the tier that does the work; undefined without tracing. */
  readonly traceparent?: string | undefined;
  end(): void;
}

/** Measures the stages of services. Names are few and fixed, and valid HTTP tokens. */
export interface Stages {
  /** Begins a stage of this process. Stages with the same name add up, even if they overlap. */
  begin(name: string): Stage;
  /** @param ms duration that another process reports */
  add(name: string, ms: number): void;
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
  private readonly taken = new Map<string, number>();
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

  begin(name: string): Stage {
    const beginMs = this.now();
    const span = this.trace?.begin(name);
    const end = () => {
      span?.end();
      this.add(name, this.now() - beginMs);
    };
    return { traceparent: span?.traceparent, end };
  }

  /** Measures the time until a promise settles as a stage. */
  async time<T>(name: string, work: Promise<T>): Promise<T> {
    const { end } = this.begin(name);
    try {
      return await work;
    } finally {
      end();
    }
  }

  add(name: string, ms: number): void {
    this.taken.set(name, (this.taken.get(name) ?? 0) + ms);
  }

  /** Milliseconds by stage, to the microsecond. */
  entries(): Record<string, number> {
    const all: Record<string, number> = {};
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
