/**
 * Every command of the documentation that downloads or installs something from the site, run as pasted in an empty folder
 * against a served site. Only the build of the Java library is left to `npm run test:clients`, because Maven needs a network.
 *
 * Slow: it installs packages as npm, pip and Go do.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { version } from '@presenza/contract/package.json';
import {
  type RunningSite,
  removeFolder,
  runToEnd,
  startSite,
  temporaryFolder,
} from '../../gateway/harness/index.mjs';
import { isDownload, ROOT, type Sample, samples } from './samples/blocks';

/** Commands that are not installed here, or that need a network. */
const STAND_INS = `set -euo pipefail
flutter() { :; }
mvn() { test -f "$2/pom.xml"; }
`;
const CLIENTS = join(ROOT, 'gateway/contract/clients');

let site: RunningSite;
let folder: string;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.stop());
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => removeFolder(folder));

const run = (script: string, env: Readonly<Record<string, string>> = {}) =>
  runToEnd('bash', ['-c', STAND_INS + script], { cwd: folder, env });
const filled = ({ code }: Sample) => code.replaceAll('{siteUrl}', site.url).replaceAll('{version}', version);
const isInstalled = (command: string) => spawnSync(command, ['--version']).error === undefined;

const downloads = samples.filter(isDownload);
const using = (program: string) => downloads.filter(({ code }) => code.startsWith(program));
const unpacked = downloads.filter(({ code }) => code.includes('| tar -xz'));

test('all guides and the page of the libraries have a command', () => {
  const pages = downloads.map(({ file }) => file.replace(/^web\/content\/docs\/|\.mdx$/g, ''));
  expect(new Set(pages)).toEqual(
    new Set([
      ...['android', 'flutter', 'ios', 'web'].map((app) => `${app}/api-integration`),
      'api-reference/handlers',
      'api-reference/sdks',
      'downloads',
      'get-started',
      'local-webhooks',
    ]),
  );
});

test.each(unpacked)('$file: the archive has the folder in which the commands go on', async (sample) => {
  expect(await run(filled(sample))).toMatchObject({ code: 0 });
  const [, name = ''] = /\/([a-z-]+?)(?:-\{version\})?\.tgz/.exec(sample.code) ?? [];
  expect(existsSync(join(folder, name, 'README.md'))).toBe(true);
});

test('the checksum of a download is the one that its page lists', async () => {
  const [sample] = downloads.filter(({ file }) => file.endsWith('/downloads.mdx')) as [Sample];
  const { code, stdout } = await run(filled(sample));
  const page = await (await fetch(`${site.url}/docs/downloads`)).text();
  expect([code, page.includes(stdout.split(' ')[0] ?? '')]).toEqual([0, true]);
});

test.each(using('npm'))('$file: npm installs a package that Node.js and bundlers find', async (sample) => {
  expect(await run(filled(sample))).toMatchObject({ code: 0 });
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const [[name]] = Object.entries(dependencies) as [[string, unknown]];
  const resolved = `import.meta.resolve('${name}')`;
  const { stdout } = await runToEnd(
    process.execPath,
    ['--input-type=module', '-e', `console.log(${resolved})`],
    {
      cwd: folder,
    },
  );
  expect(existsSync(new URL(stdout.trim()))).toBe(true);
});

test.each(using('pip'))('$file: pip installs the wheel with the version of the product', async (sample) => {
  // Without its dependencies, which come from a network.
  const script = `python3 -m venv . && . bin/activate && ${filled(sample)}`;
  expect(await run(script, { PIP_NO_DEPS: '1' })).toMatchObject({ code: 0 });
  const { stdout } = await run('bin/pip show --files presenza');
  expect(stdout).toContain(`Version: ${version}\n`);
  expect(stdout).toContain('presenza/operations.py');
});

const go = isInstalled('go') ? test : test.skip;
go.each(using('go'))('$file: Go gets the module, and the program of its README compiles', async (sample) => {
  const env = { GOPATH: join(folder, 'packages'), GOFLAGS: '-modcacherw' };
  expect(await run(filled(sample), env)).toMatchObject({ code: 0 });
  const readme = readFileSync(join(CLIENTS, 'go/README.md'), 'utf8');
  writeFileSync(join(folder, 'main.go'), /```go\n([\s\S]*?)```/.exec(readme)?.[1] ?? '');
  expect(await run('go build -o program .', env)).toMatchObject({ code: 0 });
});
