/** The articles: their reading time, and code that works with the contract. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import errors from '@presenza/contract/errors.json';
import events from '@presenza/contract/events.json';
import limits from '@presenza/contract/limits.json';
import openapi from '@presenza/contract/openapi.json';
import { codeBlocksOf, codeWith } from '../../gateway/test/code-blocks';
import { runScript } from '../../gateway/test/script';
import { type LanguageName, syntaxErrors } from '../../gateway/test/syntax';
import { outcomes } from '../../gateway/test/webhooks/outcomes';

/** Adults read about 200 to 230 words of plain text a minute. Code counts as text. */
const WORDS_A_MINUTE = 210;
const CATEGORIES = ['Integration', 'Best Practices', 'Tutorial', 'API'];
const ARTICLES = [
  { slug: 'flutterflow-integration', minutes: 8 },
  { slug: 'usage-and-limits-best-practice', minutes: 5 },
];

const fileOf = (slug: string) => join(__dirname, `../content/blog/${slug}.mdx`);
const parts = (slug: string) => {
  const [, frontmatter = '', body = ''] =
    /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(readFileSync(fileOf(slug), 'utf8')) ?? [];
  return { frontmatter, body };
};
const blocks = (slug: string) => codeBlocksOf(fileOf(slug));
const blockWith = (slug: string, text: string) => codeWith(fileOf(slug), text);

describe.each(ARTICLES)('$slug', ({ slug, minutes }) => {
  const { frontmatter, body } = parts(slug);

  test('states the right reading time', () => {
    const wordCount = body.split(/\s+/).filter((word) => /\w/.test(word)).length;
    expect(Math.round(wordCount / WORDS_A_MINUTE)).toBe(minutes);
    expect(frontmatter).toContain(`readingTime: ${minutes}\n`);
  });

  test('has a known category', () => {
    expect(CATEGORIES).toContain(/^category: (.+)$/m.exec(frontmatter)?.[1]);
  });

  test.each(
    blocks(slug)
      .filter(({ language }) => ['bash', 'dart', 'javascript'].includes(language))
      // Firestore rules are highlighted as JavaScript, which they resemble.
      .filter(({ code }) => !code.startsWith('match '))
      .map(({ language, code }) => [code.split('\n')[0] as string, language as LanguageName, code]),
  )('%s: its code is of its language', async (_line, language, code) => {
    expect(await syntaxErrors(language, code)).toEqual([]);
  });

  test('uses only existing paths and header fields', () => {
    const paths = [...body.matchAll(/`(?:GET |POST )?(\/[a-z]+)`/g)].map(([, path]) => path);
    expect(Object.keys(openapi.paths)).toEqual(expect.arrayContaining(paths));
  });
});

describe('the webhook function of the FlutterFlow guide', () => {
  const code = blockWith('flutterflow-integration', 'function isGenuine');
  const secret = `whsec_${Buffer.from('0123456789abcdef01234567').toString('base64')}`;

  /** @param firestore with the one document that the function may change */
  const load = async (firestore?: object) => {
    const modules = {
      'firebase-admin/firestore': { getFirestore: () => firestore },
      'firebase-functions/params': { defineSecret: () => ({ value: () => secret }) },
      'firebase-functions/v2/https': { onRequest: (_options: object, handler: unknown) => handler },
    };
    return runScript(code, { modules, also: ['isGenuine'] });
  };

  const signed = (body: string, { secondsAgo = 0, sent = body } = {}) => {
    const time = String(Math.floor(Date.now() / 1000) - secondsAgo);
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const hmac = createHmac('sha256', key).update(`msg_1.${time}.${body}`).digest('base64');
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': time,
      'webhook-signature': `v1,AAAA v1,${hmac}`,
    };
    return { headers, rawBody: Buffer.from(sent) };
  };

  test('accepts only signed events', async () => {
    const { isGenuine } = await load();
    expect(isGenuine(signed('{"a":1}'))).toBe(true);
    expect(isGenuine(signed('{"a":1}', { sent: '{"a":2}' }))).toBe(false);
    expect(isGenuine({ headers: {}, rawBody: Buffer.from('{}') })).toBe(false);
  });

  test('rejects events older than the contract’s tolerance', async () => {
    const { isGenuine } = await load();
    const { timestampToleranceSeconds: tolerance } = limits.webhooks;
    expect(isGenuine(signed('{}', { secondsAgo: tolerance - 30 }))).toBe(true);
    expect(isGenuine(signed('{}', { secondsAgo: tolerance + 30 }))).toBe(false);
  });

  /** @returns the status of the response */
  async function receive(request: { headers: object; rawBody: Buffer }, document: Record<string, unknown>) {
    const transaction = {
      get: async () => ({ exists: true, get: (name: string) => document[name] }),
      update: (_check: unknown, change: object) => Object.assign(document, change),
    };
    const firestore = {
      doc: (path: string) => path,
      runTransaction: (run: (current: typeof transaction) => Promise<void>) => run(transaction),
    };
    let sent = 200;
    const response = {
      status(code: number) {
        sent = code;
        return response;
      },
      json() {},
    };
    const { livenessEvents } = await load(firestore);
    await livenessEvents(request, response);
    return sent;
  }

  test.each(outcomes)('$name', async ({ event, withReference, isVerified }) => {
    const check = { userId: 'user-4711', status: 'created', withReference, isVerified: false };
    expect(await receive(signed(JSON.stringify(event)), check)).toBe(200);
    expect(check).toMatchObject({ status: event.eventType.replace('session.', ''), isVerified });
    // Events after a final status change nothing.
    const live = JSON.stringify(outcomes[0]?.event);
    if (check.status !== 'started') await receive(signed(live), check);
    expect(check.isVerified).toBe(isVerified);
  });

  test('ignores events that it cannot verify', async () => {
    const check = { userId: 'user-4711', status: 'created', withReference: false, isVerified: false };
    const live = JSON.stringify(outcomes[0]?.event);
    expect(await receive(signed('{}', { sent: live }), check)).toBe(401);
    expect(check).toMatchObject({ status: 'created', isVerified: false });
  });

  test('recognizes final statuses', () => {
    const final = events.map(({ finalStatus }) => finalStatus).filter(Boolean);
    const [, list = ''] = /const FINAL = \[(.*)\]/.exec(code) ?? [];
    expect(list.match(/\w+/g)?.sort()).toEqual([...final].sort());
  });
});

