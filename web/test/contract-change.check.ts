/** Changes of a plan's price or an error's text in the contract reach the site with the next build. */
import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import errors from '@presenza/contract/errors.json';
import plans from '@presenza/contract/plans.json';

const ROOT = join(__dirname, '..', '..');
const GATSBY = createRequire(join(ROOT, 'web', 'package.json')).resolve('gatsby/cli.js');
const BUILT = ['.cache', 'public'];

let checkout: string;
beforeAll(() => {
  checkout = mkdtempSync(join(tmpdir(), 'presenza-contract-'));
  // Site and contract are copies; other inputs stay in place.
  linkAll(ROOT, checkout, ['web', 'gateway', 'node_modules']);
  cpSync(join(ROOT, 'web'), join(checkout, 'web'), {
    recursive: true,
    filter: (path) => !BUILT.includes(basename(path)),
  });
  linkAll(join(ROOT, 'gateway'), join(checkout, 'gateway'), ['contract']);
  cpSync(join(ROOT, 'gateway', 'contract'), join(checkout, 'gateway', 'contract'), { recursive: true });
  linkAll(join(ROOT, 'node_modules'), join(checkout, 'node_modules'), ['@presenza', '.cache']);
  // The relative links of workspaces point to the copies here.
  cpSync(join(ROOT, 'node_modules', '@presenza'), join(checkout, 'node_modules', '@presenza'), {
    recursive: true,
    verbatimSymlinks: true,
  });
});
afterAll(() => rmSync(checkout, { recursive: true }));

function linkAll(from: string, to: string, except: readonly string[]): void {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    if (!except.includes(name)) symlinkSync(join(from, name), join(to, name));
  }
}

/** Replaces a text of the contract, also in its examples. */
function edit(old: string, now: string): void {
  const contract = join(checkout, 'gateway', 'contract');
  const files = readdirSync(contract, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => name.endsWith('.json'))) {
    const text = readFileSync(join(contract, file), 'utf8');
    if (text.includes(old)) writeFileSync(join(contract, file), text.replaceAll(old, now));
  }
}

/** Files of the built site that contain a text. */
const holding = (folder: string, text: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:html|js|json|md|txt|xml)$/.test(file))
    .filter((file) => statSync(join(folder, file)).isFile())
    .filter((file) => readFileSync(join(folder, file), 'utf8').includes(text))
    .sort();

test('the next build contains the new price and text wherever the last one contained the old ones', async () => {
  const growth = plans.find(({ tier }) => tier === 'growth') as (typeof plans)[number];
  const { message } = errors.INVALID_API_KEY;
  const texts = [
    { old: growth.display.price, now: '$27', place: 'pricing/index.html' },
    { old: message, now: 'Nobody knows this key.', place: 'docs/api-reference/errors/index.html' },
  ];
  const built = join(ROOT, 'web', 'public');
  const before = texts.map(({ old }) => holding(built, old));
  edit(`"basePrice": ${growth.pricing.basePrice}`, '"basePrice": 27');
  for (const { old, now } of texts) edit(old, now);

  const env = { ...process.env, NODE_ENV: 'production', CI: 'true' };
  await promisify(execFile)(process.execPath, [GATSBY, 'build'], {
    cwd: join(checkout, 'web'),
    env,
    maxBuffer: 2 ** 26,
  });
  const rebuilt = join(checkout, 'web', 'public');
  for (const [index, { old, now, place }] of texts.entries()) {
    expect(before[index]).toContain(place);
    expect(holding(rebuilt, now)).toEqual(before[index]);
    expect(holding(rebuilt, old)).toEqual([]);
  }
}, 900_000);
