/** A page of another origin that embeds the verification element: plain HTML under a strict content security policy. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const PACKAGE = join(__dirname, '../../component/dist');

const HTML = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>An application</title>
    <script type="module" src="/index.js"></script>
    <script type="module" src="/application.js"></script>
  </head>
  <body>
    <main>
      <label>Name <input id="name"></label>
      <presenza-liveness stylesheet="/liveness.css"></presenza-liveness>
    </main>
  </body>
</html>`;

const APPLICATION = `
  window.reported = [];
  for (const name of ['ready', 'step', 'end', 'blocked'])
    document.addEventListener('presenza-' + name, ({ detail }) => window.reported.push([name, detail]));
`;

export interface EmbeddingPage {
  readonly origin: string;
  /** The API that the page may call; set it before the page opens. */
  apiUrl: string;
  /** Content by path, which the page may also read. */
  readonly files: Record<string, [type: string, content: string]>;
  stop(): Promise<void>;
}

export async function startEmbeddingPage(): Promise<EmbeddingPage> {
  const read = (file: string) => readFileSync(join(PACKAGE, file), 'utf8');
  const files: EmbeddingPage['files'] = {
    '/': ['text/html', HTML],
    '/application.js': ['text/javascript', APPLICATION],
    '/index.js': ['text/javascript', read('index.js')],
    '/liveness.css': ['text/css', read('liveness.css')],
  };
  const server = createServer(({ url = '' }, res) => {
    const [type, content] = files[url.split('?')[0] as string] ?? [];
    // Browsers ask for an icon.
    if (!type) return res.writeHead(url === '/favicon.ico' ? 204 : 404).end();
    const policy = [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      `connect-src 'self' ${new URL(page.apiUrl).origin}`,
      "img-src 'self' blob:",
      "media-src 'self' blob:",
    ];
    res.writeHead(200, { 'Content-Type': type, 'Content-Security-Policy': policy.join(';') }).end(content);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const page: EmbeddingPage = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiUrl: 'http://127.0.0.1',
    files,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return page;
}

/** Gives the element a session. */
export const giveSession = (page: Page, session: { apiUrl: string; accessToken: string }) =>
  page
    .locator('presenza-liveness')
    .evaluate((element, properties) => void Object.assign(element, properties), session);

/** The events so far, each with its detail. */
export const reported = (page: Page) => page.evaluate<[name: string, detail: unknown][]>('reported');
