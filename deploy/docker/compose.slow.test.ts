/**
 * Checks compose.yaml against README.md, and starts its Redis with its settings.
 *
 * Slow: it starts Redis with the settings of Compose, and backs it up and restores it.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { withFolder } from '../../gateway/harness/folders.mjs';
import { freePort } from '../../gateway/harness/ports.mjs';
import { runToEnd, startProcess } from '../../gateway/harness/process.mjs';
import { readConfig as readGateway } from '../../gateway/src/config';
import { connectSessionKeys } from '../../gateway/src/stores/liveness/session-key-server';
import { readConfig as readInference } from '../../inference/src/config';
import { environmentOf, readDockerfile } from './dockerfile';

const ROOT = join(__dirname, '../..');
const PASSWORD = 'password-of-the-test';

interface Service {
  image: string;
  build?: { context: string; dockerfile: string; target?: string };
  user?: string;
  command?: string[];
  environment: Record<string, string>;
  networks: string[];
  ports?: string[];
  volumes?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck: { test: string[]; interval: string; timeout: string; start_period: string };
  stop_grace_period: string;
  init: boolean;
  read_only: boolean;
  cap_drop: string[];
  security_opt: string[];
  restart: string;
  deploy: { resources: { limits: { cpus: string; memory: string; pids: number } } };
}

const compose = parse(readFileSync(join(__dirname, 'compose.yaml'), 'utf8'), { merge: true });
const services: Record<string, Service> = compose.services;
const service = (name: string) => services[name]!;
const seconds = (text: string) => Number(/^(\d+)s$/.exec(text)?.[1]);

test('has Redis, one more for keys, the three tiers, and nothing else', () => {
  expect(Object.keys(services)).toEqual(['redis', 'redis-keys', 'inference', 'gateway', 'web']);
});

describe.each(Object.entries(services))('%s', (name, service) => {
  test('has minimal rights, and writes only to volumes and memory', () => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      init: true,
      restart: 'unless-stopped',
    });
    expect(service).not.toHaveProperty('privileged');
    // Our images set a user; for others, compose.yaml does.
    if (!service.build) expect(service.user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    for (const volume of service.volumes ?? []) {
      const [source = ''] = volume.split(':');
      expect(Object.keys(compose.volumes)).toContain(source);
    }
  });

  test('has limits for CPU, memory and processes', () => {
    const { cpus, memory, pids } = service.deploy.resources.limits;
    expect(withDefaults(cpus)).toMatch(/^\d+$/);
    expect(withDefaults(memory)).toMatch(/^\d+[GM]$/);
    expect(pids).toBeGreaterThan(0);
  });

  test('has a health check, and time to start and to stop', () => {
    expect(service.healthcheck.test.length).toBeGreaterThan(1);
    // A command with its arguments: our images have no shell.
    expect(service.healthcheck.test[0]).toBe('CMD');
    // Plain strings: YAML reads unquoted code of a check as a mapping.
    for (const word of service.healthcheck.test) expect(typeof word).toBe('string');
    expect(seconds(service.healthcheck.timeout)).toBeLessThan(seconds(service.healthcheck.interval));
    expect(seconds(service.healthcheck.start_period)).toBeGreaterThan(0);
    expect(seconds(service.stop_grace_period)).toBeGreaterThan(10);
  });

  test('has a fixed version, and is built from a Dockerfile of this folder', () => {
    expect(service.image).not.toMatch(/latest/);
    if (!service.build) return expect(service.image).toMatch(/:\d+\.\d+\.\d+[\w.-]*@sha256:[0-9a-f]{64}$/);
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(service.image).toBe(`presenza/${name}:\${PRESENZA_VERSION:-${version}}`);
    const { stages } = readDockerfile(join(__dirname, service.build.context, service.build.dockerfile));
    if (service.build.target) expect(stages.map((stage) => stage.name)).toContain(service.build.target);
  });

  test('holds no secret, and names the command that creates its secrets', () => {
    for (const [variable, value] of Object.entries(service.environment)) {
      if (!/SECRET|TOKEN|PASSWORD|AUTH|REDIS\w*_URL|SMTP_URL/.test(variable)) continue;
      if (['SMTP_URL', 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'].includes(variable))
        expect(value).toBe(`\${${variable}:-}`);
      else expect(value).toMatch(/\$\{\w+:\?make it with "node secrets\.mjs"\}/);
    }
  });
});

test('only the API and the site are reachable, and by default from this machine only', () => {
  const published = Object.entries(services).flatMap(([name, { ports = [] }]) =>
    ports.map((port) => [name, withDefaults(port)]),
  );
  expect(published).toEqual([
    ['gateway', '127.0.0.1:8080:8080'],
    ['web', '127.0.0.1:8000:8000'],
  ]);
  expect(compose.networks.inside).toEqual({ internal: true });
  expect(service('redis').networks).toEqual(['inside']);
  expect(service('redis-keys').networks).toEqual(['inside']);
  expect(service('inference').networks).toEqual(['inside']);
});

test('the site is replaced once the new gateway is ready', () => {
  expect(service('web').depends_on).toEqual({ gateway: { condition: 'service_healthy' } });
});

test('the gateway waits for its dependencies, and its drain outlasts the longest request', () => {
  expect(service('gateway').depends_on).toEqual({
    redis: { condition: 'service_healthy' },
    'redis-keys': { condition: 'service_healthy' },
    inference: { condition: 'service_healthy' },
  });
  // 65 s for requests and 5 s to settle: "Shutdown" in operations/failures.mdx of the documentation.
  expect(seconds(service('gateway').stop_grace_period)).toBeGreaterThanOrEqual(75);
  const [web] = readDockerfile(join(__dirname, 'web.Dockerfile')).stages.slice(-1);
  const drainMs = Number(environmentOf(web!).get('WEB_DRAIN_MS'));
  expect(1_000 * seconds(service('web').stop_grace_period)).toBeGreaterThan(drainMs);
});

test('the tiers accept their configuration', () => {
  const secret = '00'.repeat(32);
  const given = {
    KEY_SECRET: secret,
    ADMIN_TOKEN: secret,
    REDIS_PASSWORD: secret,
    REDIS_KEYS_PASSWORD: '11'.repeat(32),
  };
  const filled = (name: string) =>
    Object.fromEntries(
      Object.entries(service(name).environment).map(([variable, value]) => [
        variable,
        withDefaults(value, given),
      ]),
    );
  const known = { gateway: readGateway(filled('gateway')), inference: readInference(filled('inference')) };
  for (const name of ['gateway', 'inference'] as const) {
    for (const variable of Object.keys(service(name).environment)) {
      expect(Object.keys(known[name])).toContain(variable);
    }
  }
  expect(known.gateway.REDIS_URL).toBe(`redis://:${secret}@redis:6379`);
  expect(known.gateway.REDIS_SESSION_KEYS_URL).toBe(`redis://:${given.REDIS_KEYS_PASSWORD}@redis-keys:6379`);
  const journal = readDockerfile(join(__dirname, 'gateway.Dockerfile')).stages.at(-1)!;
  expect(service('gateway').volumes).toEqual([`journal:${environmentOf(journal).get('GATEWAY_JOURNAL')}`]);
});

describe('compose.monitoring.yaml', () => {
  const watching = parse(readFileSync(join(__dirname, 'compose.monitoring.yaml'), 'utf8'), { merge: true });
  const added: Record<string, Service & { network_mode?: string }> = watching.services;

  test.each(Object.entries(added))('%s has limits, and is reachable from this machine only', (_, service) => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      user: '65534:65534',
      deploy: { resources: { limits: { pids: 64, memory: expect.any(String), cpus: expect.any(String) } } },
    });
    expect(service.image).toMatch(/:v\d+\.\d+\.\d+@sha256:[0-9a-f]{64}$/);
    for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/);
    for (const volume of service.volumes ?? []) expect(volume).toMatch(/^(\.\.?\/.*:ro|\w+:\/\w+)$/);
  });

  test('scrapes every target, under the job names that the rules select', () => {
    const targets: { targets: string[]; labels: { job: string } }[] = parse(
      readFileSync(join(__dirname, 'targets.yaml'), 'utf8'),
    );
    const secret = '00'.repeat(32);
    const gateway = readGateway({ KEY_SECRET: secret, ADMIN_TOKEN: secret });
    expect(targets.map(({ targets: [address], labels }) => [labels.job, address])).toEqual([
      ['gateway', `gateway:${gateway.GATEWAY_METRICS_PORT}`],
      ['inference', `inference:${readInference({}).INFERENCE_PORT}`],
      ['redis', 'redis-exporter:9121'],
      ['redis-keys', 'redis-keys-exporter:9121'],
    ]);
    for (const { targets: names } of targets) {
      const [name = ''] = (names[0] as string).split(':');
      expect((services[name] ?? added[name])?.networks).toContain('inside');
    }
    expect(added.prometheus?.networks).toContain('inside');
    expect(added.prometheus?.volumes).toContain('./targets.yaml:/etc/prometheus/targets.yaml:ro');
  });

  test('gives Prometheus its Alertmanager where prometheus.yaml looks for it', () => {
    const { alerting } = parse(readFileSync(join(ROOT, 'deploy/monitoring/prometheus.yaml'), 'utf8'));
    expect(alerting.alertmanagers).toEqual([{ static_configs: [{ targets: ['127.0.0.1:9093'] }] }]);
    expect(added.alertmanager?.network_mode).toBe('service:prometheus');
  });
});

describe('its Redis', () => {
  const env = { PATH: process.env.PATH, REDIS_PASSWORD: PASSWORD };

  const [shell = '', flag = ''] = service('redis').command ?? [];

  /** Runs one by its own command, in a folder, until `use` is done. */
  async function withRedis(
    folder: string,
    use: (ask: Ask, pid?: number) => void | Promise<void>,
    name = 'redis',
  ) {
    const script = service(name).command?.[2] ?? '';
    const port = await freePort();
    const localScript = script
      .replaceAll('$$', '$')
      .replace('/data/temp', `${folder}/temp`)
      .replace('dir /data', `dir ${folder}\nport ${port}\nbind 127.0.0.1`);
    const redis = await startProcess(shell, [flag, localScript], {
      env,
      ready: 'Ready to accept connections',
    });
    const ask = (args: string[], password = PASSWORD) =>
      execFileSync('redis-cli', ['-p', String(port), ...args], {
        env: { ...env, REDISCLI_AUTH: password },
        stdio: ['ignore', 'pipe', 'ignore'],
      });
    try {
      await use(ask, redis.pid);
    } finally {
      expect(await redis.stop()).toEqual({ code: 0, signal: null });
    }
  }
  type Ask = (args: string[], password?: string) => Buffer;

  test('starts with its settings, and requires the password', async () => {
    await withFolder((folder) =>
      withRedis(folder, (ask, pid) => {
        for (const [setting, value] of [
          ['appendonly', 'yes'],
          ['appendfsync', 'everysec'],
          ['maxmemory-policy', 'noeviction'],
          ['maxmemory', String(1024 ** 3)],
        ] as const) {
          expect(ask(['config', 'get', setting]).toString().trim()).toBe(`${setting}\n${value}`);
        }
        expect(ask(['ping'], 'another').toString()).toMatch(/^NOAUTH/);
        const [, program = '', ...args] = service('redis').healthcheck.test;
        const port = ask(['config', 'get', 'port']).toString().split('\n')[1] ?? '';
        const check = (password: string) =>
          spawnSync(program, ['-p', port, ...args], { env: { ...env, REDISCLI_AUTH: password } }).status;
        expect([check(PASSWORD), check('another')]).toEqual([0, 1]);
        const list = execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
        // Redis is the process itself, so it receives signals, and its arguments contain no password.
        expect(list).toMatch(/^redis-server/);
        expect(list).not.toContain(PASSWORD);
      }),
    );
  });

  test('the one for keys is what a gateway accepts, and removes what a killed rewrite left', async () => {
    await withFolder(async (folder) => {
      writeFileSync(join(folder, 'temp-17.aof'), 'an erased key');
      const check = async (ask: Ask) => {
        expect(ask(['config', 'get', 'maxmemory-policy']).toString()).toContain('noeviction');
        const port = ask(['config', 'get', 'port']).toString().split('\n')[1];
        const url = `redis://:${PASSWORD}@127.0.0.1:${port}`;
        (await connectSessionKeys(url, () => {})).redis.disconnect();
        expect(readdirSync(folder)).toEqual(['appendonlydir']);
      };
      await withRedis(folder, check, 'redis-keys');
    });
  });

  const restore = (folder: string, input: string | Buffer, path = env.PATH) =>
    spawnSync(shell, [flag, readFileSync(join(__dirname, 'restore.sh'), 'utf8')], {
      env: { PATH: path, REDISCLI_AUTH: PASSWORD, DATA: folder },
      input,
      encoding: 'utf8',
    });

  test('is restored from a backup, and a file that is not a backup changes nothing', async () => {
    await withFolder(async (folder) => {
      let backup: Buffer = Buffer.alloc(0);
      await withRedis(folder, (ask) => {
        ask(['set', 'counted', '7']);
        backup = ask(['--rdb', '-']);
        ask(['set', 'counted', '8']);
      });
      const refused = restore(folder, 'no backup');
      expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('Nothing was changed')]);
      await withRedis(folder, (ask) => expect(ask(['get', 'counted']).toString()).toBe('8\n'));

      expect(restore(folder, backup)).toMatchObject({ status: 0, stdout: 'Restored 1 keys.\n' });
      await withRedis(folder, (ask) => expect(ask(['get', 'counted']).toString()).toBe('7\n'));
      expect(readdirSync(folder)).toEqual(['appendonlydir']);
    });
  });

  test('is not reported as restored if the append-only file cannot be written', async () => {
    await withFolder(async (programs) => {
      // Its files may have 64 blocks, less than the backup.
      const limited = `#!/bin/sh\nulimit -f 64\nPATH='${env.PATH}'\nexec redis-server "$@"\n`;
      writeFileSync(join(programs, 'redis-server'), limited, { mode: 0o755 });
      await withFolder(async (folder) => {
        let backup: Buffer = Buffer.alloc(0);
        await withRedis(folder, (ask) => {
          ask(['set', 'large', randomBytes(50_000).toString('hex')]);
          backup = ask(['--rdb', '-']);
        });
        const failed = restore(folder, backup, `${programs}:${env.PATH}`);
        expect(failed).toMatchObject({ status: 1, stdout: '' });
        expect(failed.stderr).toContain('was not restored');
        expect(readdirSync(folder)).toEqual([]);
      });
    });
  });
});

