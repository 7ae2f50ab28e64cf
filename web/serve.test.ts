import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { version } from '@presenza/contract/package.json';
import { type RunningSite, runSite, startSite } from '../gateway/harness/index.mjs';
import { contents, tags } from './test/html';

const PUBLIC = join(__dirname, 'public');
const HASHED_SCRIPT = readdirSync(PUBLIC).find((name) => /^app-[0-9a-f]+\.js$/.test(name));

describe('a running site', () => {
  let site: RunningSite;
  beforeAll(async () => {
    site = await startSite();
  });
  afterAll(() => site.stop());

  const get = (path: string, init?: RequestInit) => fetch(site.url + path, init);

  test('responds to an unknown address with the 404 page and status', async () => {
    const response = await get('/no/such/page');
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await response.text()).toBe(readFileSync(join(PUBLIC, '404.html'), 'utf8'));
  });

  test('lets browsers cache files with a hash in their name, and revalidate others', async () => {
    const cacheOf = async (path: string) => (await get(path)).headers.get('cache-control');
    expect(await cacheOf(`/${HASHED_SCRIPT}`)).toBe('public, max-age=31536000, immutable');
    const [image] = readdirSync(join(PUBLIC, 'demos'));
    expect(await cacheOf(`/demos/${image}`)).toBe('public, max-age=31536000, immutable');
    expect(await cacheOf('/')).toBe('no-cache');
    expect(await cacheOf('/page-data/index/page-data.json')).toBe('no-cache');
    expect(await cacheOf('/favicon.svg')).toBe('no-cache');
    expect(await cacheOf('/no/such/page')).toBe('no-cache');
  });

  test.each([
    ['/robots.txt', 'text/plain; charset=utf-8'],
    ['/llms.txt', 'text/plain; charset=utf-8'],
    ['/docs/get-started.md', 'text/markdown; charset=utf-8'],
    ['/sitemap-index.xml', 'application/xml'],
    ['/rss.xml', 'application/rss+xml; charset=utf-8'],
    ['/openapi.json', 'application/json; charset=utf-8'],
    ['/downloads/face-check-web.tgz', 'application/gzip'],
    ['/downloads/face-check-web.zip', 'application/zip'],
    [`/downloads/presenza-${version}-py3-none-any.whl`, 'application/zip'],
    ['/downloads/go/presenza.example/presenza/@v/list', 'text/plain; charset=utf-8'],
    [`/downloads/go/presenza.example/presenza/@v/v${version}.info`, 'application/json'],
  ])('says what %s is, and lets programs keep it for a while', async (path, type) => {
    const { status, headers } = await get(path);
    expect([status, headers.get('content-type')]).toEqual([200, type]);
    expect(headers.get('cache-control')).toBe('public, max-age=300');
  });

  test.each(['br', 'gzip'])('sends the %s copy to clients that accept it', async (encoding) => {
    const response = await get('/', { headers: { 'accept-encoding': encoding } });
    expect(response.headers.get('content-encoding')).toBe(encoding);
    expect(response.headers.get('vary')).toBe('Accept-Encoding');
    expect(await response.text()).toBe(readFileSync(join(PUBLIC, 'index.html'), 'utf8'));
  });

  // The address of the API can change without the page, and then the policy of the cached page has to change as well.
  test('responds with 304 to a matching ETag, and repeats the policy', async () => {
    const ask = async (headers: Record<string, string>) => {
      // fetch adds a Cache-Control of its own to If-None-Match.
      const [response] = await once(request(site.url, { headers }).end(), 'response');
      return (response as IncomingMessage).resume();
    };
    const encoding = { 'accept-encoding': 'br' };
    const { headers } = await ask(encoding);
    if (!headers.etag) throw new Error('The page has no ETag.');
    const response = await ask({ ...encoding, 'if-none-match': headers.etag });
    expect(response.statusCode).toBe(304);
    expect(response.headers['content-security-policy']).toBe(headers['content-security-policy']);
    expect(response.headers['content-encoding']).toBeUndefined();
  });

  test.each(['bytes=10-5', 'bytes=0-9'])('sends the whole page to the range %s', async (range) => {
    const response = await get('/', { headers: { Range: range } });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(readFileSync(join(PUBLIC, 'index.html'), 'utf8'));
  });

  test('responds with 404 to an invalid percent-encoding', async () => {
    expect((await get('/%E0%A4%A')).status).toBe(404);
  });

  test('responds with 405 to methods other than GET and HEAD', async () => {
    const response = await get('/', { method: 'POST' });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, HEAD');
  });

  test('does not leave its folder', async () => {
    const response = await get('/..%2fpackage.json');
    expect(response.status).toBe(404);
  });

  describe.each(['/', '/index.html', '/404', '/404/', '/no/such/page'])('the policy of %s', (path) => {
    let policy: Map<string, string[]>;
    let html: string;
    beforeAll(async () => {
      const response = await get(path);
      html = await response.text();
      const header = response.headers.get('content-security-policy') ?? '';
      policy = new Map(
        header
          .split(';')
          .map((directive) => [directive.split(' ')[0] as string, directive.split(' ').slice(1)]),
      );
    });

    test('allows exactly the inline scripts of the page', () => {
      const inline = contents(html.replace(/<script[^>]*\ssrc=[^>]*><\/script>/g, ''), 'script');
      expect(inline.length).toBeGreaterThan(0);
      expect(new Set(policy.get('script-src'))).toEqual(new Set(["'self'", ...inline.map(hashSource)]));
    });

    test('allows exactly the inline styles of the page', () => {
      const inline = [...contents(html, 'style'), ...attributeValues(html, 'style')];
      expect(inline.length).toBeGreaterThan(1);
      expect(new Set(policy.get('style-src'))).toEqual(
        new Set(["'self'", "'unsafe-hashes'", ...inline.map(hashSource)]),
      );
    });

    test('covers all files of the page with its own origin', () => {
      expect(policy.get('default-src')).toEqual(["'self'"]);
      const loaded = [
        ...tags(html, 'script'),
        ...tags(html, 'link').filter(({ rel }) => rel !== 'canonical'),
      ];
      const addresses = loaded.flatMap(({ src, href }) => src ?? href ?? []);
      expect(addresses.length).toBeGreaterThan(0);
      expect(addresses.filter((address) => !/^\/[^/]/.test(address))).toEqual([]);
    });

    test('covers a page without inline event handlers', () => {
      expect(html).not.toMatch(/<[^>]+\son[a-z]+="/);
    });
  });
});

