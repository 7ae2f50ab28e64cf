/**
 * All samples of the reference parse. Those in shell, Python and Node.js, and in Java if it is installed, run against
 * the
 * real service. Those in Dart, Kotlin and Swift are rendered from the same requests, but need packages to run.
 *
 * Slow: it runs the samples of the reference against a real service.
 */
import { execFile, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import {
  type RunningServer,
  startGateway,
  startInference,
  startRedis,
} from '../../../gateway/harness/index.mjs';
import { type LanguageName, syntaxErrors } from '../../../gateway/test/syntax';
import { type OperationData, readReference } from './read-reference';

const { reference } = readReference();
const operations = reference.operations.filter(({ samples }) => samples.length > 0);
const adminCli = join(__dirname, '../../../gateway/dist/admin/cli.js');
const photo = join(dirname(require.resolve('@vladmandic/face-api/package.json')), 'demo/sample1.jpg');

/** The commands that run samples. The first three exist on every machine that builds this. */
const PROGRAMS: Record<
  string,
  { command: string; file: (code: string) => string; only?: readonly string[] }
> = {
  curl: { command: 'bash', file: () => 'sample.sh' },
  python: { command: 'python3', file: () => 'sample.py' },
  node: { command: process.execPath, file: () => 'sample.mjs' },
  java: {
    command: 'java',
    file: (code) => `${/class (\w+)/.exec(code)?.[1]}.java`,
    // Java starts slowly, so that only one sample with images and one with a session run.
    only: ['detectFaces', 'deleteLivenessSession'],
  },
};
const isInstalled = (command: string) => spawnSync(command, ['--version']).error === undefined;
const languages = Object.entries(PROGRAMS)
  .filter(([, { command, only }]) => !only || isInstalled(command))
  .map(([language]) => language);

const GRAMMARS: Record<string, LanguageName> = { curl: 'bash', node: 'javascript' };

const parsed = operations.flatMap(({ operationId, samples }) =>
  samples.map(({ language, code }) => [operationId, language, code] as const),
);

test.each(parsed)('%s in %s parses', async (_operation, language, code) => {
  expect(await syntaxErrors(GRAMMARS[language] ?? (language as LanguageName), code)).toEqual([]);
});

describe('against the service', () => {
  const parts: RunningServer[] = [];
  let folder: string;
  let environment: NodeJS.ProcessEnv;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'presenza-samples-'));
    for (const name of ['photo.jpg', 'passport.jpg', 'selfie.jpg']) copyFileSync(photo, join(folder, name));
    const [redis, inference] = await Promise.all([startRedis(), startInference()]);
    const secrets = { REDIS_URL: redis.url, KEY_SECRET: randomBytes(32).toString('hex') };
    const configuration = { ...secrets, NODE_ENV: 'test', INFERENCE_URL: inference.url };
    const gateway = await startGateway(configuration);
    parts.push(gateway, inference, redis);
    const admin = async (...args: string[]) => {
      const env = { ...process.env, ...configuration };
      const { stdout } = await promisify(execFile)(process.execPath, [adminCli, ...args, '--json'], { env });
      return JSON.parse(stdout);
    };
    const { accountId } = await admin('accounts', 'create', '--name', 'Reader', '--plan', 'business');
    const { apiKey } = await admin('keys', 'create', '--account', accountId, '--mode', 'live');
    environment = { ...process.env, API_KEY: apiKey, API_URL: gateway.url };
  });
  afterAll(async () => {
    for (const part of parts) await part.stop();
    rmSync(folder, { recursive: true });
  });

  /** Runs a sample from a file with the API key in the environment. */
  async function run(operationId: string, language: string, env: NodeJS.ProcessEnv = {}) {
    const code = sampleOf(operationId, language);
    const program = PROGRAMS[language] as (typeof PROGRAMS)[string];
    const file = program.file(code);
    writeFileSync(join(folder, file), code);
    const { stdout } = await promisify(execFile)(program.command, [file], {
      cwd: folder,
      env: { ...environment, ...env },
    });
    const response = JSON.parse(stdout);
    // cURL and Java print the whole response, others its data.
    return response.success === true ? response.data : response;
  }

  const newSession = async () => (await run('createLivenessSession', 'curl')).sessionId as string;

  const cases = languages.flatMap((language) =>
    operations
      .filter(({ operationId }) => PROGRAMS[language]?.only?.includes(operationId) ?? true)
      .map((operation) => [operation.operationId, language, operation] as const),
  );
  test.each(cases)(
    '%s in %s prints the response that the reference documents',
    async (operationId, language, operation) => {
      const env = operation.path.includes('{') ? { SESSION_ID: await newSession() } : {};
      const data = await run(operationId, language, env);
      expect(Object.keys(data)).toEqual(expect.arrayContaining(requiredOf(operation)));
      expect(data).toMatchObject(OUTCOMES[operationId] ?? {});
    },
  );

  test.each(languages)('a rejection ends the sample in %s with the error code', async (language) => {
    const failed = run('detectFaces', language, { API_KEY: 'none' });
    await expect(failed).rejects.toMatchObject({ code: expect.any(Number) });
    const { stdout, stderr } = await failed.catch((error) => error);
    expect(`${stdout}${stderr}`).toContain('INVALID_API_KEY');
  });
});

const sampleOf = (id: string, wanted: string): string => {
  const operation = operations.find(({ operationId }) => operationId === id);
  return operation?.samples.find(({ language }) => language === wanted)?.code ?? '';
};

const requiredOf = ({ response }: OperationData): string[] =>
  (response[0]?.fields ?? [])
    .filter(({ depth, required }) => depth === 0 && required)
    .map(({ name }) => name);

/** The expected results of images and sessions. */
const OUTCOMES: Record<string, object> = {
  detectFaces: { hasFace: true },
  compareFaces: {
    matchedFaces: expect.arrayContaining([expect.objectContaining({ similarity: expect.any(Number) })]),
  },
  deleteLivenessSession: { deleted: true },
  runBatch: { succeeded: 2, failed: 0 },
};
