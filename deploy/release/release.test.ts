/** Release notes and the rules for commit subjects. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '../..');

/** Jest runs tests as CommonJS and cannot load these ES modules: a Node process calls them. */
function call<T>(module: string, code: string, ...input: unknown[]): T {
  const script = `import { text } from 'node:stream/consumers';
    const it = await import('./${module}.mjs');
    const input = JSON.parse(await text(process.stdin));
    console.log(JSON.stringify(${code} ?? null));`;
  const options = { cwd: __dirname, input: JSON.stringify(input), stdio: 'pipe' as const };
  return JSON.parse(String(execFileSync(process.execPath, ['--input-type=module', '-e', script], options)));
}

describe('release notes', () => {
  const changelog = `# Changelog

## [1.1.0] - 2027-01-05

### Added

- Video.

## [1.0.0] - Unreleased

- Everything.

[1.1.0]: https://example.com
`;
  const notes = (tag: string, version: string) =>
    call<string>(
      'notes',
      '(() => { try { return it.readNotes(...input) } catch (error) { return error.message } })()',
      tag,
      changelog,
      version,
    );

  test('are the section of the tagged version', () => {
    expect(notes('v1.1.0', '1.1.0')).toBe('### Added\n\n- Video.');
  });

  test.each([
    ['v1.1.0', '1.0.0', 'The tag is v1.1.0, but package.json has version 1.0.0.'],
    ['v1.0.0', '1.0.0', 'CHANGELOG.md has no date for 1.0.0: write "## [1.0.0] - YYYY-MM-DD".'],
    ['v2.0.0', '2.0.0', 'CHANGELOG.md has no section for 2.0.0.'],
  ])('refuses the tag %s of version %s', (tag, version, sentence) => {
    expect(notes(tag, version)).toBe(sentence);
  });

  test('the changelog has a section for the version in package.json', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(readFileSync(join(root, 'CHANGELOG.md'), 'utf8')).toContain(`## [${version}] - `);
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
    ['add a route', 'small letter'],
    ['Added a route', 'not imperative'],
    ['Adds a route', 'not imperative'],
    ['Adding a route', 'not imperative'],
    ['The gateway retries', 'begins with no verb'],
    ['Now retries once', 'begins with no verb'],
    ['Add a route.', 'ends with punctuation'],
    [`Add ${'a'.repeat(69)}`, 'It has 73 characters'],
  ];
  const faults = call<(string | null)[]>(
    'commits',
    'input.map((one) => it.judgeSubject(one) ?? null)',
    ...subjects.map(([one]) => one),
  );

  test.each(subjects.map(([subject, fault], nth) => ({ subject, fault, nth })))(
    '$subject',
    ({ fault, nth }) => {
      if (fault === undefined) expect(faults[nth]).toBeNull();
      else expect(faults[nth]).toContain(fault);
    },
  );

  test('the hook refuses a message and accepts another', () => {
    const folder = mkdtempSync(join(tmpdir(), 'commits-'));
    const file = join(folder, 'message');
    const hook = (message: string) => {
      writeFileSync(file, message);
      return spawnSync(join(__dirname, 'hooks/commit-msg'), [file], { cwd: root }).status;
    };
    expect(hook('Added a route\n\nWith a reason.\n')).toBe(1);
    expect(hook('Add a route\n\nwith a reason in small letters.\n')).toBe(0);
    expect(hook("Merge branch 'video'\n")).toBe(0);
    rmSync(folder, { recursive: true });
  });
});
