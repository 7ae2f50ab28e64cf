/** Records the outcome of a request in the form that the driver reads (load/k6.mjs). */
import { check } from 'k6';
import { Counter, Trend } from 'k6/metrics';

/**
 * ok: the right result; wrong: 200 with another result; refused: the service asks to retry later; failed: no response, an
 * error, or a response that came only at the deadline.
 */
type Outcome = 'ok' | 'wrong' | 'refused' | 'failed';

/** Codes of responses that ask to retry later. */
const REFUSALS = ['RATE_LIMIT_EXCEEDED', 'QUOTA_EXCEEDED', 'SERVICE_UNAVAILABLE'];

/**
 * Milliseconds from asking for a connection to the last byte of the response, tagged `operation`, `outcome` and, unless it
 * is ok, `code`. k6 stamps the sample with the moment of the response.
 */
const responseMs = new Trend('response_ms', true);
/** Counts started requests. k6 does not report an iteration that it cuts off: such a request is started and has no record. */
const started = new Counter('started');
const retryAfter = new Trend('retry_after_seconds');

export interface Seen {
  readonly operation: string;
  readonly tookMs: number;
  /** Whether the result is the right one, if the response has one. */
  readonly right?: boolean;
  /** The error code of a response without a result. */
  readonly code?: string;
  readonly retryAfterSeconds?: number;
  readonly tags?: Readonly<Record<string, string>>;
}

/** Call it before each request that `record` will report. */
export function begin(operation: string): void {
  started.add(1, { operation });
}

export function record({ operation, tookMs, right, code = '', retryAfterSeconds, tags }: Seen): void {
  const outcome = outcomeOf(right, code);
  if (outcome !== 'refused') check(outcome, { 'the response is right': (seen) => seen === 'ok' });
  responseMs.add(tookMs, { ...tags, operation, outcome, ...(code && { code }) });
  if (retryAfterSeconds !== undefined) retryAfter.add(retryAfterSeconds, { ...tags, operation, code });
}

function outcomeOf(right: boolean | undefined, code: string): Outcome {
  if (right !== undefined) return right ? 'ok' : 'wrong';
  return REFUSALS.includes(code) ? 'refused' : 'failed';
}

/** The tags that the driver reads. Others would only lengthen k6's output. */
export const systemTags: ('scenario' | 'check')[] = ['scenario', 'check'];
