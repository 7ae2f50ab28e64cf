/** Runs a sample as a child process. */
import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { createInterface } from 'node:readline';

export interface Program {
  /** Resolves to the first matching line of output, past or future. @throws Error if the process exits before */
  line(fits: RegExp): Promise<string>;
  stop(): Promise<void>;
}

export interface ProgramOptions {
  readonly cwd?: string;
  /** Additional environment variables. */
  readonly variables: Readonly<Record<string, string>>;
  /** Matches the line that it prints when it listens. */
  readonly ready: RegExp;
}

/** @throws Error with all output if the process exits before it is ready */
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
  // On 'exit', the last lines may still be in the pipe.
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
