/** The fenced code blocks of MDX pages and READMEs. */
import { readFileSync } from 'node:fs';

export interface CodeBlock {
  readonly language: string;
  /** Without the indentation of a list. */
  readonly code: string;
}

/** @param file path of an MDX or Markdown file */
export const codeBlocksOf = (file: string): CodeBlock[] =>
  [...readFileSync(file, 'utf8').matchAll(/^( *)```(\w+)\n([\s\S]*?)^\1```$/gm)].map(
    ([, indent = '', language = '', code = '']) => ({
      language,
      code: code.replace(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  );

/** @throws {Error} if no block of the file contains the words */
export function codeWith(file: string, words: string): string {
  const found = codeBlocksOf(file).find(({ code }) => code.includes(words));
  if (!found) throw new Error(`No code of ${file} contains ${words}.`);
  return found.code;
}
