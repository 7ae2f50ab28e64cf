/** The fenced code blocks of MDX pages and READMEs. */
import { readFileSync } from 'node:fs';
import { fillQuotes } from '../../web/gatsby/quotes.mjs';

export interface CodeBlock {
  readonly language: string;
  /** Without the indentation of a list. */
  readonly code: string;
}

/** @param file path of an MDX or Markdown file. Its blocks may quote the example apps. */
export const codeBlocksOf = (file: string): CodeBlock[] =>
  [...fillQuotes(readFileSync(file, 'utf8')).matchAll(/^( *)```(\w+)\n([\s\S]*?)^\1```$/gm)].map(
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
