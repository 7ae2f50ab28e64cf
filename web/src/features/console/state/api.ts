/** The console's API in the gateway. The browser sends the cookie of the sign-in with each call. */

/** A call that failed: by the API's error, or with UNREACHABLE without a response that could be read. */
export class CallError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly requestId?: string,
  ) {
    super(message);
  }
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export class ConsoleApi {
  /** @param url of the gateway, without a slash at the end */
  constructor(readonly url: string) {}

  /** @returns the `data` of the response. @throws CallError */
  async call<T = unknown>(method: Method, path: string, body?: object): Promise<T> {
    const response = await this.fetch(method, path, body);
    const text = await response.text().catch(() => '');
    const reply = parsed(text);
    if (reply?.success) return reply.data as T;
    const { code = 'UNREACHABLE', message = '' } = reply?.error ?? {};
    throw new CallError(code, message, reply?.requestId);
  }

  /** The address of a file that the browser downloads with its cookie. */
  addressOf(path: string): string {
    return `${this.url}/console/api${path}`;
  }

  private async fetch(method: Method, path: string, body?: object): Promise<Response> {
    try {
      return await fetch(this.addressOf(path), {
        ...{ method, credentials: 'include' },
        ...(body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
      });
    } catch {
      throw new CallError('UNREACHABLE', '');
    }
  }
}

interface Reply {
  readonly success: boolean;
  readonly data?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
  readonly requestId?: string;
}

/** A proxy between browser and gateway may respond with a page. */
function parsed(text: string): Reply | undefined {
  try {
    return JSON.parse(text) as Reply;
  } catch {
    return undefined;
  }
}

/** The address of the gateway for browsers, from the site's server. @throws CallError */
export async function findApi(): Promise<ConsoleApi> {
  try {
    const { apiUrl } = (await (await fetch('/api-config.json')).json()) as { apiUrl: string };
    return new ConsoleApi(besidePage(apiUrl));
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
