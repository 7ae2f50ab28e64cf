/** HTTP transport with k6's http module, which is an argument because only k6 can import it. */
import type { Transport } from './transport.ts';

/** k6's error code of a request that took longer than its timeout. */
const REQUEST_TIMEOUT = 1050;

interface K6Response {
  readonly status: number;
  readonly error: string;
  readonly error_code: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** The used part of `k6/http`. */
export interface K6Http<Params> {
  asyncRequest(method: string, url: string, body: string | null, params: Params): Promise<K6Response>;
}

/**
 * Adds `params`, for example `tags`, to every request. Ignores AbortSignals, which k6 does not have. The body arrives
 * in one piece.
 */
export function k6Transport<Params extends object>(http: K6Http<Params>, params?: Params): Transport {
  return async ({ method, url, headers, body, timeoutMs }) => {
    const requestParams = { headers, timeout: timeoutMs, redirects: 0, responseType: 'text' };
    const response = await http.asyncRequest(method, url, body ?? null, {
      ...params,
      ...requestParams,
    } as Params & typeof requestParams);
    if (response.status === 0) {
      const error = new Error(response.error);
      if (response.error_code === REQUEST_TIMEOUT) error.name = 'TimeoutError';
      throw error;
    }
    const named = Object.entries(response.headers).map(([name, value]) => [name.toLowerCase(), value]);
    const lowerCase: Record<string, string> = Object.fromEntries(named);
    let rest = typeof response.body === 'string' ? response.body : undefined;
    return {
      status: response.status,
      header: (name) => lowerCase[name],
      read: async () => {
        const piece = rest;
        rest = undefined;
        return piece;
      },
      cancel: async () => {},
    };
  };
}
