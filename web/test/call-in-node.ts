/** Calls functions of the build in Node, because Jest cannot import ECMAScript modules. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const WEB = join(__dirname, '..');

/**
 * @param file of the module, from the folder of the site
 * @returns the result, as JSON carries it
 * @throws Error with the message of the function
 */
export function callInNode(file: string, name: string, ...args: readonly unknown[]) {
  const code = `
    import { ${name} } from '${pathToFileURL(join(WEB, file))}';
    import { readFileSync } from 'node:fs';
    const result = await ${name}(...JSON.parse(readFileSync(0, 'utf8')));
    process.stdout.write(JSON.stringify(result));`;
  const options = { input: JSON.stringify(args), cwd: WEB, encoding: 'utf8', stdio: 'pipe' } as const;
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', code], options));
}
