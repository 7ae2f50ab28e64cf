/** A browser of one person, as the console's API sees it: a cookie jar that sends Origin with each call. */
import { outputOf } from '../../src/console/openapi';
import { consoleCalls } from '../../src/console/router';
import { schemas } from '../contract';
import type { TestGateway } from '../test-gateway';

export const consoleOrigin = 'http://127.0.0.1:8000';

const validators = new Map(
  consoleCalls.map(({ words, http: [method, path] }) => {
    const form = new RegExp(`^${path.replace(/:\\w+/g, '[^/]+')}$`);
    return [words, { method, form, validate: schemas.compile(outputOf({ words }) ?? {}) }];
  }),
);

/** @throws Error if the data of a response is not as the description of the API says */
function checkOutput(method: string, path: string, data: unknown): void {
  const [pathname = ''] = path.split('?');
  for (const [words, { form, validate, ...one }] of validators) {
    if (one.method !== method || !form.test(pathname) || validate(data)) continue;
    throw new Error(`${words}: ${JSON.stringify(validate.errors)} ${JSON.stringify(data)}`);
  }
}

export class ConsoleBrowser {
  cookie: string | undefined;

  constructor(
    private readonly gateway: TestGateway,
    private readonly origin = consoleOrigin,
  ) {}

  async call(method: string, path: string, body?: unknown) {
    const reply = await this.gateway.api({
      ...{ method, path: `/console/api${path}`, ...(body !== undefined && { body }) },
      headers: { origin: this.origin, ...(this.cookie !== undefined && { cookie: this.cookie }) },
    });
    for (const set of reply.headers.getSetCookie()) {
      const [pair = ''] = set.split(';');
      this.cookie = pair.endsWith('=') ? undefined : pair;
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
    return `${status} ${reply.error?.code}`;
  }
}
