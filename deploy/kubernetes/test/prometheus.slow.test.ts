/**
 * The targets of Prometheus, and the autoscalers' queries, which promtool evaluates on series of a tier.
 *
 * Slow: promtool, which `npm run test:slow` installs, evaluates the rules.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse as parseYaml } from 'yaml';
import { HERE as MONITORING, PROMTOOL, runTool } from '../../monitoring/test/files';
import { build, describeBuilds, FOLDER, find } from './manifests';

describeBuilds('monitors of production', () => {
  test('have the labels that the same Prometheus selects the rules by', () => {
    const { labels } = parseYaml(readFileSync(join(MONITORING, 'kustomization.yaml'), 'utf8'));
    const wanted = Object.assign({}, ...labels.map(({ pairs }: { pairs: object }) => pairs));
    expect(Object.keys(wanted)).toEqual(['release']);
    const monitors = build('overlays/production').filter(({ kind }) => /Monitor$/.test(kind));
    expect(monitors.map(({ metadata }) => metadata.name).sort()).toEqual(['gateway', 'inference', 'redis']);
    for (const { metadata } of monitors) expect(metadata.labels).toMatchObject(wanted);
  });
});

/** Series of a pod with four threads that run models, and the expected result. */
const threads = { series: 'presenza_inference_model_threads{namespace="presenza"}', values: '4x20' };
const busy = 'presenza_inference_model_seconds_total{namespace="presenza",model="detector"}';
const tiers = {
  'before the first request': { input_series: [threads], value: 0 },
  // 30 s of model time every 15 s: two of four threads.
  'at work': { input_series: [threads, { series: busy, values: '0+30x20' }], value: 0.5 },
  'not seen': { input_series: [], value: undefined },
};

describeBuilds('how busy the threads with models are', () => {
  const folder = mkdtempSync(join(tmpdir(), 'presenza-busy-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const { triggers } = find(build('overlays/production'), 'ScaledObject', 'inference').spec;
  const adapter = parseYaml(readFileSync(join(FOLDER, 'cluster/prometheus-adapter/values.yaml'), 'utf8'));
  const named = (list: { name: unknown }[], name: string) =>
    list.find((rule) => JSON.stringify(rule.name).includes(name)) as never;
  const { metadata } = named(triggers, 'busy') as { metadata: { query: string } };
  const { metricsQuery } = named(adapter.rules.external, '_busy') as { metricsQuery: string };

  test.each([
    ['KEDA', metadata.query, '{}'],
    [
      'the adapter',
      metricsQuery.replaceAll('<<.LabelMatchers>>', 'namespace="presenza"'),
      '{namespace="presenza"}',
    ],
  ])('%s: zero before the first request, no result without series of the tier', async (_, expr, labels) => {
    const tests = Object.entries(tiers).map(([name, { input_series, value }]) => ({
      name,
      interval: '15s',
      input_series,
      promql_expr_test: [
        { expr, eval_time: '5m', exp_samples: value === undefined ? [] : [{ labels, value }] },
      ],
    }));
    const file = join(folder, 'busy.test.yaml');
    writeFileSync(file, JSON.stringify({ tests }));
    runTool(PROMTOOL, ['test', 'rules', file]);
  });
});
