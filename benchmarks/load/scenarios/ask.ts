/** One request through the typed client, without retries, which would hide what a load script measures. */
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

/** The client returns results; a load script needs times and headers too, so it watches k6's module. */
const watched = {
  async asyncRequest(method: string, url: string, body: string | null, params: object) {
    const response = await http.asyncRequest(method, url, body, params);
    tookMs = response.timings.blocked + response.timings.duration;
    last = { status: response.status, headers: response.headers };
    return response;
  },
};

export const clientOf = (url: string, apiKey: string): PresenzaClient =>
  createClient({ baseUrl: url, apiKey, transport: k6Transport(watched), retries: 0 });

export interface Result {
  readonly outcome: Outcome;
  readonly last: Last;
}

/**
 * Waits for a result of the client and records it. An error of the service becomes a recorded outcome.
 * @param isRight whether the result is the right one for the request
 */
export async function ask<T>(
  operation: string,
  pending: Promise<T>,
  isRight: (result: T) => boolean,
  tags: Readonly<Record<string, string>> = {},
): Promise<Result> {
  begin(operation);
  try {
    const result = await pending;
    return { outcome: record({ operation, tookMs, right: isRight(result), tags }), last };
  } catch (error) {
    if (!(error instanceof PresenzaError)) {
      record({ operation, tookMs, code: 'EXCEPTION', tags });
      throw error;
    }
    const { code, retryAfterSeconds } = error;
    const refusal = { operation, tookMs, code, tags };
    return {
      outcome: record({ ...refusal, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) }),
      last,
    };
  }
}