describe('the client of the usage article', () => {
  const code = blockWith('usage-and-limits-best-practice', 'async function call');

  test('retries the retryable errors of the catalog', () => {
    const [, list = ''] = /new Set\(\[([\s\S]*?)\]\)/.exec(code) ?? [];
    const retryable = Object.entries(errors).flatMap(([name, { retryable }]) => (retryable ? [name] : []));
    expect(list.match(/\w+/g)?.sort()).toEqual([...retryable, 'NO_RESPONSE'].sort());
  });

  /** Runs the client against a sequence of responses. @returns its result, the idempotency keys and the waits */
  async function run(responses: { status: number; retryAfter?: number; body: object }[]) {
    const keys: unknown[] = [];
    const server = createServer((request, response) => {
      keys.push(request.headers['idempotency-key']);
      const { status, retryAfter, body } = responses[keys.length - 1] ?? { status: 500, body: {} };
      response.writeHead(status, retryAfter ? { 'Retry-After': retryAfter } : {}).end(JSON.stringify(body));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const waits: number[] = [];
    const soon = (then: () => void, ms: number) => {
      waits.push(ms);
      setImmediate(then);
    };
    const API_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const names = { API_URL, API_KEY: 'key', setTimeout: soon };
    const { call } = await runScript(code, { names, also: ['call'] });
    try {
      const outcome = await call('/detect', { image: '' }).catch((error: Error) => error.message);
      return { outcome, keys, waits };
    } finally {
      server.close();
      server.closeAllConnections();
    }
  }

  const failure = (code: string) => ({
    success: false,
    error: { code, message: 'Text' },
    requestId: 'req_1',
  });
  const success = { status: 200, body: { success: true, data: { hasFace: true } } };

  test('honors Retry-After and sends the same idempotency key', async () => {
    const busy = { status: 429, retryAfter: 3, body: failure('RATE_LIMIT_EXCEEDED') };
    const { outcome, keys, waits } = await run([busy, success]);
    expect(outcome).toEqual({ hasFace: true });
    expect(waits).toEqual([3000]);
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
  });

  test('backs off exponentially without Retry-After, with at most five retries', async () => {
    const { outcome, keys, waits } = await run(
      Array(9).fill({ status: 500, body: failure('INTERNAL_ERROR') }),
    );
    expect(outcome).toBe('INTERNAL_ERROR: Text (req_1)');
    expect(keys).toHaveLength(5);
    waits.forEach((ms, index) => {
      expect(ms).toBeLessThanOrEqual(1000 * 2 ** index);
    });
  });

  test('does not retry when the quota is exceeded', async () => {
    const { keys } = await run([{ status: 429, retryAfter: 9, body: failure('QUOTA_EXCEEDED') }]);
    expect(keys).toHaveLength(1);
  });

  test('waits for the completion of its own first request', async () => {
    const running = { status: 409, retryAfter: 1, body: failure('IDEMPOTENCY_CONFLICT') };
    expect((await run([running, success])).outcome).toEqual({ hasFace: true });
  });
});