describe('the verification page', () => {
  const policyOf = (response: Response) => response.headers.get('content-security-policy') ?? '';

  test('gets the API address from the server and may connect to nothing else', async () => {
    const api = 'https://api.example.com';
    const site = await startSite({ API_URL: `${api}/base/` });
    const config = await fetch(`${site.url}/api-config.json`);
    expect(config.headers.get('cache-control')).toBe('no-cache');
    expect(await config.json()).toEqual({ apiUrl: `${api}/base` });
    for (const path of ['/verify', '/verify/', '/verify/index.html']) {
      const response = await fetch(site.url + path);
      expect(policyOf(response).split(';')).toContain(`connect-src 'self' ${api}`);
      expect(response.headers.get('permissions-policy')).toContain('camera=(self)');
      expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    }
    await site.stop();
  });

  test('uses the API of npm start by default', async () => {
    const site = await startSite({ API_URL: '' });
    const built = JSON.parse(readFileSync(join(PUBLIC, 'api-config.json'), 'utf8'));
    expect(await (await fetch(`${site.url}/api-config.json`)).json()).toEqual(built);
    const policy = policyOf(await fetch(`${site.url}/verify`));
    expect(policy.split(';')).toContain(`connect-src 'self' ${built.apiUrl}`);
    await site.stop();
  });

  test('leads the feed of incidents to the API', async () => {
    const site = await startSite({ API_URL: 'https://api.example.com/base/' });
    const response = await fetch(`${site.url}/status.atom`, { redirect: 'manual' });
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toBe('https://api.example.com/base/health/incidents.atom');
    await site.stop();
  });

  test('the status page may call the API, but not use the camera', async () => {
    const site = await startSite({ API_URL: 'https://api.example.com' });
    const response = await fetch(`${site.url}/status`);
    expect(policyOf(response).split(';')).toContain("connect-src 'self' https://api.example.com");
    expect(response.headers.get('permissions-policy')).toContain('camera=()');
    await site.stop();
  });

  test('may use the camera and the API, unlike the home page', async () => {
    const site = await startSite();
    const response = await fetch(site.url);
    expect(policyOf(response)).not.toContain('connect-src');
    expect(response.headers.get('permissions-policy')).toContain('camera=()');
    await site.stop();
  });
});

