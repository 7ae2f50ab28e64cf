/** `npm test` leaves out the slow tests. Each says why it is slow, so that nobody moves a test for convenience. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../gateway/harness/cli/paths.mjs';

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.slow\.test\.tsx?$/.test(file) && existsSync(join(ROOT, file)));

test.each(files)('%s says in its first comment why it is slow', (file) => {
  const [comment] = /^(?:\/\*\*[\s\S]*?\*\/|(?:\/\/.*\n)+)/.exec(readFileSync(join(ROOT, file), 'utf8')) ?? [
    '',
  ];
  expect(comment).toMatch(/^(?:\/\/| \*) Slow: \w.{20,}/m);
});
