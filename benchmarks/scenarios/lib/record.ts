/** What became of a question, as the driver reads it (benchmarks/load/k6-run.mjs). */
import { check } from 'k6';
import { Counter, Trend } from 'k6/metrics';

/**
 * ok: right; wrong: 200 with another result; refused: the service said "not now", at once; failed: no answer, an error,
 * or an answer only at the deadline, which is nobody's idea of being told to come back.
 */
export type Outcome = 'ok' | 'wrong' | 'refused' | 'failed';

/** Codes of answers that ask to come back later, as the catalogue has them. */
const REFUSALS = ['RATE_LIMIT_EXCEEDED', 'QUOTA_EXCEEDED', 'SERVICE_UNAVAILABLE'];

/**
 * Milliseconds from wanting the connection to the last byte of the answer, tagged `operation`, `outcome` and, where it
 * is not ok, `code`. k6 stamps the sample with the moment of the answer.
 */
const answerMs = new Trend('answer_ms', true);
const rightAnswers = new Counter('right_answers');
/** Begun questions. k6 says nothing of an iteration that it cuts off: what was asked and not recorded got no answer. */
const questions = new Counter('questions');
const retryAfter = new Trend('retry_after_seconds');

export interface Answered {
  readonly operation: string;
  readonly tookMs: number;
  /** Of an answer that has a result: whether that is the right one. */
  readonly right?: boolean;
  /** Of one that has none. */
  readonly code?: string;
  readonly retryAfterSeconds?: number;
  readonly tags?: Readonly<Record<string, string>>;
}

/** To be called before a question is sent, for each that `record` will be told of. */
export function begin(operation: string): void {
  questions.add(1, { operation });
}

/** Every answer is checked for being right. Refusals and failures are counted apart. */
export function record({ operation, tookMs, right, code = '', retryAfterSeconds, tags }: Answered): Outcome {
  if (right !== undefined) {
    const outcome = right ? 'ok' : 'wrong';
    check(outcome, { 'answer is right': (seen) => seen === 'ok' });
    rightAnswers.add(right ? 1 : 0);
    answerMs.add(tookMs, { ...tags, operation, outcome });
    return outcome;
  }
  const outcome = REFUSALS.includes(code) ? 'refused' : 'failed';
  // A refusal is neither right nor wrong; a failure is always wrong.
  if (outcome === 'failed') check(code, { 'answer is right': () => false });
  answerMs.add(tookMs, { ...tags, operation, outcome, code });
  if (retryAfterSeconds !== undefined) retryAfter.add(retryAfterSeconds, { ...tags, operation, code });
  return outcome;
}
