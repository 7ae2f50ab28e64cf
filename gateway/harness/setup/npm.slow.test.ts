// Slow: npm installs packages from a registry of the test.
// The installation of packages, by the real npm, from a repository whose packages are folders.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Interrupted } from '../cli/stop.mjs';
import { withFolder } from '../folders.mjs';
import { runToEnd } from '../process.mjs';
import { type Extent, installPackages, unpackingFailure, withAddresses } from './npm.mjs';
import { readStamp } from './stamps.mjs';

/** Time for several runs of npm on a busy machine. */
const INSTALLATIONS_MS = 180_000;

interface Manifest {
  name: string;
  version?: string;
  workspaces?: string[];
  dependencies?: Record<string, string>;
}

function writePackage(folder: string, manifest: Manifest) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ version: '1.0.0', ...manifest }));
}

/** A repository with the workspaces of the API and one of the site. Each has a package of its own, packed as an archive. */
async function createRepository(root: string) {
  const npm = async (...args: string[]) => {
    const outcome = await runToEnd('npm', args, { cwd: root });
    expect(outcome).toMatchObject({ code: 0 });
  };
  for (const name of ['of-api', 'of-site']) writePackage(join(root, 'packed', name), { name });
  writePackage(root, { name: 'repository', workspaces: ['gateway/contract', 'gateway', 'inference', 'web'] });
  await npm('pack', './packed/of-api', './packed/of-site', '--workspaces=false');
  const archive = (name: string) => `file:${join(root, `${name}-1.0.0.tgz`)}`;
  writePackage(join(root, 'gateway'), { name: 'gateway', dependencies: { 'of-api': archive('of-api') } });
  for (const path of ['gateway/contract', 'inference'])
    writePackage(join(root, path), { name: path.replace('/', '-') });
  writePackage(join(root, 'web'), { name: 'web', dependencies: { 'of-site': archive('of-site') } });
  await npm('install', '--package-lock-only', '--no-audit', '--no-fund');
}

/** Installs, and returns the titles of the steps and the lines. */
async function install(root: string, extent: Extent, { interrupt = false } = {}) {
  const printed: string[] = [];
  const interruption = new AbortController();
  await installPackages({
    step: async (title, work) => {
      printed.push(title);
      const working = work(() => {});
      if (interrupt) interruption.abort(new Interrupted('SIGINT'));
      await working;
    },
    say: (line) => printed.push(line),
    abort: interruption.signal,
    cuda: false,
    extent,
    root,
    unfinished: join(root, 'state/unfinished'),
  });
  return printed;
}

const installed = (root: string) =>
  readdirSync(join(root, 'node_modules')).filter((name) => name.startsWith('of-'));

it(
  'installs the packages of the API first, adds the others beside them, and replaces what an interruption left',
  async () => {
    await withFolder(async (root) => {
      await createRepository(root);
      const lockfile = readFileSync(join(root, 'package-lock.json'), 'utf8');
      const [modules, unfinished] = [join(root, 'node_modules'), join(root, 'state/unfinished')];

      expect(await install(root, 'api')).toEqual(['installing the packages of the API']);
      expect([installed(root), await install(root, 'api')]).toEqual([['of-api'], []]);
      const file = join(modules, 'of-api/package.json');
      const { ino } = statSync(file);
      expect(await install(root, 'all')).toEqual(['installing the packages of the site']);
      expect([installed(root), statSync(file).ino]).toEqual([['of-api', 'of-site'], ino]);
      expect([await install(root, 'all'), await install(root, 'api')]).toEqual([[], []]);
      expect([readFileSync(join(root, 'package-lock.json'), 'utf8'), existsSync(unfinished)]).toEqual([
        lockfile,
        false,
      ]);

      writeFileSync(join(root, 'package-lock.json'), `${lockfile}\n`);
      await expect(install(root, 'all', { interrupt: true })).rejects.toBeInstanceOf(Interrupted);
      expect([readStamp(modules), existsSync(unfinished)]).toEqual([undefined, true]);
      expect(await install(root, 'all')).toEqual([
        'an earlier installation did not finish, so packages are installed anew',
        'installing packages',
      ]);
      expect([installed(root), await install(root, 'all'), existsSync(unfinished)]).toEqual([
        ['of-api', 'of-site'],
        [],
        false,
      ]);
    });
  },
  INSTALLATIONS_MS,
);

