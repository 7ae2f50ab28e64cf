import { evaluate } from '../testing';

const TIERS = `
  import { once } from 'node:events';
  import { Tiers } from './start/tiers.mjs';
  const waiting = new Map();
  const said = (line) => new Promise((resolve) => waiting.set(line, resolve));
  const tiers = new Tiers((tier, line) => { print(tier + ': ' + line); waiting.get(line)?.(); });
  const start = (name, code) => tiers.start(name, { command: process.execPath, args: ['-e', code] });
  const polite = "process.on('SIGTERM', () => { console.log('bye'); process.exit(); }); setInterval(() => {}, 1e6); console.log('up')";
`;

it('stops in the order asked for, one after the other', async () => {
  const printed = await evaluate(`${TIERS}
    for (const name of ['redis', 'gateway', 'site']) { const up = said('up'); start(name, polite); await up; }
    await tiers.stop(['site', 'gateway', 'absent', 'redis']);`);
  expect(printed.slice(3)).toEqual(['site: bye', 'gateway: bye', 'redis: bye']);
});

it('kills what does not stop in time, with everything it started', async () => {
  const printed = await evaluate(`${TIERS}
    import { isAlive, recordOf } from './cli/process-identity.mjs';
    const up = said('up');
    const stubborn = start('gateway', \`
      process.on('SIGTERM', () => {});
      const child = require('node:child_process').spawn('sleep', ['60'], { stdio: 'inherit' });
      console.log('child ' + child.pid);
      setInterval(() => {}, 1e6); console.log('up')\`);
    await up;
    const record = recordOf(stubborn);
    await tiers.stop(['gateway'], 200);
    print(isAlive(record));`);
  expect(printed.slice(1)).toEqual([
    'gateway: up',
    'gateway: did not stop within 0.2 s and is killed',
    false,
  ]);
});

it('reports a death that nobody asked for, after the last words', async () => {
  const printed = await evaluate(`${TIERS}
    start('inference', "console.log('out of memory'); process.exit(9)");
    await tiers.death.catch((error) => print(error.message));
    await tiers.stop(['inference']);`);
  expect(printed).toEqual([
    'inference: out of memory',
    'inference ended unexpectedly (exit code 9); its last lines are above.',
  ]);
});

it('starts nothing once it is stopping, and names a program that cannot be run', async () => {
  const printed = await evaluate(`${TIERS}
    try { tiers.start('redis', { command: '/nowhere/redis-server', args: [] }); } catch (error) { print(error.message); }
    await tiers.stop([]);
    try { start('gateway', polite); } catch (error) { print(error.message); }`);
  expect(printed).toEqual([
    'redis could not be started: /nowhere/redis-server cannot be run.',
    'gateway is not started any more: everything is being stopped.',
  ]);
});
