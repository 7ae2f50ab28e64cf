import { evaluate } from '../lib/testing';

const imports =
  "import { readPoints, readThresholds } from './load/k6-run.mjs'; import { queueLengthIn } from './load/sampler.mjs';";

const point = (metric: string, value: number, tags: object, time = '2026-01-01T00:00:01.000000000Z') =>
  JSON.stringify({ metric, type: 'Point', data: { time, value, tags } });

it("reads k6's points: answers by their begin, refusals, what was never sent or answered, checks that failed", () => {
  const lines = [
    JSON.stringify({ type: 'Metric', data: { name: 'answer_ms', type: 'trend' }, metric: 'answer_ms' }),
    point('answer_ms', 250, { scenario: 's', operation: 'detect', outcome: 'ok' }),
    point('answer_ms', 900.5, {
      scenario: 's',
      operation: 'detect',
      outcome: 'refused',
      code: 'RATE_LIMIT_EXCEEDED',
      plan: 'basic',
    }),
    point('http_req_duration', 5, { scenario: 's' }),
    ...['s', 's', 's', 't'].map((scenario) => point('questions', 1, { scenario, operation: 'detect' })),
    point('retry_after_seconds', 3, { code: 'RATE_LIMIT_EXCEEDED' }),
    point('dropped_iterations', 2, { scenario: 's' }),
    point('dropped_iterations', 1, { scenario: 's' }),
    point('checks', 1, { check: 'a' }),
    point('checks', 0, { check: 'b' }),
  ];
  const second = Date.parse('2026-01-01T00:00:01Z');
  expect(evaluate(imports, `await readPoints(${JSON.stringify(lines)})`)).toEqual({
    answers: [
      {
        scenario: 's',
        operation: 'detect',
        outcome: 'refused',
        code: 'RATE_LIMIT_EXCEEDED',
        beginMs: second - 900.5,
        endMs: second,
        tookMs: 900.5,
        plan: 'basic',
        picture: '',
      },
      {
        scenario: 's',
        operation: 'detect',
        outcome: 'ok',
        code: '',
        beginMs: second - 250,
        endMs: second,
        tookMs: 250,
        plan: '',
        picture: '',
      },
    ],
    retryAfter: [{ code: 'RATE_LIMIT_EXCEEDED', seconds: 3 }],
    dropped: { s: [second, second, second] },
    unanswered: { s: 1, t: 1 },
    falseChecks: { b: 1 },
  });
});

it('reads thresholds: true means crossed', () => {
  const summary = {
    metrics: { checks: { thresholds: { 'rate==1': false } }, a: { thresholds: { 'p(95)<1': true } }, b: {} },
  };
  expect(evaluate(imports, `readThresholds(${JSON.stringify(summary)})`)).toEqual([
    { name: 'checks: rate==1', ok: true },
    { name: 'a: p(95)<1', ok: false },
  ]);
});

it('adds up the queues of all operations', () => {
  const text = [
    '# TYPE presenza_inference_queue_length gauge',
    'presenza_inference_queue_length{operation="detect"} 3',
    'presenza_inference_queue_length{operation="moderate"} 4',
    'presenza_inference_queue_length_other 9',
  ].join('\\n');
  expect(evaluate(imports, `queueLengthIn("${text.replaceAll('"', '\\"')}")`)).toBe(7);
});
