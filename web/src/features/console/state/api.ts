/** The console's API in the gateway. The browser sends the cookie of the sign-in with each call. */
import type { Failure, paths } from '@presenza/contract/console/types.d.ts';
import createClient, {
  type Client,
  createFinalURL,
  createQuerySerializer,
  defaultPathSerializer,
} from 'openapi-fetch';

/** A call that failed: by the API's error, or with UNREACHABLE without a response that could be read. */
export class CallError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly requestId?: string,
    /** When the limit that refused the call allows it again, ISO 8601. */
    readonly resetsAt?: string,
  ) {
    super(message);
  }
}

export type ConsoleApi = Client<paths, 'application/json'>;

/** @param url of the gateway, without a slash at the end */
export const createApi = (url: string): ConsoleApi =>
  createClient({ baseUrl: baseOf(url), credentials: 'include' });

const baseOf = (url: string) => `${url}/console/api`;

/** The part of openapi-fetch's result that has the body. */
export interface Reply<T> {
  readonly data?: { readonly data: T };
  readonly error?: unknown;
}

/** The `data` of the response to a call. @throws CallError */
export async function dataOf<T>(call: Promise<Reply<T>>): Promise<T> {
  const reply = await call.catch((): Reply<T> => ({}));
  if (reply.data) return reply.data.data;
  // A proxy between browser and gateway may respond with a page.
  const { error, requestId } = (reply.error ?? {}) as Partial<Failure>;
  throw new CallError(error?.code ?? 'UNREACHABLE', error?.message ?? '', requestId, error?.resetsAt);
}

type LedgerParameters = paths['/accounts/{account}/ledger']['get']['parameters'];

/** The address of a ledger, which the browser downloads with its cookie. */
export const ledgerAddress = (
  apiUrl: string,
  params: Required<Pick<LedgerParameters, 'path' | 'query'>>,
): string =>
  createFinalURL('/accounts/{account}/ledger' satisfies keyof paths, {
    baseUrl: baseOf(apiUrl),
    params,
    querySerializer: createQuerySerializer(),
    pathSerializer: defaultPathSerializer,
  });

/** The address of the gateway for browsers, from the site's server. @throws CallError */
export async function findApiUrl(): Promise<string> {
  try {
    const { apiUrl } = (await (await fetch('/api-config.json')).json()) as { apiUrl: string };
    return besidePage(apiUrl);
  } catch {
    throw new CallError('UNREACHABLE', '');
  }
}

const isHere = (host: string) => host === 'localhost' || host === '127.0.0.1';

/** On one machine, by the name that the page has: browsers send the cookie of `localhost` to no other name. */
function besidePage(apiUrl: string): string {
  const url = new URL(apiUrl);
  const { hostname } = window.location;
  if (!isHere(url.hostname) || !isHere(hostname)) return apiUrl;
  url.hostname = hostname;
  return url.href.replace(/\/$/, '');
}
