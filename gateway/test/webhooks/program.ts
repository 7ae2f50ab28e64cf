/** A sample as a process of its own: ready once it says so. */
import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { createInterface } from 'node:readline';

export interface Program {
  /** Resolves to the first line of output that fits, which may be there already. @throws Error when it ends before */
  line(fits: RegExp): Promise<string>;
  stop(): Promise<void>;
}

export interface ProgramOptions {
  readonly cwd?: string;
  /** Variables beside those of the tests. */
  readonly variables: Readonly<Record<string, string>>;
  /** What it prints when it listens. */
  readonly ready: RegExp;
}

/** @throws Error with all that it printed, when it ends before it is ready */
export async function startProgram(
  [program, ...args]: readonly [string, ...string[]],
  { cwd, variables, ready }: ProgramOptions,
): Promise<Program> {
  const child = spawn(program, args, { ...(cwd && { cwd }), env: { ...process.env, ...variables } });
  const lines: string[] = [];
  const output = new EventEmitter();
  for (const input of [child.stdout, child.stderr])
    createInterface({ input }).on('line', (line) => {
      lines.push(line);
      output.emit('line');
    });
  // Not 'exit': its last lines may still be on their way.
  const ended = once(child, 'close');
  const line = async (fits: RegExp) => {
    for (;;) {
      const found = lines.find((one) => fits.test(one));
      if (found !== undefined) return found;
      const isOver = await Promise.race([ended.then(() => true), once(output, 'line').then(() => false)]);
      if (isOver) throw new Error(`${program} ended: ${lines.join('\n')}`);
    }
  };
  await line(ready);
  return {
    line,
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
