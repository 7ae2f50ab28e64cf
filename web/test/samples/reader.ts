/** A reader of the site: an account at the real service, and what the quick start leads to. */
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createClient, type PresenzaClient } from '@presenza/contract/client/index.ts';
import { freePort, removeFolder, startService, temporaryFolder } from '../../../gateway/harness/index.mjs';
import { codeWith } from '../../../gateway/test/code-blocks';
import { sharedTierUrl } from '../../../gateway/test/shared-tier';
import { type Received, startReceiver } from '../../../gateway/test/webhooks/receiver';
import { ROOT } from './blocks';
import { type Body, runShell } from './shell';

const photo = join(dirname(require.resolve('@vladmandic/face-api/package.json')), 'demo/sample1.jpg');
const adminToken = 'ab'.repeat(32);

export interface Reader {
  readonly apiUrl: string;
  /** A test key. */
  readonly apiKey: string;
  readonly client: PresenzaClient;
  /** Shows three faces. */
  readonly photo: Buffer;
  /** The completion of a session, as the reader's endpoint received it. */
  readonly webhook: Received & { readonly secret: string };
  /** The process of the samples, with their variables. */
  readonly process: { readonly env: Readonly<Record<string, string>> };
  /** Runs shell samples of one page. @returns the responses to each */
  run(codes: readonly string[]): Promise<Body[][]>;
  stop(): Promise<void>;
}

export async function startReader(): Promise<Reader> {
  const adminPort = await freePort();
  const gatewayEnv = { ADMIN_TOKEN: adminToken, GATEWAY_ADMIN_PORT: String(adminPort) };
  const [service, receiver] = await Promise.all([
    startService({ site: true, inferenceUrl: sharedTierUrl(), gatewayEnv }),
    startReceiver(),
  ]);
  const { apiKey } = await service.createAccount({ mode: 'test' });
  const folder = readersFolder(apiKey);
  const client = createClient({ baseUrl: service.url, apiKey });
  const { secret } = (await client.createWebhook({ url: receiver.url, events: ['session.completed'] })).data;
  const addresses = {
    'http://127.0.0.1:8080': service.url,
    '{siteUrl}': service.siteUrl,
    'http://127.0.0.1:9181': `http://127.0.0.1:${adminPort}`,
  };
  const env = { API_URL: service.url, API_KEY: apiKey, WEBHOOK_SECRET: secret };
  const ofShell = { ...env, ADMIN_TOKEN: adminToken };
  const run = (codes: readonly string[]) => runShell(codes, { folder, env: ofShell, addresses });
  await run([createSession()]);
  const [webhook] = (await receiver.count(1)) as readonly [Received];
  return {
    apiUrl: service.url,
    apiKey,
    client,
    photo: readFileSync(photo),
    run,
    webhook: { secret, ...webhook },
    process: { env },
    async stop() {
      await receiver.close();
      await service.stop();
      removeFolder(folder);
    },
  };
}

/** A folder with the files that commands name, as in a cloned repository after `npm start`. */
function readersFolder(apiKey: string): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, '.data'));
  writeFileSync(join(folder, '.data/dev-api-key'), apiKey);
  writeFileSync(join(folder, '.data/admin-token'), adminToken);
  copyFileSync(photo, join(folder, 'photo.jpg'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** The session of the quick start. It ends without a camera, as the page advises. */
function createSession(): string {
  const code = codeWith(join(ROOT, 'web/content/docs/get-started.mdx'), '/liveness"');
  return code.replace("-d '{", `-d '{"testOutcome": "live", `);
}
