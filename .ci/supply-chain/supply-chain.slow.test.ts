/**
 * Everything that ships is listed, is licensed, has an integrity hash, and is installed without install scripts.
 *
 * Slow: it lists the packages of every image with npm.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../gateway/harness/cli/paths.mjs';
import { type Allowed, judgeAudit } from './audit.mjs';
import auditRefused from './fixtures/audit-refused.json';
import auditReport from './fixtures/audit-report.json';
import { type LockedPackage, type Model, readModels, readPackages } from './inventory.mjs';
import { isAllowed, judgeModels, judgePackages, type Policy, readPolicy } from './licenses.mjs';
import { npmBom, tierBom, WEB_AT_RUN_TIME } from './sbom.mjs';

// biome-ignore lint/suspicious/noExplicitAny: the tests state what CycloneDX requires of its fields
type Bom = any;

const packages = readPackages();
const policy = readPolicy();
const models = readModels();

const faultsOf = (these: LockedPackage[], rules: Policy) => judgePackages(these, rules).faults;
const modelFaultsOf = (these: Model[]) => judgeModels(these, policy);

describe('the lockfile', () => {
  test('has an integrity hash for every package', () => {
    expect(packages.length).toBeGreaterThan(1_000);
    expect(
      packages.filter(({ integrity }) => !/^sha512-/.test(integrity ?? '')).map(({ path }) => path),
    ).toEqual([]);
  });

  test('has no package with an install script, except the reviewed ones', () => {
    const running = new Set(
      packages.filter((installed) => installed.hasInstallScript).map(({ name }) => name),
    );
    expect([...running].sort()).toEqual(Object.keys(policy.installScripts).sort());
  });

  test('is installed without running install scripts', () => {
    expect(readFileSync(join(ROOT, '.npmrc'), 'utf8')).toMatch(/^ignore-scripts=true$/m);
  });
});

describe('licenses', () => {
  test.each([
    ['MIT', true],
    ['(MIT OR GPL-3.0-only)', true],
    ['MIT AND GPL-3.0-only', false],
    ['(MIT AND (Apache-2.0 OR GPL-3.0-only))', true],
    ['GPL-3.0-only', false],
    ['GPL-2.0-only WITH Classpath-exception-2.0', false],
    ['MIT WITH Something', false],
    ['', false],
    ['SEE LICENSE IN LICENSE', false],
  ])('"%s" is allowed: %s', (expression, allowed) => {
    expect(isAllowed(expression, policy.allowed)).toBe(allowed);
  });

  test('every deployed package and every package that builds the site is covered', () => {
    expect(faultsOf(packages, policy)).toEqual([]);
  });

  test('no copyleft is allowed without a reason', () => {
    expect(policy.allowed.filter((id) => /GPL|MPL|EPL|CDDL|SSPL/.test(id))).toEqual([]);
    for (const { reason } of policy.exceptions) expect(reason.length).toBeGreaterThan(20);
  });

  const added = (license: string | undefined, development = false) => [
    ...packages,
    {
      ...packages[0]!,
      name: 'new-one',
      version: '1.0.0',
      path: 'node_modules/new-one',
      license,
      development,
    },
  ];
  test.each([
    ['AGPL-3.0-only', 'new-one 1.0.0 is under AGPL-3.0-only'],
    [undefined, 'new-one 1.0.0 declares no license'],
  ])('a dependency under %s is a fault, and one of development alone is none', (license, sentence) => {
    expect(faultsOf(added(license), policy)).toEqual([expect.stringContaining(sentence)]);
    expect(faultsOf(added(license, true), policy)).toEqual([]);
  });

  test('an unused exception, or a changed file of a clarification, is a fault', () => {
    const stale = { package: 'gone', license: 'MPL-2.0', reason: 'none' };
    expect(faultsOf(packages, { ...policy, exceptions: [...policy.exceptions, stale] })).toHaveLength(1);
    const changed = faultsOf(packages, {
      ...policy,
      clarified: policy.clarified.map((entry) => ({ ...entry, says: 'No license says this.' })),
    });
    expect(changed).toHaveLength(policy.clarified.length);
  });

  test('every model names its license and its data, and open questions about them are acknowledged', () => {
    expect(modelFaultsOf(models)).toEqual([]);
    const [model] = models;
    const careless = {
      ...model!,
      id: 'new',
      license: 'MIT (package); weights from a repository',
      trainingData: 'For research',
    };
    expect(modelFaultsOf([...models, careless])).toHaveLength(2);
  });
});

describe('the bill of materials', () => {
  const tiers = ['gateway', 'inference', 'web'] as const;
  const whole = npmBom();
  const boms = new Map<string, Bom>(tiers.map((tier) => [tier, tierBom(whole, tier)]));

  describe.each(tiers)('of %s', (tier) => {
    const bom = boms.get(tier) as Bom;
    const refs = bom.components.map((component: Bom) => component['bom-ref']);

    test('has what CycloneDX 1.5 requires', () => {
      expect(bom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.5', version: expect.any(Number) });
      expect(bom.serialNumber).toMatch(/^urn:uuid:[0-9a-f-]{36}$/);
      expect(bom.metadata.timestamp).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
      for (const component of bom.components) {
        expect(['library', 'machine-learning-model']).toContain(component.type);
        expect(component.name).not.toBe('');
        // The workspaces come from no registry.
        if (component.name.startsWith('@presenza/')) continue;
        expect(component.hashes ?? component.components).toBeDefined();
        expect(component.licenses).toBeDefined();
        if (component.type === 'library') expect(component.purl).toMatch(/^pkg:npm\//);
      }
      const known = new Set([...refs, bom.dependencies[0]?.ref]);
      expect(known.size).toBe(refs.length + 1);
      for (const { ref, dependsOn } of bom.dependencies) {
        expect(known).toContain(ref);
        expect(dependsOn.filter((other: string) => !known.has(other))).toEqual([]);
      }
    });

    test('holds its own dependencies and no tool of development', () => {
      const names = bom.components.map(({ name }: Bom) => name);
      const direct = { gateway: 'ioredis', inference: 'onnxruntime-node', web: 'send' }[tier];
      expect(names).toContain(direct);
      for (const tool of ['jest', 'typescript', '@biomejs/biome', 'gatsby', 'webpack'])
        expect(names).not.toContain(tool);
    });
  });

  test('the bill of inference lists every model with the hashes of its files', () => {
    const listed = boms
      .get('inference')!
      .components.filter(({ type }: Bom) => type === 'machine-learning-model');
    expect(listed.map(({ name }: Bom) => name).sort()).toEqual(models.map(({ id }) => id).sort());
    for (const { components } of listed)
      expect(JSON.stringify(components)).toMatch(/"content":"[0-9a-f]{64}"/);
  });

  test('runtime imports of the site’s code count as runtime dependencies', () => {
    const files = readdirSync(join(ROOT, 'web/src'), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !name.includes('.test.'))
      .map((name) => join('web/src', name));
    const texts = [...files, 'web/gatsby-browser.tsx', 'web/serve.mjs', 'web/policies.mjs'].map((name) =>
      readFileSync(join(ROOT, name), 'utf8'),
    );
    const imported = texts.flatMap((text) =>
      [...text.matchAll(/^import (?!type)[^;'"]*'([^.'][^']*)'/gm)].map(([, from = '']) =>
        from
          .split('/')
          .slice(0, from.startsWith('@') ? 2 : 1)
          .join('/'),
      ),
    );
    const ours = (name: string) =>
      name.startsWith('node:') || name === 'gatsby' || name.startsWith('@presenza/');
    const unknown = imported.filter((name) => !ours(name) && !WEB_AT_RUN_TIME.includes(name));
    expect([...new Set(unknown)]).toEqual([]);
  });
});

describe('the audit', () => {
  const judge = (output: string, allowed: Allowed[] = []) =>
    judgeAudit(output, allowed, new Date('2026-11-21T00:00:00Z'));
  const report = JSON.stringify(auditReport);
  const id = 'GHSA-aaaa-bbbb-cccc';
  const entry = { id, reason: 'The route is not mounted.', expires: '2026-12-31' };

  test('a severe weakness is reported once with its address, a moderate one is not', () => {
    const { outcome, lines } = judge(report);
    expect(outcome).toBe('vulnerable');
    expect(lines).toEqual([expect.stringMatching(new RegExp(`^high: express: .*${id}`))]);
  });

  test('an exception is valid until its date', () => {
    expect(judge(report, [entry])).toEqual({ outcome: 'clean', lines: [] });
    expect(judge(report, [{ ...entry, expires: '2026-11-20' }]).outcome).toBe('vulnerable');
  });

  test.each([
    ['without a reason', { ...entry, reason: '' }],
    ['without a day', { ...entry, expires: 'never' }],
    ['for years', { ...entry, expires: '2030-01-01' }],
    ['for an advisory that is not in the report', { ...entry, id: 'GHSA-none' }],
  ])('an exception %s is a fault', (_name, wrong) => {
    expect(judge(report, [wrong]).outcome).toBe('vulnerable');
  });

  test('a registry that does not respond is neither clean nor vulnerable', () => {
    const { outcome, lines } = judge(JSON.stringify(auditRefused));
    expect(outcome).toBe('unknown');
    expect(lines.join()).toContain('405 Method Not Allowed');
    expect(judge('').outcome).toBe('unknown');
  });

  test('the exceptions of this checkout are well-formed', () => {
    const exceptions = JSON.parse(readFileSync(join(__dirname, 'audit-allow.json'), 'utf8'));
    for (const exception of exceptions)
      expect(exception).toEqual({
        id: expect.any(String),
        reason: expect.any(String),
        expires: expect.any(String),
      });
  });
});
