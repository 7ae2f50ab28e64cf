import { evaluate } from './testing';

const imports = "import { logTicks, niceTicks, renderChart } from './lib/chart.mjs';";

const chart = (more: object = {}) => ({
  title: 'Time & load',
  description: 'A curve that rises.',
  x: { label: 'Offered' },
  y: { label: 'Milliseconds' },
  series: [
    {
      name: 'p50',
      points: [
        [0, 10],
        [50, 20],
        [100, 400],
      ],
    },
    {
      name: 'p95',
      points: [
        [0, 15],
        [50, null],
        [100, 900],
      ],
    },
  ],
  ...more,
});
const render = (more?: object) => evaluate<string>(imports, `renderChart(${JSON.stringify(chart(more))})`);

describe('a chart', () => {
  let svg: string;
  beforeAll(() => {
    svg = render();
  });

  it('has a title and a description for those who do not see it, and text that is text', () => {
    expect(svg).toContain('<title id="t">Time &amp; load</title>');
    expect(svg).toContain('<desc id="d">A curve that rises.</desc>');
    for (const words of ['Offered', 'Milliseconds', 'p50', 'p95']) expect(svg).toContain(`>${words}</text>`);
  });

  it('is the same every time', () => {
    expect(render()).toBe(svg);
  });

  it('puts points where they belong, and leaves a gap where there is none', () => {
    // 0 to 100 over 70 to 700 pixels; 0 to 1000 over 318 to 56.
    expect(svg).toContain('d="M70 315.4L385 312.8L700 213.2"');
    expect(svg).toContain('d="M70 314.1M700 82.2"');
  });

  it('tells series apart by dash and marker as well as by colour', () => {
    expect(svg).toMatch(/class="s1"[^>]*stroke-dasharray/);
    expect(svg).toMatch(/<circle class="f0"/);
    expect(svg).toMatch(/<path class="f1"/);
  });

  it('knows dark pages', () => {
    expect(svg).toContain('prefers-color-scheme:dark');
  });
});

it('refuses what it cannot show', () => {
  expect(() => render({ series: [] })).toThrow(/at least one point/);
  expect(() => render({ y: { label: 'y', log: true }, series: [{ name: 'a', points: [[1, 0]] }] })).toThrow(
    /above 0/,
  );
  expect(() => render({ series: Array.from({ length: 7 }, () => chart().series[0]) })).toThrow(/at most 6/);
});

it.each([
  [0, 112, [0, 20, 40, 60, 80, 100, 120]],
  [0, 0.7, [0, 0.2, 0.4, 0.6, 0.8]],
  [0, 900, [0, 200, 400, 600, 800, 1000]],
  [5, 5, [5, 6, 7, 8, 9, 10]],
])('has round ticks from %d to %d', (low, high, ticks) => {
  expect(evaluate(imports, `niceTicks(${low}, ${high})`)).toEqual(ticks);
});

it.each([
  [
    [12, 900],
    [10, 20, 50, 100, 200, 500, 1000],
  ],
  [[100], [100, 200]],
])('has logarithmic ticks around %j', (values, ticks) => {
  expect(evaluate(imports, `logTicks(${JSON.stringify(values)})`)).toEqual(ticks);
});