describe('the console', () => {
  const page = '<title>Console</title><script>1</script>';
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'site-'));
    for (const name of ['404.html', 'api-config.json']) cpSync(join(PUBLIC, name), join(folder, name));
    mkdirSync(join(folder, 'console'));
    writeFileSync(join(folder, 'console/index.html'), page);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('has one page for all its addresses, with the camera, the API and images that people choose', async () => {
    const site = await startSite({ API_URL: 'https://api.example.com' }, { folder });
    const paths = [
      '/console',
      '/console/',
      '/console/index.html',
      '/console/webhooks/wh_1?a=b',
      '/console/a.js',
    ];
    for (const path of paths) {
      const response = await fetch(site.url + path);
      expect([path, response.status, await response.text()]).toEqual([path, 200, page]);
      expect(response.headers.get('cache-control')).toBe('no-cache');
      expect(response.headers.get('permissions-policy')).toBe('camera=(self), microphone=(), geolocation=()');
      const policy = response.headers.get('content-security-policy')?.split(';');
      expect(policy).toContain(`script-src 'self' ${hashSource('1')}`);
      expect(policy).toContain("connect-src 'self' https://api.example.com");
      expect(policy).toContain("img-src 'self' data: blob:");
    }
    // The console at 127.0.0.1 calls the API there, and the one at localhost, where passkeys work, calls it at localhost.
    const localSite = await startSite({ API_URL: 'http://localhost:8080' }, { folder });
    const policy = (await fetch(`${localSite.url}/console`)).headers.get('content-security-policy');
    expect(policy?.split(';')).toContain("connect-src 'self' http://127.0.0.1:8080 http://localhost:8080");
    await localSite.stop();
    for (const path of ['/consoles', '/docs/console', '/Console']) {
      expect((await fetch(site.url + path)).status).toBe(404);
    }
    await site.stop();
  });

  test.each([
    ['', '/console/keys?a=b', '/docs/operations'],
    ['', '/console//other.example', '/docs/operations'],
    ['https://console.example/', '/console', 'https://console.example'],
    ['https://console.example/', '/console/sign-up?plan=free', 'https://console.example/sign-up?plan=free'],
    ['https://console.example', '/console//other.example', 'https://console.example//other.example'],
  ])('elsewhere, at "%s", is where %s leads', async (consoleUrl, path, target) => {
    const site = await startSite({ CONSOLE: 'off', CONSOLE_URL: consoleUrl }, { folder });
    const response = await fetch(site.url + path, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([302, target]);
    expect(response.headers.get('cache-control')).toBe('no-store');
    await site.stop();
  });
});

describe('stopping', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    '%s stops it at once, including idle connections',
    async (signal) => {
      const site = await startSite();
      // fetch keeps its connection alive.
      expect((await fetch(site.url)).status).toBe(200);
      const started = performance.now();
      expect(await site.stop({ signal })).toEqual({ code: 0, signal: null });
      expect(site.stderr).toBe('');
      // Node closes it after five seconds by default.
      expect(performance.now() - started).toBeLessThan(4_000);
    },
  );

  test('an incomplete request does not delay it', async () => {
    const site = await startSite();
    const socket = connect(Number(new URL(site.url).port), '127.0.0.1');
    socket.on('error', () => {});
    await new Promise((resolve) => socket.write('GET / HTTP/1.1\r\n', resolve));
    const started = performance.now();
    expect((await site.stop()).code).toBe(0);
    expect(performance.now() - started).toBeLessThan(4_000);
    socket.destroy();
  });
});

/** A folder with the files that every site needs. */
function smallSite() {
  const folder = mkdtempSync(join(tmpdir(), 'site-'));
  for (const name of ['404.html', 'api-config.json']) cpSync(join(PUBLIC, name), join(folder, name));
  return folder;
}

test('a file that disappears while the site runs stops only its own response', async () => {
  const folder = smallSite();
  for (const name of ['lost.js', 'kept.js']) writeFileSync(join(folder, name), 'done()');
  const site = await startSite({}, { folder });
  rmSync(join(folder, 'lost.js'));
  const lost = await fetch(`${site.url}/lost.js`);
  expect([lost.status, lost.headers.get('retry-after'), await lost.text()]).toEqual([503, '1', '']);
  expect(lost.headers.get('cache-control')).toBe('no-store');
  expect(await (await fetch(`${site.url}/kept.js`)).text()).toBe('done()');
  expect((await site.stop()).code).toBe(0);
  expect(JSON.parse(site.stderr)).toMatchObject({ level: 'error', msg: 'file not readable' });
  rmSync(folder, { recursive: true });
});

