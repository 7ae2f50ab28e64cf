/** The first program of each client library, from its README, where the tests of the library run it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CONTRACT } from '../contract-file.mjs';
import { highlight } from '../highlight.mjs';

const FENCE = /^```(\w+)\n([\s\S]*?)^```$/m;
/** Names of grammars that differ from the info strings of the READMEs. */
const GRAMMARS = /** @type {Record<string, string>} */ ({ js: 'javascript' });

/** @returns {Promise<{ client: string, language: string, code: string, html: string }[]>} */
export const readClientPrograms = () =>
  Promise.all(
    ['typescript', 'python', 'go', 'java'].map(async (client) => {
      const text = await readFile(join(CONTRACT, 'clients', client, 'README.md'), 'utf8');
      const [, language = '', code = ''] = FENCE.exec(text) ?? [];
      if (!code) throw new Error(`The README of the client ${client} has no program.`);
      return { client, language, code, html: highlight(code.trimEnd(), GRAMMARS[language] ?? language) };
    }),
  );
