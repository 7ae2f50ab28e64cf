// The npm package, built, packed and installed in a clean folder, as Node.js and a browser project see it.
//
// Slow: it packs and installs the client as npm does.
import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { failuresOf } from '../failures/run.mjs';
import { firstExample } from '../first-example.mjs';
import { webhookExample } from '../webhook-example.mjs';
import { installPackage } from './install-package.mjs';

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'presenza-package-'));
  await installPackage(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const node = (...args: string[]) => spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });

test('every entry point loads in Node.js, and the webhook example of the contract verifies', () => {
  writeFileSync(
    join(folder, 'entries.mjs'),
    `import { isVerified } from 'presenza';
    import { verifyWebhook } from 'presenza/webhooks';
    import { k6Transport } from 'presenza/k6';
    const webhook = ${JSON.stringify(webhookExample())};
    const now = () => 1000 * webhook.headers['webhook-timestamp'];
    const event = verifyWebhook({ ...webhook, now });
    console.log(typeof k6Transport, isVerified(event, { withReference: false }));`,
  );
  expect(node('entries.mjs')).toMatchObject({ status: 0, stdout: 'function true\n', stderr: '' });
});

test('every failure is a PresenzaError with the code of its scenario', async () => {
  cpSync(join(__dirname, 'failures.mjs'), join(folder, 'failures.mjs'));
  expect(await failuresOf(folder, [process.execPath, 'failures.mjs'])).toEqual([]);
});

test('the example of the README has at most ten lines, sends the key, and prints the URL of a session', async () => {
  const response = readFileSync(join(__dirname, '../../examples/liveness-response.json'), 'utf8');
  let seen: IncomingMessage | undefined;
  const server = createServer((request, reply) => {
    seen = request;
    reply.writeHead(200, { 'content-type': 'application/json' }).end(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  writeFileSync(join(folder, 'first.mjs'), firstExample(__dirname, 'js') ?? '');
  const API_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const env = { ...process.env, API_URL, API_KEY: 'presenza_test_key' };
  try {
    const { stdout } = await promisify(execFile)(process.execPath, ['first.mjs'], { cwd: folder, env });
    expect(stdout).toBe(`Send the user to ${JSON.parse(response).data.verificationUrl}\n`);
  } finally {
    server.close();
  }
  expect([seen?.method, seen?.url]).toEqual(['POST', '/v1/liveness']);
  expect(seen?.headers.authorization).toBe('Bearer presenza_test_key');
});

test('a browser project compiles with the types, without those of Node.js', () => {
  writeFileSync(
    join(folder, 'page.ts'),
    `import { type BatchOutcome, isVerified, type LivenessSession, type PresenzaClient } from 'presenza';
    import type { WebhookVerification } from 'presenza/webhooks';
    export const isWelcome = (session: LivenessSession) => isVerified(session, { withReference: true });
    export const facesIn = async (client: PresenzaClient, file: File, image: Uint8Array) =>
      [await client.detect({ image: file }), await client.detect({ image })].map(({ data }) => data.faceCount);
    export const isDone = ({ success }: BatchOutcome) => success;
    export type Headers = WebhookVerification['headers'];
    // @ts-expect-error a number is not an image
    export const wrong = (client: PresenzaClient) => client.detect({ image: 7 });`,
  );
  const compilerOptions = {
    module: 'esnext',
    moduleResolution: 'bundler',
    target: 'es2022',
    lib: ['es2023', 'dom'],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['page.ts'] }));
  const compiler = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');
  expect(node(compiler)).toMatchObject({ status: 0, stdout: '' });
});
