/** Asks the person at a terminal for options that a command needs and that have few values. */
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

export interface Question {
  readonly name: string;
  readonly choices: readonly string[];
}

/**
 * Asks the questions in turn, and each again until the line is one of its choices.
 * @returns the chosen values by name; undefined if the input ends before the last one
 */
export async function ask(
  questions: readonly Question[],
  { input, output }: { readonly input: Readable; readonly output: Writable },
): Promise<ReadonlyMap<string, string> | undefined> {
  const chosen = new Map<string, string>();
  const lines = createInterface({ input });
  const askNext = () => {
    const question = questions[chosen.size];
    if (question) output.write(`${question.name} (${question.choices.join(' or ')}): `);
    return question;
  };
  try {
    let question = askNext();
    if (!question) return chosen;
    for await (const line of lines) {
      const value = line.trim();
      if (question.choices.includes(value)) chosen.set(question.name, value);
      question = askNext();
      if (!question) return chosen;
    }
    return undefined;
  } finally {
    lines.close();
  }
}
