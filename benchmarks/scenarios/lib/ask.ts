/**
 * One question to the API and what became of it, through the typed client without retries: a retry would hide what a
 * load script is there to see.
 */
import http from 'k6/http';
// k6 resolves no package names.
import { createClient, type PresenzaClient, PresenzaError } from '../../../gateway/contract/client/index.ts';
import { k6Transport } from '../../../gateway/contract/client/k6-transport.ts';
import { begin, type Outcome, record } from './record.ts';

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
 * @param answering the client's promise of an answer
 * @param isRight whether the answer says what is in the picture
 * @param tags more of them, such as the plan
 */
export async function ask<T>(
  operation: string,
  answering: Promise<T>,
  isRight: (answer: T) => boolean,
  tags: Readonly<Record<string, string>> = {},
): Promise<Asked<T>> {
  begin(operation);
  try {
    const answer = await answering;
    return { outcome: record({ operation, tookMs, right: isRight(answer), tags }), code: '', answer, last };
  } catch (error) {
    if (!(error instanceof PresenzaError)) {
      record({ operation, tookMs, code: 'EXCEPTION', tags });
      throw error;
    }
    const { code, retryAfterSeconds } = error;
    const refusal = {
      operation,
      tookMs,
      code,
      tags,
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    };
    return { outcome: record(refusal), code, last };
  }
}
