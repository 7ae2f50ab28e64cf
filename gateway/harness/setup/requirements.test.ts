// The requirements of a start, and the sentences that name what is missing.

import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkNode } from '../cli/node-version.mjs';
import { withFolder } from '../folders.mjs';
import { packagesStamp } from './npm.mjs';
import { CHROMIUM, checkRedisVersion, findProgram, installerOf, missing, REDIS } from './system-packages.mjs';

describe('checkNode', () => {
  it.each(['20.9.0', '20.20.2', '22.0.0', '24.1.0'])('accepts Node %s', (version) => {
    expect(() => checkNode(version, 'linux')).not.toThrow();
  });

  it.each(['18.20.0', '20.8.1', '9.11.2'])('rejects Node %s with the remedy', (version) => {
    expect(() => checkNode(version, 'linux')).toThrow(
      `Presenza needs Node 20.9 or later and this is Node ${version}: install Node 20, 22 or 24 from nodejs.org or with your version manager.`,
    );
  });

  it('sends users of Windows to WSL', () => {
    expect(() => checkNode('22.0.0', 'win32')).toThrow(/inside WSL\.$/);
  });
});

describe('installerOf', () => {
  const { PATH } = process.env;
  afterEach(() => {
    process.env.PATH = PATH;
  });

  it('stops with the remedy when Redis is missing and nothing can install it', () => {
    process.env.PATH = '';
    expect(() => installerOf(REDIS)).toThrow(
      'redis-server is missing: install Redis 7 (on macOS `brew install redis`), or set REDIS_URL to a Redis 7 you have.',
    );
  });

  it('names the Debian package where root is needed', () => {
    expect(missing(REDIS, true)).toBe(
      'redis-server is missing and cannot be installed without root: run `sudo apt-get install redis-server`, or set REDIS_URL to a Redis 7 you have.',
    );
    expect(missing(CHROMIUM, true)).toContain('run `sudo apt-get install chromium`, or ');
  });

  it('finds a program on the PATH and does not mistake a folder for one', () => {
    const programs = [findProgram('sh'), findProgram('bin', '/usr'), findProgram('sh', '')];
    expect(programs).toEqual([expect.stringMatching(/\/sh$/), undefined, undefined]);
  });
});

it('rejects a Redis that is too old', async () => {
  await withFolder((folder) => {
    const program = join(folder, 'redis-server');
    const install = (version: string) =>
      writeFileSync(program, `#!/bin/sh\necho "Redis server v=${version} sha=00000000:0 bits=64"\n`, {
        mode: 0o755,
      });
    install('6.0.16');
    expect(() => checkRedisVersion(program)).toThrow(/is Redis 6: install a newer one, or set REDIS_URL/);
    for (const version of ['7.0.15', '10.1.0']) {
      install(version);
      checkRedisVersion(program);
    }
  });
});

test('the stamp of the packages depends on the lockfile, Node’s major version, the machine, CUDA and the extent', () => {
  const base: Parameters<typeof packagesStamp>[0] = {
    lockfile: Buffer.from('{}'),
    cuda: false,
    extent: 'all',
    nodeVersion: '20.9.0',
    platform: 'linux',
    arch: 'x64',
  };
  const stampOf = (change: Partial<typeof base>) => packagesStamp({ ...base, ...change });
  const hash = createHash('sha256').update('{}').digest('hex');
  expect(stampOf({})).toBe(`${hash} node20 linux x64 cuda:false`);
  expect(stampOf({ nodeVersion: '20.20.2' })).toBe(stampOf({}));
  const stamps = [
    {},
    { lockfile: Buffer.from('{ }') },
    { nodeVersion: '22.9.0' },
    { platform: 'darwin' },
    { arch: 'arm64' },
    { cuda: true },
    { extent: 'api' as const },
  ].map(stampOf);
  expect(new Set(stamps).size).toBe(7);
});
