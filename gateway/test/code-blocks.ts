/** The fenced code blocks of MDX pages and READMEs. */
import { readFileSync } from 'node:fs';
import { fillQuotes } from '../../web/gatsby/quotes.mjs';

export interface CodeBlock {
  readonly language: string;
  /** The code without the indentation of a list. */
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
export function codeWith(file: string, text: string): string {
  const block = codeBlocksOf(file).find(({ code }) => code.includes(text));
  if (!block) throw new Error(`No code of ${file} contains ${text}.`);
  return block.code;
}
