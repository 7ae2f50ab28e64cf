// What must be there before anything starts, and the sentences that say so.

import { createHash } from 'node:crypto';
import { evaluate, listen, sentenceOf } from '../testing';

describe('checkNode', () => {
  const check = (version: string, platform = 'linux') =>
    sentenceOf(
      `import { checkNode } from './cli/node-version.mjs';\ncheckNode('${version}', '${platform}'); print('fine');`,
    );

  it.each(['20.9.0', '20.20.2', '22.0.0', '24.1.0'])('takes Node %s', async (version) => {
    expect(await check(version)).toBe('fine');
  });

  it.each(['18.20.0', '20.8.1', '9.11.2'])('refuses Node %s with the remedy', async (version) => {
    expect(await check(version)).toBe(
      `Presenza needs Node 20.9 or later and this is Node ${version}: install Node 20, 22 or 24 from nodejs.org or with your version manager.`,
    );
  });

  it('sends Windows to WSL', async () => {
    expect(await check('22.0.0', 'win32')).toMatch(/inside WSL\.$/);
  });
});

describe('requireFreePorts', () => {
  const require = (port: number) =>
    sentenceOf(
      `import { requireFreePorts } from './start/free-ports.mjs';\nawait requireFreePorts([['gateway', ${port}]]); print('free');`,
    );

  it('names a port that something listens on, then finds it free', async () => {
    const { server, port } = await listen();
    expect(await require(port)).toBe(
      `Port ${port} (GATEWAY_PORT) is already in use; stop what listens there or set GATEWAY_PORT to another.`,
    );
    await new Promise((resolve) => server.close(resolve));
    expect(await require(port)).toBe('free');
  });
});

describe('requireProgram', () => {
  const program = (name: 'REDIS' | 'CHROMIUM') =>
    `import { ${name}, missing, requireProgram } from './setup/system-packages.mjs';\n`;

  it('stops with the remedy when Redis is missing and nothing can install it', async () => {
    const attempt = `await requireProgram(REDIS, { step: () => {}, abort: new AbortController().signal });`;
    expect(await sentenceOf(program('REDIS') + attempt, { PATH: '' })).toBe(
      'redis-server is missing: install Redis 7 (on macOS `brew install redis`), or set REDIS_URL to a Redis 7 you have.',
    );
  });

  it('names the Debian package where root is needed', async () => {
    expect(await evaluate(`${program('REDIS')}print(missing(REDIS, true));`)).toEqual([
      'redis-server is missing and cannot be installed without root: run `sudo apt-get install redis-server`, or set REDIS_URL to a Redis 7 you have.',
    ]);
    expect(await evaluate(`${program('CHROMIUM')}print(missing(CHROMIUM, true));`)).toEqual([
      expect.stringContaining('run `sudo apt-get install chromium`, or '),
    ]);
  });

  it('finds a program on the PATH and takes no folder for one', async () => {
    const found = await evaluate(
      `import { findProgram } from './setup/system-packages.mjs';
       print(findProgram('sh')); print(findProgram('bin', '/usr')); print(findProgram('sh', ''));`,
    );
    expect(found).toEqual([expect.stringMatching(/\/sh$/), null, null]);
  });
});

describe('packagesStamp', () => {
  it('depends on the lockfile, Node’s major version, the machine and CUDA', async () => {
    const stamps = await evaluate(`
      import { packagesStamp } from './setup/npm.mjs';
      const base = { lockfile: Buffer.from('{}'), cuda: false, nodeVersion: '20.9.0', platform: 'linux', arch: 'x64' };
      for (const change of [{}, { nodeVersion: '20.20.2' }, { lockfile: Buffer.from('{ }') }, { nodeVersion: '22.9.0' },
        { platform: 'darwin' }, { arch: 'arm64' }, { cuda: true }]) print(packagesStamp({ ...base, ...change }));`);
    const [base, samePackages, ...others] = stamps;
    expect(base).toBe(`${createHash('sha256').update('{}').digest('hex')} node20 linux x64 cuda:false`);
    expect(samePackages).toBe(base);
    expect(new Set([base, ...others]).size).toBe(6);
  });
});
