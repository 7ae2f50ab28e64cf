/**
 * Sends traces to a collector with OpenTelemetry (OTLP over HTTP). The gateway loads this module only if a collector is
 * configured. The SDK reads from OTEL_TRACES_SAMPLER which requests to trace.
 */
import {
  type Context,
  type Tracer as OtelTracer,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import { waitAtMost } from '../async/wait-at-most';
import type { FinishedRequest, RequestTrace, Stage, Tracer } from '../services/timing/stages';

export interface TracingOptions {
  /** Address of the collector, without the path of a signal. */
  readonly endpoint: string;
  readonly serviceName: string;
  /** Called at most once a minute, if spans could not be sent. */
  readonly warn: (error: Error) => void;
}

export interface Tracing extends Tracer {
  /** Sends the remaining spans, within two seconds. */
  shutdown(): Promise<void>;
}

const timeoutMillis = 2_000;
const warnEveryMs = 60_000;
/** Spans below a request's own: a batch has one for each call to the inference tier. */
const maxChildren = 64;

export function startTracing(options: TracingOptions): Tracing {
  const provider = exportTo(options);
  const tracer = provider.getTracer('presenza-gateway');
  return {
    request: (traceparent) => new RequestSpan(tracer, contextOf(traceparent)),
    shutdown: () =>
      waitAtMost(
        timeoutMillis,
        provider.shutdown().catch(() => {}),
      ),
  };
}

class RequestSpan implements RequestTrace {
  private readonly span: Span;
  private readonly context: Context;
  private children = 0;

  constructor(
    private readonly tracer: OtelTracer,
    parent: Context,
  ) {
    this.span = tracer.startSpan('request', { kind: SpanKind.SERVER }, parent);
    this.context = trace.setSpan(ROOT_CONTEXT, this.span);
  }

  get traceId(): string {
    return this.span.spanContext().traceId;
  }

  begin(name: string): Stage {
    if (++this.children > maxChildren) return { traceparent: traceparentOf(this.span), end: () => {} };
    const kind = name === 'infer' ? SpanKind.CLIENT : SpanKind.INTERNAL;
    const child = this.tracer.startSpan(name, { kind }, this.context);
    return { traceparent: traceparentOf(child), end: () => child.end() };
  }

  /** Attributes follow the semantic conventions for HTTP servers, without those that identify the caller. */
  end({ method, route, status, plan, code }: FinishedRequest): void {
    this.span.updateName(route === undefined ? method : `${method} ${route}`);
    this.span.setAttributes({
      'http.request.method': method,
      'http.response.status_code': status,
      'presenza.plan': plan,
      ...(route !== undefined && { 'http.route': route }),
      ...(code !== undefined && { 'error.type': code }),
    });
    if (status >= 500) this.span.setStatus({ code: SpanStatusCode.ERROR });
    this.span.end();
  }
}

function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

/** Spans wait in a bounded queue and are sent in batches. A full queue drops spans; requests never wait for it. */
function exportTo({ endpoint, serviceName, warn }: TracingOptions): BasicTracerProvider {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces`, timeoutMillis });
  return new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName }),
    spanProcessors: [
      new BatchSpanProcessor(withWarnings(exporter, warn), { exportTimeoutMillis: timeoutMillis }),
    ],
  });
}

/** An exporter that reports its failures, at most one a minute. */
function withWarnings(exporter: SpanExporter, warn: (error: Error) => void): SpanExporter {
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

/** A malformed header is ignored. */
function contextOf(traceparent: string | undefined): Context {
  const parent = parseTraceParent(traceparent ?? '');
  if (!parent) return ROOT_CONTEXT;
  const { traceId, spanId } = parent;
  const traceFlags = parent.traceFlags & TraceFlags.SAMPLED;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}