describe('draining', () => {
  /** A file larger than the socket buffers of both ends, so that the sender waits for the reader. */
  const large = Buffer.alloc(32 * 1024 * 1024, 'x');

  /** A site with one large file, and a client that has paused reading it. */
  async function readerOf(drainMs: string) {
    const folder = smallSite();
    writeFileSync(join(folder, 'large.txt'), large);
    const site = await startSite({ WEB_DRAIN_MS: drainMs }, { folder });
    const [response] = (await once(request(`${site.url}/large.txt`).end(), 'response')) as [IncomingMessage];
    response.pause();
    return { site, response, remove: () => rmSync(folder, { recursive: true }) };
  }

  /** Resolves when the port is closed. */
  async function refused(url: string) {
    for (;;) {
      const probe = connect(Number(new URL(url).port), '127.0.0.1');
      const open = await new Promise((resolve) => {
        probe.once('connect', () => resolve(true)).once('error', () => resolve(false));
      });
      probe.destroy();
      if (!open) return;
    }
  }

  test('a response in flight completes, and new connections are refused', async () => {
    const { site, response, remove } = await readerOf('60000');
    const stopped = site.stop();
    await refused(site.url);
    let received = 0;
    for await (const chunk of response) received += (chunk as Buffer).length;
    expect(received).toBe(large.length);
    // The server stops after the response, although the connection is kept alive.
    const read = performance.now();
    expect(await stopped).toEqual({ code: 0, signal: null });
    expect(site.stderr).toBe('');
    expect(performance.now() - read).toBeLessThan(4_000);
    remove();
  });

  test('responses longer than WEB_DRAIN_MS are aborted', async () => {
    const { site, response, remove } = await readerOf('0');
    expect((await site.stop()).code).toBe(0);
    await expect(response.toArray()).rejects.toThrow('aborted');
    remove();
  });
});

describe('a failed start prints the reason in one line', () => {
  const message = (stderr: string) => {
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    return JSON.parse(stderr);
  };

  test('if the port is taken', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => blocker.once('listening', resolve));
    const { port } = blocker.address() as { port: number };
    const { code, stderr } = await runSite({ WEB_PORT: String(port) });
    blocker.close();
    expect(code).toBe(1);
    expect(message(stderr)).toEqual({
      level: 'error',
      msg: `Port ${port} on 127.0.0.1 is taken by another program: free it or set WEB_PORT.`,
    });
  });

  test('if the site is not built', async () => {
    const { code, stderr } = await runSite({}, { folder: mkdtempSync(join(tmpdir(), 'site-')) });
    expect(code).toBe(1);
    expect(message(stderr).msg).toBe('The site is not built yet: run "npm run build" first.');
  });

  test.each([
    ['API_URL', 'api.example.com'],
    ['CONSOLE_URL', 'ftp://example.com'],
  ])('if %s is %s', async (name, url) => {
    const { code, stderr } = await runSite({ [name]: url });
    expect(code).toBe(1);
    expect(message(stderr).msg).toBe(`${name} must be an http or https address, not "${url}".`);
  });

  test('if CONSOLE is neither on nor off', async () => {
    const { code, stderr } = await runSite({ CONSOLE: 'no' });
    expect(code).toBe(1);
    expect(message(stderr).msg).toBe('CONSOLE must be on or off, not "no".');
  });

  test.each(['soon', '-1', '120001'])('if WEB_DRAIN_MS is %s', async (text) => {
    const { code, stderr } = await runSite({ WEB_DRAIN_MS: text });
    expect(code).toBe(1);
    expect(message(stderr).msg).toBe(`WEB_DRAIN_MS must be milliseconds from 0 to 120000, not "${text}".`);
  });

  test.each(['http', '70000', '-1'])('if WEB_PORT is %s', async (port) => {
    const { code, stderr } = await runSite({ WEB_PORT: port });
    expect(code).toBe(1);
    expect(message(stderr).msg).toBe(`WEB_PORT must be a port number from 0 to 65535, not "${port}".`);
  });
});

const hashSource = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const attributeValues = (html: string, name: string) =>
  [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(([, value = '']) => value);
