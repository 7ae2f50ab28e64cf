/** The measurement of alerts: no alert is forgotten, and only durations of the rules change. */
import { rounds } from './faults.mjs';
import { rounds as kubernetesRounds } from './kubernetes/faults.mjs';
import { leak } from './leaking-gateway.mjs';
import { notFired } from './not-fired.mjs';
import { AlertWatch, findRedisExporter, needPrometheus } from './prometheus.mjs';
import { msOf, readAlerts, readRules, scaled, scaleExpression, scaleRules } from './scaled-rules.mjs';

const raised = [
  ...rounds.flat(2).flatMap(({ alerts = [], exported = [] }) => [...alerts, ...exported]),
  ...(leak(1).alerts ?? []),
  ...kubernetesRounds.flat(2).flatMap(({ alerts = [] }) => alerts),
];

test('each alert has one fault that raises it, or a reason why none does', () => {
  expect([...raised, ...Object.keys(notFired)].sort()).toEqual([...readAlerts().keys()].sort());
});

test('durations of several units are read', () => {
  expect(['250ms', '15s', '5m', '1h30m', '7d', '2w'].map(msOf)).toEqual([
    250, 15_000, 300_000, 5_400_000, 604_800_000, 1_209_600_000,
  ]);
  expect(scaled('1h30m', 30)).toBe('180000ms');
  expect(scaled('1ms', 30)).toBe('1ms');
});

test.each([
  ['rate(a[5m]) > 10', 'rate(a[10000ms]) > 10'],
  ['a - a offset 1h > 0', 'a - a offset 120000ms > 0'],
  ['a offset -1h', 'a offset -120000ms'],
  ['max_over_time(rate(a[5m])[1h:1m])', 'max_over_time(rate(a[10000ms])[120000ms:2000ms])'],
  ['presenza:late_ratio:5m > 14.4 * 0.05', 'presenza:late_ratio:5m > 14.4 * 0.05'],
  ['a{le="[5m]",b=\'offset 1h\'}[5m]', 'a{le="[5m]",b=\'offset 1h\'}[10000ms]'],
  ['predict_linear(a[6h], 86400) > 2 * a + 300', 'predict_linear(a[720000ms], 2880) > 2 * a + 300'],
])('%s becomes %s', (expr, expected) => {
  expect(scaleExpression(expr, 30)).toBe(expected);
});

test('a scaled rule differs from its original only in durations', () => {
  const without = (text: string) => text.replace(/\[[^\]]*\](, \d+)?|offset \w+/g, '');
  for (const { file } of readRules()) {
    const { groups } = scaleRules(file, 30);
    for (const [i, { rules, interval }] of file.groups.entries()) {
      if (interval) expect(msOf(groups[i]?.interval ?? '')).toBe(msOf(interval) / 30);
      for (const [j, rule] of rules.entries()) {
        const other = groups[i]?.rules[j];
        expect(without(other?.expr ?? '')).toBe(without(rule.expr));
        expect(msOf(other?.for ?? '')).toBe(msOf(rule.for ?? '') / 30);
        expect({ ...other, expr: '', for: '' }).toEqual({ ...rule, expr: '', for: '' });
      }
    }
  }
});

test('the watch keeps when an alert changed, and counts one as firing when any of its series fires', async () => {
  const watch = new AlertWatch('http://127.0.0.1:9', undefined as never);
  watch.end();
  const active = (state: 'pending' | 'firing') => ({ labels: { alertname: 'A' }, state });
  const firing = watch.until('A', 'firing', 5_000);
  watch.see([active('pending')], 10);
  watch.see([active('firing'), active('pending')], 20);
  await firing;
  watch.see([active('firing')], 30);
  watch.see([], 40);
  expect(watch.firstSince('A', ['pending', 'firing'], 0)).toBe(10);
  expect(watch.firstSince('A', ['firing'], 0)).toBe(20);
  expect(watch.firstSince('A', ['inactive'], 0)).toBe(40);
  expect(watch.firstSince('A', ['firing'], 25)).toBeUndefined();
  expect(watch.stateOf('A')).toBe('inactive');
});

test('a machine without Prometheus skips the measurement, and the message names the program', () => {
  const { PATH } = process.env;
  process.env.PATH = '';
  try {
    expect(needPrometheus).toThrow(expect.objectContaining({ name: 'Skip' }));
    expect(needPrometheus).toThrow('prometheus is not on the PATH');
    expect(findRedisExporter()).toBeUndefined();
  } finally {
    process.env.PATH = PATH;
  }
});
