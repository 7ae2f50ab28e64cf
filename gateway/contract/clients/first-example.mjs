/** The first program of a README, to run exactly as a reader would. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @throws {Error} if it has more than ten lines */
export function firstExample(folder, language) {
  const block = new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``);
  const code = block.exec(readFileSync(join(folder, 'README.md'), 'utf8'))[1];
  const lines = code.split('\n').filter((line) => line.trim() !== '');
  if (lines.length > 10) throw new Error(`The first example has ${lines.length} lines.`);
  return code;
}
