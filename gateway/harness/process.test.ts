import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { isAlive, recordOf } from './cli/process-identity.mjs';
import { freePorts } from './ports.mjs';
import { RunningProcess, runToEnd, startProcess } from './process.mjs';
import { waitUntil } from './wait.mjs';

const node = (code: string) => [process.execPath, ['-e', code]] as const;

describe('startProcess', () => {
  test('resolves with the line of readiness, and keeps the log from then on', async () => {
    const program = await startProcess(
      ...node("console.log('up on 1'); process.stdin; setInterval(() => {}, 1e6); console.error('later')"),
      { ready: 'up on' },
    );
    expect(program.readyLine).toBe('up on 1');
    expect(await program.line(/^later$/)).toBe('later');
    expect(await program.stop()).toEqual({ code: null, signal: 'SIGTERM' });
    expect([program.hasEnded, program.stderr]).toEqual([true, 'later\n']);
  });

  test('rejects with the last lines when the program ends before it is ready', async () => {
    const start = startProcess(...node("console.error('no such model'); process.exit(3)"), {
      name: 'inference',
      ready: 'up',
    });
    await expect(start).rejects.toThrow('inference ended (exit code 3) before it printed up:\nno such model');
  });

  test('kills a program that is not ready in time, and quotes its last lines', async () => {
    let record = recordOf(0);
    const start = startProcess('sh', ['-c', 'echo "pid $$"; exec sleep 60'], {
      name: 'gateway',
      ready: 'up',
      timeoutMs: 1_500,
      onLine: (line: string) => {
        record = recordOf(Number(line.split(' ')[1]));
      },
    });
    await expect(start).rejects.toThrow(
      /^Timed out after 1.5 s waiting until gateway prints up. Its last lines:\npid \d+$/,
    );
    expect([record.pid > 0, isAlive(record)]).toEqual([true, false]);
  });

  test('names a program that does not exist', async () => {
    const start = startProcess('/nowhere/redis-server', [], { ready: 'up' });
    await expect(start).rejects.toThrow('/nowhere/redis-server ended (exit code 127)');
  });
});

test('kills what a program started and left behind when the program ends', async () => {
  const code = `
    const child = require('node:child_process').spawn('sleep', ['60'], { stdio: 'ignore' });
    console.log('child ' + child.pid);
    process.exit(0);`;
  const { stdout } = await runToEnd(...node(code));
  const pid = Number(stdout.split(' ')[1]);
  await waitUntil('the child is gone', () => !isAlive(recordOf(pid)));
});

test('a frozen process makes no progress until it thaws', async () => {
  const ticks: string[] = [];
  const program = await startProcess(...node("setInterval(() => console.log('tick'), 5)"), {
    ready: 'tick',
    onLine: (line: string) => ticks.push(line),
  });
  program.freeze();
  // Earlier output may still be in the pipe, since only the process is frozen.
  await waitUntil('the output stops', async () => {
    const before = ticks.length;
    await runToEnd('true', []);
    return ticks.length === before;
  });
  const whileFrozen = ticks.length;
  await runToEnd('sh', ['-c', 'sleep 0.2']);
  expect(ticks.length).toBe(whileFrozen);
  program.thaw();
  await waitUntil('it ticks again', () => ticks.length > whileFrozen);
  await program.kill();
});

test('processes end with the program that started them, even after SIGKILL', async () => {
  const code = `
    import { startProcess } from './process.mjs';
    const child = await startProcess('sh', ['-c', 'echo up; sleep 60'], { ready: 'up' });
    console.log(child.pid);`;
  const starter = spawn(
    process.execPath,
    ['--input-type=module', '-e', `${code} setInterval(() => {}, 1e6)`],
    {
      cwd: __dirname,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const [line] = await once(createInterface({ input: starter.stdout }), 'line');
  const child = recordOf(Number(line));
  expect(isAlive(child)).toBe(true);
  starter.kill('SIGKILL');
  await waitUntil('the child is gone', () => !isAlive(child));
});

test('a program that only waits for its children is not kept running by their supervision', async () => {
  const code = `
    import { startProcess } from './process.mjs';
    const child = await startProcess('sh', ['-c', 'echo up; exec cat'], { ready: 'up', input: '' });
    await child.ended;`;
  const outcome = await runToEnd(process.execPath, ['--input-type=module', '-e', code], { cwd: __dirname });
  expect(outcome).toMatchObject({ code: 0, stderr: '' });
});

test('splits output into whole lines, whatever pieces it comes in', async () => {
  const lines: string[] = [];
  const code = "process.stdout.write('a'); setTimeout(() => process.stdout.write('b\\nc\\n\\nd'), 20)";
  const program = new RunningProcess(...node(code), { onLine: (line: string) => lines.push(line) });
  await program.ended;
  expect(lines).toEqual(['ab', 'c', 'd']);
});

test('keeps all of the output of a program that ends, and the end of one that goes on', async () => {
  const code = 'for (let i = 0; i < 40_000; i++) console.log(String(i).padStart(39))';
  const { stdout } = await runToEnd(...node(code));
  expect([stdout.length, stdout.trimStart().startsWith('0\n')]).toEqual([1_600_000, true]);
  const program = new RunningProcess(...node(code));
  await program.ended;
  expect(program.stdout.length).toBeLessThanOrEqual(2 ** 20);
  expect(program.stdout).toMatch(/ 39999\n$/);
});

test('allocates each port once', async () => {
  const ports = await freePorts(50);
  expect(new Set(ports).size).toBe(50);
});

describe('waitUntil', () => {
  test('returns the first truthy value', async () => {
    let probes = 0;
    expect(await waitUntil('three probes are made', () => ++probes === 3 && 'done')).toBe('done');
  });

  test('probes once more after its deadline, in case the process did not run in between', async () => {
    let probes = 0;
    const probe = () => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60);
      return ++probes === 2 && 'done';
    };
    expect(await waitUntil('two probes are made', probe, { timeoutMs: 50 })).toBe('done');
  });

  test('names what it waited for, and why the last probe failed', async () => {
    const probe = async () => {
      throw new Error('connection refused');
    };
    await expect(waitUntil('Redis is ready', probe, { timeoutMs: 50 })).rejects.toThrow(
      'Timed out after 0.05 s waiting until Redis is ready (connection refused).',
    );
  });

  test('ends with the reason of its signal', async () => {
    const signal = AbortSignal.timeout(20);
    await expect(waitUntil('the end of time', () => false, { signal })).rejects.toMatchObject({
      name: 'TimeoutError',
    });
  });
});
