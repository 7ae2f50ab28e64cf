/**
 * OpenTelemetry traces, sent to a collector by OTLP over HTTP. Loaded only if a collector is configured. The SDK reads
 * from OTEL_TRACES_SAMPLER which requests to trace. Spans are made when a request has ended, from its recorded times.
 */
import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { FinishedRequest } from './http/trace-requests';
import type { Work } from './http/work';

export interface TracingOptions {
  /** Address of the collector, without the path of a signal. */
  readonly endpoint: string;
  readonly serviceName: string;
  /** Called at most once a minute if spans could not be sent. */
  readonly warn: (error: Error) => void;
}

export interface Tracing {
  request(request: FinishedRequest): void;
  /** Sends the remaining spans, within two seconds. */
  shutdown(): Promise<void>;
}

const timeoutMillis = 2_000;
const warnEveryMs = 60_000;

export function startTracing(options: TracingOptions): Tracing {
  const provider = exportTo(options);
  const tracer = provider.getTracer('presenza-inference');
  return {
    request: (request) => spanRequest(tracer, request),
    shutdown: () => flush(provider),
  };
}

function spanRequest(tracer: Tracer, request: FinishedRequest): void {
  const { traceparent, operation, status, begin, end, work } = request;
  const attributes = {
    'http.request.method': 'POST',
    'http.route': `/${operation}`,
    'http.response.status_code': status,
  };
  const past = new Past(tracer);
  const options = { kind: SpanKind.SERVER, failed: status >= 500, attributes };
  const inside = past.span(contextOf(traceparent), `POST /${operation}`, [begin, end], options);
  for (const item of work) spanWork(past, inside, item);
}

/** An item's wait for a worker, its decoding, and the time of each model. */
function spanWork(past: Past, request: Context, work: Work): void {
  const { operation, submitted, begun, decodeMs, serviceMs } = work;
  const models = Object.entries(work.models).map(([role, { ms }]) => [`presenza.model.${role}_ms`, ms]);
  const attributes = {
    'presenza.operation': operation,
    ...Object.fromEntries(models),
  };
  const end = begun + serviceMs;
  past.span(request, 'queue', [submitted, Math.max(submitted, begun)]);
  const worker = past.span(request, 'work', [begun, end], { attributes });
  past.span(worker, 'decode', [begun, begun + decodeMs]);
  past.span(worker, 'models', [begun + decodeMs, end]);
}

interface PastOptions {
  readonly kind?: SpanKind;
  readonly attributes?: Attributes;
  readonly failed?: boolean;
}

/** Creates spans after the fact, all with one offset between the clocks, so that they keep their order. */
class Past {
  private readonly epochMs = Date.now() - performance.now();

  constructor(private readonly tracer: Tracer) {}

  /**
   * @param times begin and end, in milliseconds of `performance.now()`
   * @returns the context for its child spans
   */
  span(context: Context, name: string, times: readonly [number, number], options: PastOptions = {}): Context {
    const { kind = SpanKind.INTERNAL, attributes = {}, failed = false } = options;
    const [startTime, endTime] = times.map((time) => this.epochMs + time) as [number, number];
    const span = this.tracer.startSpan(name, { kind, attributes, startTime }, context);
    if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(endTime);
    return trace.setSpan(context, span);
  }
}

/** Spans wait in a bounded queue and are sent in batches; a full queue drops spans, and no request ever waits. */
function exportTo({ endpoint, serviceName, warn }: TracingOptions): BasicTracerProvider {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces`, timeoutMillis });
  return new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName }),
    spanProcessors: [new BatchSpanProcessor(warning(exporter, warn), { exportTimeoutMillis: timeoutMillis })],
  });
}

/** An exporter that reports its failures, at most one a minute. */
function warning(exporter: SpanExporter, warn: (error: Error) => void): SpanExporter {
  let warnedAt = Number.NEGATIVE_INFINITY;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.error && performance.now() - warnedAt >= warnEveryMs) {
          warnedAt = performance.now();
          warn(result.error);
        }
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}

/** Sends the remaining spans, within the time limit. */
async function flush(provider: BasicTracerProvider): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMillis);
  });
  await Promise.race([provider.shutdown().catch(() => {}), timeout]);
  clearTimeout(timer);
}

function contextOf(traceparent: string | undefined): Context {
  const parent = parseTraceParent(traceparent ?? '');
  return parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : ROOT_CONTEXT;
}