it(
  'keeps the packages of the API when the installation of the others is interrupted, and replaces a missing package',
  async () => {
    await withFolder(async (root) => {
      await createRepository(root);
      const modules = join(root, 'node_modules');
      await install(root, 'api');
      await expect(install(root, 'all', { interrupt: true })).rejects.toBeInstanceOf(Interrupted);
      // An interruption in the middle of an archive leaves this state.
      writePackage(join(modules, 'of-site'), { name: 'of-site' });
      writeFileSync(join(modules, 'of-site/partial'), '');
      expect(await install(root, 'api')).toEqual([]);
      expect(await install(root, 'all')).toEqual([
        'an earlier installation did not finish, so packages are installed anew',
        'installing the packages of the site',
      ]);
      expect(readdirSync(join(modules, 'of-site'))).toEqual(['package.json']);

      for (const name of ['of-api', 'of-site']) {
        rmSync(join(modules, name), { recursive: true });
        expect(await install(root, 'all')).toEqual([
          `${join(modules, name)}/package.json is missing, so packages are installed anew`,
          'installing packages',
        ]);
        expect(installed(root)).toEqual(['of-api', 'of-site']);
      }
    });
  },
  INSTALLATIONS_MS,
);

describe('a failed installation reports its cause', () => {
  const rollback =
    "npm warn tar TAR_ENTRY_ERROR ENOENT: no such file or directory, open '/app/node_modules/a/b.d.ts'";
  const error = (code: string, syscall: string) =>
    ['', `code ${code}`, `syscall ${syscall}`, 'path /somewhere'].map((field) => `npm error ${field}`);
  it.each([
    [
      'a folder without access',
      [rollback, ...error('EACCES', 'mkdir')],
      1,
      /^\/somewhere cannot be used \(EACCES\)/,
    ],
    [
      'a read-only folder',
      [rollback, ...error('ENOENT', 'mkdir')],
      1,
      /^\/somewhere cannot be used \(EROFS\)/,
    ],
    ['a file for a folder', [...error('ENOTDIR', 'mkdir')], 1, /^\/somewhere cannot be used \(ENOTDIR\)/],
    ['a full disk', [rollback, ...error('ENOSPC', 'write')], 1, /^The disk is full: \/somewhere/],
    ['an older npm', ['npm ERR! code EROFS', 'npm ERR! path /somewhere'], 1, /^\/somewhere cannot be used/],
    ['another error', [rollback, 'npm error code E500'], 1, /ended with exit code 1/],
    ['a file that is missing in the end', [rollback], 0, /^npm cannot unpack packages into .*b\.d\.ts/],
  ])('%s', async (_cause, lines, code, message) => {
    const cli = process.env.npm_execpath;
    await withFolder(async (root) => {
      writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages: {} }));
      writeFileSync(
        join(root, 'npm-cli.js'),
        `if (process.argv[2] === 'ci') {
          console.log(${JSON.stringify(lines.join('\n'))});
          process.exitCode = ${code};
        }`,
      );
      process.env.npm_execpath = join(root, 'npm-cli.js');
      await expect(install(root, 'all')).rejects.toThrow(message);
    }).finally(() => {
      if (cli === undefined) delete process.env.npm_execpath;
      else process.env.npm_execpath = cli;
    });
  });
});

it('adds the address of each archive to a lockfile, except for folders and archives with an address', () => {
  const packages = {
    '': { version: '1.0.0' },
    gateway: { version: '1.0.0' },
    'node_modules/@presenza/gateway': { link: true, resolved: 'gateway' },
    'node_modules/plain': { version: '1.2.3' },
    'gateway/node_modules/@scope/name': { version: '2.0.0-rc.1' },
    'node_modules/alias': { version: '3.0.0', name: '@other/origin' },
    'node_modules/local': { version: '1.0.0', resolved: 'file:local.tgz' },
  };
  expect(withAddresses({ packages }, 'https://registry.example/npm/').packages).toEqual({
    ...packages,
    'node_modules/plain': {
      version: '1.2.3',
      resolved: 'https://registry.example/npm/plain/-/plain-1.2.3.tgz',
    },
    'gateway/node_modules/@scope/name': {
      version: '2.0.0-rc.1',
      resolved: 'https://registry.example/npm/@scope/name/-/name-2.0.0-rc.1.tgz',
    },
    'node_modules/alias': {
      version: '3.0.0',
      name: '@other/origin',
      resolved: 'https://registry.example/npm/@other/origin/-/origin-3.0.0.tgz',
    },
  });
});

it('stops at the first file that npm cannot unpack, since npm itself goes on', () => {
  const full = 'npm warn tar TAR_ENTRY_ERROR ENOSPC: no space left on device, write';
  expect(unpackingFailure(full, '/app/node_modules')?.message).toBe(
    'The disk is full: npm cannot unpack packages into /app/node_modules. Free some space and repeat the command.',
  );
  expect(unpackingFailure('npm warn deprecated inflight@1.0.6', '/app/node_modules')).toBeUndefined();
});
