// Jest runs tests as CommonJS and cannot load these ES modules, so a test hands its snippet to a Node of its own.
import { execFileSync } from 'node:child_process';

/**
 * Runs a snippet as an ES module of the folder `benchmarks`.
 * @returns what the expression after the imports is worth, through JSON
 */
export function evaluate<T>(imports: string, expression: string): T {
  const code = `${imports}\nconsole.log(JSON.stringify(${expression}));`;
  const args = ['--input-type=module', '--eval', code];
  return JSON.parse(
    execFileSync(process.execPath, args, { cwd: `${__dirname}/..`, encoding: 'utf8', stdio: 'pipe' }),
  ) as T;
}
