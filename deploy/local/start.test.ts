// The whole of `npm start` as somebody at a terminal meets it: what it prints works, and Ctrl-C leaves nothing.

import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { evaluate, freePorts, listen, runNode, withFolder } from './testing';

const START = join(__dirname, 'start.mjs');
const VARIABLES = [
  'GATEWAY_PORT',
  'GATEWAY_METRICS_PORT',
  'GATEWAY_ADMIN_PORT',
  'INFERENCE_PORT',
  'WEB_PORT',
  'REDIS_PORT',
];

interface Running {
  child: ChildProcessWithoutNullStreams;
  lines: string[];
  stderr: string[];
  /** Resolves with the line that names the site; rejects when the script ends without one. */
  ready: Promise<string>;
}

const started: ChildProcessWithoutNullStreams[] = [];

// Whatever a test that failed or ran out of time left running.
afterEach(async () => {
  for (const child of started
    .splice(0)
    .filter(({ exitCode, signalCode }) => exitCode === null && !signalCode)) {
    const closed = once(child, 'close');
    child.kill('SIGTERM');
    await closed;
  }
});

function start(env: NodeJS.ProcessEnv): Running {
  const child = spawn(process.execPath, [START], { env: { ...process.env, ...env } });
  started.push(child);
  const lines: string[] = [];
  const stderr: string[] = [];
  const ready = new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line);
      if (line.startsWith('ready  site')) resolve(line);
    });
    createInterface({ input: child.stderr }).on('line', (line) => stderr.push(line));
    child.once('close', () =>
      reject(new Error(`ended without being ready:\n${[...lines, ...stderr].join('\n')}`)),
    );
  });
  return { child, lines, stderr, ready };
}

async function environment(dataDir: string): Promise<NodeJS.ProcessEnv> {
  const ports = await freePorts(VARIABLES.length);
  const [siteUrl] = await evaluate(
    `import { readSettings } from './cli/settings.mjs'; print(readSettings(process.env).siteUrl);`,
  );
  return {
    ...Object.fromEntries(VARIABLES.map((name, index) => [name, String(ports[index])])),
    PRESENZA_DATA: dataDir,
    // The site stays the one that is built, whatever its port: others look at it meanwhile.
    SITE_URL: String(siteUrl),
    REDIS_URL: '',
    KEY_SECRET: '',
    ADMIN_TOKEN: '',
  };
}

async function stop({ child }: Running, signal: NodeJS.Signals): Promise<number | null> {
  const closed = once(child, 'close');
  child.kill(signal);
  const [code] = await closed;
  return code;
}

function recordedProcesses(dataDir: string): { name: string; pid: number }[] {
  return JSON.parse(readFileSync(join(dataDir, 'runtime.json'), 'utf8')).processes;
}

function alive(processes: { name: string; pid: number }[]): string[] {
  return processes.filter(({ pid }) => isAlive(pid)).map(({ name }) => name);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const THREE_STARTS_MS = 180_000;

it(
  'starts, hands out a key and a request that finds four faces, stops, and starts again with the same key after a crash on a GPU',
  async () => {
    await withFolder(async (dataDir) => {
      const env = await environment(dataDir);
      const first = start(env);
      expect(await first.ready).toMatch(/^ready {2}site after \d.*: http:\/\/127/);
      const apiReady = first.lines.findIndex((line) => /^ready {2}API after .*: 4 faces detected/.test(line));
      const siteStarts = first.lines.findIndex((line) => line.startsWith('[site]'));
      expect([apiReady > 0, siteStarts > apiReady]).toEqual([true, true]);

      const command = first.lines.find((line) => line.startsWith('printf ')) ?? '';
      const { stdout } = await promisify(execFile)('sh', ['-c', command], { cwd: '/' });
      expect(JSON.parse(stdout)).toMatchObject({ success: true, data: { faceCount: 4 } });

      const key = readFileSync(join(dataDir, 'dev-api-key'), 'utf8').trim();
      expect(command).toContain(`Bearer ${key}'`);
      for (const file of ['dev-api-key', 'key-secret', 'admin-token', 'runtime.json']) {
        expect([file, statSync(join(dataDir, file)).mode & 0o777]).toEqual([file, 0o600]);
      }
      expect(existsSync(join(dataDir, 'redis/appendonlydir'))).toBe(true);
      const token = readFileSync(join(dataDir, 'admin-token'), 'utf8').trim();
      expect(first.lines.join('\n')).not.toContain(token);
      const plans = await fetch(`http://127.0.0.1:${env.GATEWAY_ADMIN_PORT}/plans`, {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(plans.status).toBe(200);
      await expectRefusals(dataDir, env);

      const processes = recordedProcesses(dataDir);
      expect(processes.map(({ name }) => name).sort()).toEqual([
        'gateway',
        'guard',
        'inference',
        'redis',
        'site',
      ]);
      expect(await stop(first, 'SIGINT')).toBe(0);
      expect(alive(processes)).toEqual([]);
      expect(existsSync(join(dataDir, 'runtime.json'))).toBe(false);
      await expectFreePorts(env);

      const second = start({
        ...env,
        NODE_OPTIONS: `--require=${join(__dirname, 'test/crash-before-cpu.cjs')}`,
      });
      await second.ready;
      expect(second.lines).toContain(
        'start  The inference tier crashed (SIGSEGV) while it started. It starts again on the CPU, in case a GPU was the cause. INFERENCE_DEVICE=cpu skips the first attempt.',
      );
      expect(readFileSync(join(dataDir, 'dev-api-key'), 'utf8').trim()).toBe(key);
      const processesAgain = recordedProcesses(dataDir);
      expect(await stop(second, 'SIGTERM')).toBe(0);
      expect(alive(processesAgain)).toEqual([]);
    });
  },
  THREE_STARTS_MS,
);

/** While it runs, neither its data folder nor its ports can be had a second time. */
async function expectRefusals(dataDir: string, env: NodeJS.ProcessEnv) {
  const sameData = await runNode([START], env);
  expect(sameData).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/already runs on .*: stop it, or set /),
  });
  expect(sameData.stderr).toContain(dataDir);

  const samePorts = await withFolder((other) => runNode([START], { ...env, PRESENZA_DATA: other }));
  expect(samePorts).toMatchObject({
    code: 1,
    stderr: `\nPort ${env.GATEWAY_PORT} (GATEWAY_PORT) is already in use; stop what listens there or set GATEWAY_PORT to another.\n`,
  });
}

async function expectFreePorts(env: NodeJS.ProcessEnv) {
  for (const name of VARIABLES) {
    const { server } = await listen(Number(env[name]));
    await new Promise((resolve) => server.close(resolve));
  }
}
