/**
 * The rules: promtool's own tests, and what no test of a single rule would see.
 *
 * Slow: promtool, which `npm run test:slow` installs, evaluates every alert.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { alerts, HERE, PROMTOOL, ruleFiles, runTool, testFiles } from './files';
import { everywhere, known } from './metrics';
import { selectorsIn } from './promql';

const names = alerts.map(({ alert }) => alert);

test('promtool: each alert fires at its threshold, and not just below it', async () => {
  runTool(PROMTOOL, ['test', 'rules', ...testFiles.map(({ file }) => file)]);
});

test('promtool: the configuration of Prometheus is valid, with all rules', async () => {
  const said = runTool(PROMTOOL, ['check', 'config', join(HERE, 'prometheus.yaml')]);
  for (const { file } of ruleFiles) expect(said).toContain(`Checking ${join(HERE, 'rules', file)}`);
});

test('on one machine Prometheus scrapes what `npm start` runs, and no target that never exists', () => {
  const { scrape_configs: scraped } = parse(readFileSync(join(HERE, 'prometheus.yaml'), 'utf8'));
  expect(scraped).toEqual([{ job_name: 'presenza', file_sd_configs: [{ files: ['targets.yaml'] }] }]);
  const targets: { targets: string[]; labels: { job: string } }[] = parse(
    readFileSync(join(HERE, 'targets.yaml'), 'utf8'),
  );
  expect(targets.map(({ targets: [address], labels }) => [labels.job, address])).toEqual([
    ['gateway', '127.0.0.1:9180'],
    ['inference', '127.0.0.1:9100'],
  ]);
});

test('names are unique', () => {
  expect(new Set(names).size).toBe(names.length);
});

test.each(alerts.map((rule) => [rule.alert, rule] as const))(
  '%s has the annotations that operators need',
  (name, rule) => {
    const { labels, annotations = {} } = rule;
    expect(name).toMatch(/^Presenza[A-Z]/);
    expect(labels?.severity).toMatch(/^(page|ticket)$/);
    expect(annotations.summary?.length).toBeGreaterThan(10);
    expect(annotations.description).toMatch(/\.$/);
    expect(annotations.runbook_url).toBe(
      `{{ $externalLabels.presenza_site }}/docs/operations/runbooks#${name.toLowerCase()}`,
    );
  },
);

test.each(alerts.map((rule) => [rule.alert, rule] as const))(
  '%s is tested both ways',
  (name, { expr, file }) => {
    const tests = testFiles
      .filter(({ rule_files }) => rule_files.includes(file))
      .flatMap(({ tests }) => tests);
    const fires = ({ promql_expr_test }: (typeof tests)[number]) =>
      promql_expr_test.some(({ exp_samples }) =>
        exp_samples.some(({ labels }) => labels.includes(`alertname="${name}"`)),
      );
    const rests = ({ promql_expr_test, input_series }: (typeof tests)[number]) =>
      promql_expr_test.some(
        ({ expr, exp_samples }) => /ALERTS(?!_)/.test(expr) && exp_samples.length === 0,
      ) &&
      // Every series that the alert reads exists, so it does not stay quiet because one is missing.
      selectorsIn(expr)
        .filter(({ metric }) => !metric.includes(':'))
        .every(({ metric }) => input_series.some(({ series }) => series.startsWith(`${metric}{`)));
    expect(tests.filter(fires).length).toBeGreaterThan(0);
    expect(tests.filter(rests).length).toBeGreaterThan(0);
  },
);

test.each(
  ruleFiles
    .flatMap(({ rules }) => rules)
    .map((rule) => [rule.alert ?? rule.record ?? '', rule.expr] as const),
)('%s reads metrics and labels that exist', (_name, expr) => {
  const selectors = selectorsIn(expr);
  expect(selectors.length).toBeGreaterThan(0);
  for (const { metric, labels } of selectors) {
    expect([metric, known.has(metric)]).toEqual([metric, true]);
    expect([...everywhere, ...(known.get(metric)?.labels ?? [])]).toEqual(
      expect.arrayContaining([...labels]),
    );
  }
});

// The specification's targets, in seconds.
test.each([
  ['detect', 1, 'presenza_gateway_request_seconds_bucket'],
  ['moderate', 0.5, 'presenza_gateway_request_seconds_bucket'],
  ['compare', 2, 'presenza_gateway_request_seconds_bucket'],
  ['liveness', 3, 'presenza_gateway_liveness_verdict_seconds_bucket'],
])('a bucket ends at the target of %s, %d s, and the rule takes that one', (operation, target, metric) => {
  expect(known.get(metric)?.bounds).toContain(target);
  const rules = ruleFiles.flatMap(({ rules }) => rules);
  const rule = rules.find(
    ({ record, labels }) => record === 'presenza:responses_in_time:rate5m' && labels?.operation === operation,
  );
  const [, matcher = '', bound = ''] = /le(=~?)"([^"]+)"/.exec(rule?.expr ?? '') ?? [];
  const pattern = matcher === '=~' ? bound.replace('\\\\', '\\') : bound.replace('.', '\\.');
  expect(String(target)).toMatch(new RegExp(`^${pattern}$`));
});

test('Alertmanager inhibits only alerts that exist', () => {
  const { inhibit_rules: rules } = parse(readFileSync(join(HERE, 'alertmanager.yaml'), 'utf8'));
  const matchers = (rules as { source_matchers: string[]; target_matchers: string[] }[]).flatMap(
    ({ source_matchers, target_matchers }) => [...source_matchers, ...target_matchers],
  );
  expect(matchers.length).toBeGreaterThan(0);
  for (const matcher of matchers) {
    const [, pattern = ''] = /^alertname=~?"(.+)"$/.exec(matcher) ?? [];
    for (const part of pattern.replace(/\(.*\)/, '.*').split('|')) {
      expect([part, names.some((name) => new RegExp(`^${part}$`).test(name))]).toEqual([part, true]);
    }
  }
});
