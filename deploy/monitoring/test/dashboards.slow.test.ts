/**
 * The generated dashboards and objects are up to date and valid, and read metrics that exist.
 *
 * Slow: promtool and Kustomize, which `npm run test:slow` installs, read the files.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import { withFolder } from '../../../gateway/harness/folders.mjs';
import { runToEnd } from '../../../gateway/harness/process.mjs';
import { HERE, KUSTOMIZE, PROMTOOL, ruleFiles, runTool } from './files';
import { everywhere, known } from './metrics';
import { selectorsIn } from './promql';

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly fieldConfig?: { readonly defaults: { readonly unit: string } };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

const GENERATED = join(HERE, 'generated');
const dashboards = readdirSync(GENERATED)
  .filter((name) => name.endsWith('.json'))
  .map((name) => JSON.parse(readFileSync(join(GENERATED, name), 'utf8')) as { uid: string; panels: Panel[] })
  .map((dashboard) => [dashboard.uid, dashboard.panels] as const);

const expressions = dashboards.flatMap(([uid, panels]) =>
  panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat }) => [`${uid}: ${title}: ${legendFormat}`, expr] as const),
  ),
);

test('the committed files match their sources', async () => {
  expect(await runToEnd(process.execPath, [join(HERE, 'generate.mjs'), '--check'])).toMatchObject({
    code: 0,
    stderr: '',
  });
});

test('there is one dashboard for each part', () => {
  expect(dashboards.map(([uid]) => uid)).toEqual([
    'presenza-gateway',
    'presenza-inference',
    'presenza-overview',
    'presenza-redis',
  ]);
});

test.each(dashboards)('%s: panels explain themselves and do not overlap', (_uid, panels) => {
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  for (const { type, title, description, fieldConfig, targets, gridPos } of panels) {
    expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
    if (type === 'row') continue;
    expect([title, description]).toEqual([title, expect.stringMatching(/\.$/)]);
    expect([title, fieldConfig?.defaults.unit]).toEqual([title, expect.stringMatching(/^\w+$/)]);
    expect([title, targets?.length]).not.toEqual([title, 0]);
  }
});

test.each(expressions)('%s reads metrics and labels that exist', (_name, expr) => {
  const selectors = selectorsIn(expr);
  expect(selectors.length).toBeGreaterThan(0);
  for (const { metric, labels } of selectors) {
    expect([metric, known.has(metric)]).toEqual([metric, true]);
    expect([...everywhere, ...(known.get(metric)?.labels ?? [])]).toEqual(
      expect.arrayContaining([...labels]),
    );
  }
});

test('promtool: every expression of a panel is PromQL', async () => {
  await withFolder(async (folder) => {
    const rules = expressions.map(([, expr], i) => ({
      record: `panel:${i}`,
      expr: expr.replaceAll('$__rate_interval', '5m'),
    }));
    const file = join(folder, 'panels.yaml');
    writeFileSync(file, stringify({ groups: [{ name: 'panels', rules }] }));
    expect(runTool(PROMTOOL, ['check', 'rules', file])).toContain(`${rules.length} rules found`);
  });
});

test('kustomize: rules and dashboards are valid objects', async () => {
  const { PrometheusRule } = await import('@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1');
  const objects = parseAllDocuments(runTool(KUSTOMIZE, ['build', HERE])).map((document) => document.toJSON());
  const rules = objects.filter(({ kind }) => kind === 'PrometheusRule');
  expect(rules).toHaveLength(ruleFiles.length);
  for (const rule of rules) new PrometheusRule(rule).validate();
  const [map] = objects.filter(({ kind }) => kind === 'ConfigMap');
  expect(Object.keys(map.data)).toHaveLength(dashboards.length);
  expect(map.metadata.labels).toMatchObject({ grafana_dashboard: '1' });
});