describe('secrets.mjs', () => {
  const make = (file: string) => runToEnd(process.execPath, [join(__dirname, 'secrets.mjs'), file]);

  test('writes every secret of compose.yaml, readable by the owner only, and never replaces one', async () => {
    await withFolder(async (folder) => {
      const file = join(folder, '.env');
      expect((await make(file)).code).toBe(0);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      const written = readFileSync(file, 'utf8');
      const asked = new Set(
        [...readFileSync(join(__dirname, 'compose.yaml'), 'utf8').matchAll(/\$\{(\w+):\?/g)].map(
          ([, name]) => name,
        ),
      );
      const values = [...written.matchAll(/^(\w+)=([0-9a-f]{64})$/gm)];
      expect(new Set(values.map(([, name]) => name))).toEqual(asked);
      expect(new Set(values.map(([, , value]) => value)).size).toBe(asked.size);
      expect(await make(file)).toMatchObject({
        code: 1,
        stderr: `${file} already exists and was not changed.\n`,
      });
      expect(readFileSync(file, 'utf8')).toBe(written);
    });
  });

  test('adds the secrets that a file of an earlier version lacks, and changes no line of it', async () => {
    await withFolder(async (folder) => {
      const file = join(folder, '.env');
      const before = `KEY_SECRET=${'ab'.repeat(32)}\nADMIN_TOKEN=mine\nREDIS_PASSWORD=mine\nCONSOLE=off`;
      writeFileSync(file, before, { mode: 0o600 });
      expect(await make(file)).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('Added REDIS_KEYS_PASSWORD to'),
      });
      const after = readFileSync(file, 'utf8');
      expect(after.startsWith(`${before}\n`)).toBe(true);
      expect(after.slice(before.length)).toMatch(/^\n# .+\nREDIS_KEYS_PASSWORD=[0-9a-f]{64}\n$/);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect((await make(file)).code).toBe(1);
    });
  });

  test('writes to a file that git and the build ignore', () => {
    expect(readFileSync(join(ROOT, '.gitignore'), 'utf8').split('\n')).toContain('.env');
    expect(readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n')).toContain('**/.env*');
  });
});

/** Puts variables in as Docker Compose does: given ones, else the default. */
function withDefaults(text: string, given: Record<string, string> = {}): string {
  return text.replace(
    /\$\{(\w+)(?::-([^}]*)|:\?[^}]*)?\}/g,
    (_, name, fallback = '') => given[name] ?? fallback,
  );
}
