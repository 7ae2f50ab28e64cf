import { isAlive, recordOf } from '../../../gateway/harness/cli/process-identity.mjs';
import { waitUntil } from '../../../gateway/harness/wait.mjs';
import { Tiers } from './tiers.mjs';

const polite = `
  process.on('SIGTERM', () => { console.log('bye'); process.exit(); });
  setInterval(() => {}, 1e6);
  console.log('up')`;

let lines: string[];
let tiers: Tiers;
beforeEach(() => {
  lines = [];
  tiers = new Tiers((tier, line) => lines.push(`${tier}: ${line}`));
});
afterEach(() => tiers.kill());

const start = (name: string, code: string) =>
  tiers.start(name, { command: process.execPath, args: ['-e', code] });
const printed = (line: string) => waitUntil(`it prints ${line}`, () => lines.includes(line));

it('stops the tiers one after the other, in the given order', async () => {
  const names = ['redis', 'gateway', 'site'];
  for (const name of names) start(name, polite);
  for (const name of names) await printed(`${name}: up`);
  await tiers.stop(['site', 'gateway', 'absent', 'redis']);
  expect(lines.slice(3)).toEqual(['site: bye', 'gateway: bye', 'redis: bye']);
});

it('kills a tier that does not stop in time, with everything it started', async () => {
  const record = recordOf(
    start(
      'gateway',
      `process.on('SIGTERM', () => {});
       require('node:child_process').spawn('sleep', ['60'], { stdio: 'inherit' });
       setInterval(() => {}, 1e6);
       console.log('up')`,
    ),
  );
  await printed('gateway: up');
  await tiers.stop(['gateway'], 200);
  expect(lines).toEqual(['gateway: up', 'gateway: did not stop within 0.2 s and is killed']);
  expect(isAlive(record)).toBe(false);
});

it('reports a tier that ends by itself after the tier’s last lines', async () => {
  start('inference', "console.log('out of memory'); process.exit(9)");
  await expect(tiers.death).rejects.toThrow(
    'inference ended unexpectedly (exit code 9); its last lines are above.',
  );
  expect(lines).toEqual(['inference: out of memory']);
});

it('starts nothing once it is stopping, and names a program that cannot be run', async () => {
  const absent = () => tiers.start('redis', { command: '/nowhere/redis-server', args: [] });
  expect(absent).toThrow('redis could not be started: /nowhere/redis-server cannot be run.');
  await tiers.stop([]);
  expect(() => start('gateway', polite)).toThrow(
    'gateway is not started, since everything is being stopped.',
  );
});
