/** The workflows of CI run what this repository has, as little as they may, from actions that cannot move. */
import { accessSync, constants, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const root = join(__dirname, '../..');
const folder = join(root, '.github/workflows');
const { scripts, overrides } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

interface Step {
  readonly uses?: string;
  readonly run?: string;
}
interface Workflow {
  readonly on: Record<string, unknown>;
  readonly permissions: unknown;
  readonly concurrency: unknown;
  readonly jobs: Record<string, { readonly 'timeout-minutes': number; readonly steps: readonly Step[] }>;
}

const files = readdirSync(folder).filter((name) => name.endsWith('.yml'));

test('workflows exist', () => {
  expect(files).toEqual(expect.arrayContaining(['ci.yml', 'weekly.yml']));
});

describe.each(files)('%s', (name) => {
  const text = readFileSync(join(folder, name), 'utf8');
  const { on, permissions, concurrency, jobs } = parse(text) as Workflow;
  const steps = Object.values(jobs).flatMap((job) => job.steps);

  test('may only read the repository, within a time limit', () => {
    expect(permissions).toEqual({ contents: 'read' });
    expect(concurrency).toBeDefined();
    // This event exposes the secrets of the repository to the author of any change.
    expect(Object.keys(on)).not.toContain('pull_request_target');
    for (const job of Object.values(jobs)) expect(job['timeout-minutes']).toBeLessThanOrEqual(60);
  });

  test('runs commands that exist, and passes no external text to a shell', () => {
    const commands = steps.flatMap(({ run }) => run ?? []);
    expect(commands.length).toBeGreaterThan(0);
    for (const command of commands) {
      expect(command).not.toContain('${{');
      const [, script] = /^npm run (\S+)/.exec(command) ?? [];
      if (script) expect(Object.keys(scripts)).toContain(script);
      const [, program] = /^node (\S+)/.exec(command) ?? [];
      if (program) accessSync(join(root, program), constants.R_OK);
      if (command.startsWith('.')) accessSync(join(root, command), constants.X_OK);
    }
  });

  test('creates the secrets before Compose reads them', () => {
    for (const job of Object.values(jobs)) {
      const commands = job.steps.map(({ run }) => run ?? '');
      const compose = commands.findIndex((command) => /\bdocker compose\b/.test(command));
      if (compose >= 0) expect(commands.slice(0, compose)).toContain('node deploy/docker/secrets.mjs');
    }
  });

  test('pins every action by its commit, with the version beside it', () => {
    for (const { uses } of steps.filter((step) => step.uses)) {
      expect(uses).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
      expect(text).toMatch(new RegExp(`${uses} # v\\d+\\.\\d+\\.\\d+\\n`));
    }
  });
});

test('CI runs the command that every machine runs', () => {
  expect(readFileSync(join(folder, 'ci.yml'), 'utf8')).toContain('- run: .ci/run');
});

test('Renovate keeps the overrides, and applies security updates at once', () => {
  const { packageRules, vulnerabilityAlerts } = JSON.parse(readFileSync(join(root, 'renovate.json'), 'utf8'));
  const held = packageRules
    .filter((rule: { dependencyDashboardApproval?: boolean }) => rule.dependencyDashboardApproval)
    .flatMap((rule: { matchPackageNames: string[] }) => rule.matchPackageNames);
  expect(held).toEqual(expect.arrayContaining(Object.keys(overrides)));
  expect(vulnerabilityAlerts).toMatchObject({ enabled: true, minimumReleaseAge: null });
});
