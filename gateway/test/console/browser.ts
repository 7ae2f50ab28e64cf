/** A browser of one person, as the console's API sees it: a cookie jar that sends Origin with each call. */
import { outputOf } from '../../src/console/openapi';
import { consoleCalls } from '../../src/console/router';
import { schemas } from '../contract';
import type { TestGateway } from '../test-gateway';

export const consoleOrigin = 'http://127.0.0.1:8000';

/** The addresses of a call, whose path has `:name` for each parameter. */
export const addressesOf = (path: string): RegExp => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`);

const validators = new Map(
  consoleCalls.map(({ id, http: [method, path] }) => {
    const validate = schemas.compile(outputOf({ id }) ?? {});
    return [id, { method, addresses: addressesOf(path), validate }];
  }),
);

/** @throws Error if the data of a response is not as the description of the API says */
function checkOutput(method: string, path: string, data: unknown): void {
  const [pathname = ''] = path.split('?');
  for (const [id, { addresses, validate, ...call }] of validators) {
    if (call.method !== method || !addresses.test(pathname) || validate(data)) continue;
    throw new Error(`${id}: ${JSON.stringify(validate.errors)} ${JSON.stringify(data)}`);
  }
}

const signInCookie = 'presenza-console';

export class ConsoleBrowser {
  /** Pairs of name and value, by name. */
  private readonly cookies = new Map<string, string>();

  /** @param address of the client, for a gateway behind a proxy */
  constructor(
    private readonly gateway: TestGateway,
    private readonly origin = consoleOrigin,
    public address?: string,
  ) {}

  /** The header of that name. */
  userAgent = 'node';

  /** The cookie of the sign-in, as the browser sends it. */
  get cookie(): string | undefined {
    return this.cookies.get(signInCookie);
  }

  set cookie(pair: string | undefined) {
    if (pair === undefined) this.cookies.delete(signInCookie);
    else this.cookies.set(signInCookie, pair);
  }

  async call(method: string, path: string, body?: unknown) {
    const reply = await this.gateway.api({
      method,
      path: `/console/api${path}`,
      ...(body !== undefined && { body }),
      headers: {
        origin: this.origin,
        'user-agent': this.userAgent,
        ...(this.cookies.size > 0 && { cookie: [...this.cookies.values()].join('; ') }),
        ...(this.address !== undefined && { 'x-forwarded-for': this.address }),
      },
    });
    for (const set of reply.headers.getSetCookie()) {
      const [pair = ''] = set.split(';');
      const [name = '', value] = pair.split('=');
      if (value) this.cookies.set(name, pair);
      else this.cookies.delete(name);
    }
    if (reply.status === 200 && reply.body) checkOutput(method, path, reply.body.data);
    return reply;
  }

  /** The data of a call that succeeds. */
  async data(method: string, path: string, body?: unknown) {
    const reply = await this.call(method, path, body);
    if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`);
    return reply.body.data;
  }

  /** The status and code of a call that fails. */
  async refused(method: string, path: string, body?: unknown): Promise<string> {
    const { status, body: reply } = await this.call(method, path, body);
    return `${status} ${reply?.error?.code}`;
  }
}
