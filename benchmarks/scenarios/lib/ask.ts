/**
 * One question to the API and what became of it, through the typed client without retries: a retry would hide what a
 * load script is there to see. Every answer is checked for being right. Refusals and failures are counted apart.
 */
import { check } from 'k6';
import http from 'k6/http';
import { Counter, Trend } from 'k6/metrics';
// k6 resolves no package names.
import { createClient, type PresenzaClient, PresenzaError } from '../../../gateway/contract/client/index.ts';
import { k6Transport } from '../../../gateway/contract/client/k6-transport.ts';

/** ok: right; wrong: 200 with another result; refused: the service said "not now"; failed: no answer, or an error. */
export type Outcome = 'ok' | 'wrong' | 'refused' | 'failed';

/** Codes of answers that ask to come back later, as the catalogue has them. */
const REFUSALS = ['RATE_LIMIT_EXCEEDED', 'QUOTA_EXCEEDED', 'SERVICE_UNAVAILABLE', 'DEADLINE_EXCEEDED'];

/**
 * Milliseconds from wanting the connection to the last byte of the answer, tagged `operation`, `outcome` and, where it
 * is not ok, `code`. k6 stamps the sample with the moment of the answer.
 */
const answerMs = new Trend('answer_ms', true);
const rightAnswers = new Counter('right_answers');
const retryAfterSeconds = new Trend('retry_after_seconds');

export interface Last {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

let tookMs = 0;
let last: Last = { status: 0, headers: {} };

/** k6's module, watched: the client gives results, and a load script also wants times and headers. */
const watched = {
  async asyncRequest(method: string, url: string, body: string | null, params: object) {
    const response = await http.asyncRequest(method, url, body, params);
    tookMs = response.timings.blocked + response.timings.duration;
    last = { status: response.status, headers: response.headers };
    return response;
  },
};

export function clientOf(gatewayUrl: string, apiKey: string): PresenzaClient {
  return createClient({ baseUrl: gatewayUrl, apiKey, transport: k6Transport(watched), retries: 0 });
}

export interface Asked<T> {
  readonly outcome: Outcome;
  readonly code: string;
  readonly answer?: T;
  readonly last: Last;
}

/**
 * @param operation tag of what is measured
 * @param right whether the answer says what is in the picture
 * @param tags more of them, such as the plan
 */
export async function ask<T>(
  operation: string,
  answering: Promise<T>,
  right: (answer: T) => boolean,
  tags: Readonly<Record<string, string>> = {},
): Promise<Asked<T>> {
  try {
    const answer = await answering;
    const outcome = right(answer) ? 'ok' : 'wrong';
    check(outcome, { 'answer is right': (seen) => seen === 'ok' });
    rightAnswers.add(outcome === 'ok' ? 1 : 0);
    answerMs.add(tookMs, { ...tags, operation, outcome });
    return { outcome, code: '', answer, last };
  } catch (error) {
    if (!(error instanceof PresenzaError)) throw error;
    const { code, retryAfterSeconds: seconds } = error;
    const outcome = REFUSALS.includes(code) ? 'refused' : 'failed';
    // A refusal is neither right nor wrong; a failure is always wrong.
    if (outcome === 'failed') check(code, { 'answer is right': () => false });
    answerMs.add(tookMs, { ...tags, operation, outcome, code });
    if (seconds !== undefined) retryAfterSeconds.add(seconds, { ...tags, operation, code });
    return { outcome, code, last };
  }
}
