// Parses Dockerfiles for the tests of this folder: joins continued lines and drops comments.

import { readFileSync } from 'node:fs';

export interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** A `FROM` and what follows it. */
export interface Stage {
  readonly name: string;
  /** The text as written, with its variables replaced. */
  readonly base: string;
  readonly instructions: readonly Instruction[];
}

export interface Dockerfile {
  /** Defaults of the arguments before the first stage. */
  readonly args: ReadonlyMap<string, string>;
  readonly stages: readonly Stage[];
  readonly instructions: readonly Instruction[];
}

export function readDockerfile(file: string): Dockerfile {
  const instructions = instructionsOf(readFileSync(file, 'utf8'));
  const first = instructions.findIndex(({ name }) => name === 'FROM');
  const args = new Map(
    instructions.slice(0, first).map(({ text }) => {
      const [name = '', ...value] = text.split('=');
      return [name, value.join('=')] as const;
    }),
  );
  const stages: { name: string; base: string; instructions: Instruction[] }[] = [];
  for (const instruction of instructions.slice(first)) {
    if (instruction.name === 'FROM') {
      const [base = '', , name = ''] = instruction.text.split(/\s+/);
      stages.push({
        name,
        base: base.replace(/\$\{(\w+)\}/, (_, arg) => args.get(arg) ?? ''),
        instructions: [],
      });
    } else stages.at(-1)?.instructions.push(instruction);
  }
  return { args, stages, instructions };
}

function instructionsOf(text: string): Instruction[] {
  const lines = text.split('\n').filter((line) => !/^\s*#/.test(line));
  const joined = lines.join('\n').replace(/\\\n\s*/g, ' ');
  return joined
    .split('\n')
    .filter((line) => line.trim())
    .map((line) => {
      const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line.trim()) ?? [];
      return { name: name.toUpperCase(), text: rest };
    });
}

/** Variables that the ENV instructions of a stage set. */
export const environmentOf = ({ instructions }: Stage): ReadonlyMap<string, string> =>
  new Map(
    instructions
      .filter(({ name }) => name === 'ENV')
      .flatMap(({ text }) => [...text.matchAll(/(\w+)=("[^"]*"|\S*)/g)])
      .map(([, name = '', value = '']) => [name, value]),
  );
