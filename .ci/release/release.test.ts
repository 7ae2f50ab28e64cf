/** Release notes and the rules for commit subjects. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../gateway/harness/cli/paths.mjs';
import { withFolder } from '../../gateway/harness/folders.mjs';
import { judgeSubject } from './commits.mjs';
import { readNotes } from './notes.mjs';

describe('release notes', () => {
  const changelog = `# Changelog

## [1.1.0] - 2027-01-05

### Added

- Video.

## [1.0.0] - Unreleased

- Everything.

[1.1.0]: https://example.com
`;

  test('are the section of the tagged version', () => {
    expect(readNotes('v1.1.0', changelog, '1.1.0')).toBe('### Added\n\n- Video.');
  });

  test.each([
    ['v1.1.0', '1.0.0', 'The tag is v1.1.0, but package.json has version 1.0.0.'],
    ['v1.0.0', '1.0.0', 'CHANGELOG.md has no date for 1.0.0: write "## [1.0.0] - YYYY-MM-DD".'],
    ['v2.0.0', '2.0.0', 'CHANGELOG.md has no section for 2.0.0.'],
  ])('refuses the tag %s of version %s', (tag, version, sentence) => {
    expect(() => readNotes(tag, changelog, version)).toThrow(sentence);
  });

  test('the changelog has a section for the version in package.json', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')).toContain(`## [${version}] - `);
  });
});

describe('commit subjects', () => {
  const subjects: [subject: string, fault: string | undefined][] = [
    ['Add a route for video', undefined],
    ['Pass deadlines to the inference tier', undefined],
    ['Need one request less to start', undefined],
    ['Let a revoked key fail within a second', undefined],
    ['Retry webhooks that time out: two attempts were lost', undefined],
    ['feat: add a route', 'begins with a type'],
    ['Gateway: retries once', 'begins with a type'],
    ['add a route', 'lowercase letter'],
    ['Added a route', 'not imperative'],
    ['Adds a route', 'not imperative'],
    ['Adding a route', 'not imperative'],
    ['The gateway retries', 'begins with no verb'],
    ['Now retries once', 'begins with no verb'],
    ['Add a route.', 'ends with punctuation'],
    [`Add ${'a'.repeat(69)}`, 'It has 73 characters'],
  ];

  test.each(subjects)('%s', (subject, fault) => {
    if (fault === undefined) expect(judgeSubject(subject)).toBeUndefined();
    else expect(judgeSubject(subject)).toContain(fault);
  });

  test('the hook refuses a message and accepts another', async () => {
    await withFolder((folder) => {
      const file = join(folder, 'message');
      const hook = (message: string) => {
        writeFileSync(file, message);
        return spawnSync(join(__dirname, 'hooks/commit-msg'), [file], { cwd: ROOT }).status;
      };
      expect(hook('Added a route\n\nWith a reason.\n')).toBe(1);
      expect(hook('Add a route\n\nwith a reason in lowercase letters.\n')).toBe(0);
      expect(hook("Merge branch 'video'\n")).toBe(0);
    });
  });
});
