// `npm start` as a user at a terminal sees it: the printed request works, and Ctrl-C leaves nothing running.
//
// Slow: it starts the whole service twice as `npm start` does.

import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isAlive, type ProcessRecord } from '../../gateway/harness/cli/process-identity.mjs';
import { readSettings } from '../../gateway/harness/cli/settings.mjs';
import { withFolder } from '../../gateway/harness/folders.mjs';
import { freePorts, listen } from '../../gateway/harness/ports.mjs';
import { RunningProcess, runToEnd } from '../../gateway/harness/process.mjs';

const START = join(__dirname, 'start.mjs');
const VARIABLES = [
  'GATEWAY_PORT',
  'GATEWAY_METRICS_PORT',
  'GATEWAY_ADMIN_PORT',
  'INFERENCE_PORT',
  'WEB_PORT',
  'REDIS_PORT',
  'REDIS_SESSION_KEYS_PORT',
];

const started: RunningProcess[] = [];

// Stops the processes of a test that failed or ran out of time.
afterEach(() => Promise.all(started.splice(0).map((running) => running.stop())));

function start(env: NodeJS.ProcessEnv): RunningProcess {
  const running = new RunningProcess(process.execPath, [START], { name: 'npm start', env });
  started.push(running);
  return running;
}

async function environment(dataDir: string): Promise<NodeJS.ProcessEnv> {
  const ports = await freePorts(VARIABLES.length);
  return {
    ...Object.fromEntries(VARIABLES.map((name, index) => [name, String(ports[index])])),
    PRESENZA_DATA: dataDir,
    // With another address, the start would rebuild the site while other tests use it.
    SITE_URL: readSettings(process.env).siteUrl,
    REDIS_URL: '',
    REDIS_SESSION_KEYS_URL: '',
    KEY_SECRET: '',
    ADMIN_TOKEN: '',
  };
}

type NamedProcess = ProcessRecord & { name: string };

const recordedProcesses = (dataDir: string): NamedProcess[] =>
  JSON.parse(readFileSync(join(dataDir, 'runtime.json'), 'utf8')).processes;

const alive = (processes: NamedProcess[]) => processes.filter(isAlive).map(({ name }) => name);

/** Ends a hang: two starts and two refused ones take about a minute, and ten times as long on a machine under load. */
const STARTS_MS = 1_200_000;

it(
  'starts, hands out a key and a request that finds four faces, stops, and starts again with the same key after a crash on a GPU',
  async () => {
    await withFolder(async (dataDir) => {
      const env = await environment(dataDir);
      const first = start(env);
      expect(await first.line('ready  site')).toMatch(/^ready {2}site after \d.*: http:\/\/127/);
      const apiReady = first.log.findIndex((line) => /^ready {2}API after .*: 4 faces detected/.test(line));
      const siteStarts = first.log.findIndex((line) => / site +ready at /.test(line));
      expect([apiReady > 0, siteStarts > apiReady]).toEqual([true, true]);

      const command = first.log.find((line) => line.startsWith('curl ')) ?? '';
      const { stdout } = await promisify(execFile)('sh', ['-c', command], { cwd: '/' });
      expect(JSON.parse(stdout)).toMatchObject({ success: true, data: { faceCount: 4 } });

      const key = readFileSync(join(dataDir, 'dev-api-key'), 'utf8').trim();
      expect(command).toContain(`Bearer $(cat ${join(dataDir, 'dev-api-key')})"`);
      expect(first.log.join('\n')).not.toContain(key);
      for (const file of ['dev-api-key', 'key-secret', 'admin-token', 'runtime.json']) {
        expect([file, statSync(join(dataDir, file)).mode & 0o777]).toEqual([file, 0o600]);
      }
      for (const redis of ['redis', 'redis-keys'])
        expect(existsSync(join(dataDir, redis, 'appendonlydir'))).toBe(true);
      const token = readFileSync(join(dataDir, 'admin-token'), 'utf8').trim();
      expect(first.log.join('\n')).not.toContain(token);
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
        'redis-keys',
        'site',
      ]);
      expect(await first.stop({ signal: 'SIGINT' })).toEqual({ code: 0, signal: null });
      expect(alive(processes)).toEqual([]);
      expect(existsSync(join(dataDir, 'runtime.json'))).toBe(false);
      await expectFreePorts(env);

      const second = start({
        ...env,
        NODE_OPTIONS: `--require=${join(__dirname, 'test/crash-before-cpu.cjs')}`,
      });
      await second.line('ready  site');
      expect(second.log).toContain(
        'start  The inference tier crashed (SIGSEGV) while it started. It starts again on the CPU, in case a GPU was the cause. INFERENCE_DEVICE=cpu skips the first attempt.',
      );
      expect(readFileSync(join(dataDir, 'dev-api-key'), 'utf8').trim()).toBe(key);
      const processesAgain = recordedProcesses(dataDir);
      expect(await second.stop()).toEqual({ code: 0, signal: null });
      expect(alive(processesAgain)).toEqual([]);
    });
  },
  STARTS_MS,
);

/** A second start is refused the data folder and the ports of the first. */
async function expectRefusals(dataDir: string, env: NodeJS.ProcessEnv) {
  const sameData = await runToEnd(process.execPath, [START], { env });
  expect(sameData).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/already runs on .*: stop it, or set /),
  });
  expect(sameData.stderr).toContain(dataDir);

  const samePorts = await withFolder((other) =>
    runToEnd(process.execPath, [START], { env: { ...env, PRESENZA_DATA: other } }),
  );
  expect(samePorts).toMatchObject({
    code: 1,
    stderr: `\nPort ${env.GATEWAY_PORT} (GATEWAY_PORT) is already in use; stop what listens there or set GATEWAY_PORT to another.\n`,
  });
}

async function expectFreePorts(env: NodeJS.ProcessEnv) {
  for (const name of VARIABLES) {
    const { close } = await listen(Number(env[name]));
    await close();
  }
}
