/** Charts of one operation's ramp. */

/** @param {import('./ramp.mjs').Mix} mix @returns {import('../lib/types').NamedChart[]} */
export function rampCharts({ operation, workers, targetMs, steps, knee }) {
  const x = { label: 'Offered, requests per second' };
  const of = `${operation}, ${workers} ${workers === 1 ? 'worker' : 'workers'}`;
  const file = (/** @type {string} */ what) => `${operation}-${workers}-${what}`;
  const kneeLine = knee ? [{ axis: /** @type {const} */ ('x'), value: knee.perSecond, label: 'knee' }] : [];
  const curve = (/** @type {string} */ name, /** @type {(step: any) => number | null} */ read) => ({
    name,
    points: steps.map((step) => /** @type {const} */ ([step.offeredPerSecond, read(step) ?? Number.NaN])),
  });
  const processes = (/** @type {'cpuCores' | 'rssMb'} */ what, /** @type {string[]} */ names) =>
    names.map((name) => curve(name, (step) => step[what][name] ?? null));
  const within = knee
    ? `It is within the target up to ${Math.round(knee.perSecond)} requests per second.`
    : '';
  return [
    {
      file: file('latency'),
      title: `Time of an answer against offered load: ${of}`,
      description: `50th, 95th and 99th percentile of right answers. ${within}`,
      x,
      y: { label: 'Milliseconds', log: true },
      series: [
        curve('p50', (step) => step.p50Ms),
        curve('p95', (step) => step.p95Ms),
        curve('p99', (step) => step.p99Ms),
      ],
      lines: [...kneeLine, { axis: 'y', value: targetMs, label: 'target of p95' }],
    },
    {
      file: file('throughput'),
      title: `Answered and refused against offered load: ${of}`,
      description:
        'Right answers per second, and refusals per second, which begin where no more can be answered.',
      x,
      y: { label: 'Per second' },
      series: [
        curve('answered', (step) => step.answeredPerSecond),
        curve('refused', (step) => step.refusedShare * step.offeredPerSecond),
        curve('offered', (step) => step.offeredPerSecond),
      ],
      lines: kneeLine,
    },
    {
      file: file('queue'),
      title: `Images that wait for a worker: ${of}`,
      description: 'Mean and most of the length of the queue, looked at once a second.',
      x,
      y: { label: 'Images' },
      series: [curve('mean', (step) => step.queueLength), curve('most', (step) => step.queueMost)],
      lines: kneeLine,
    },
    {
      file: file('cpu'),
      title: `Processor: ${of}`,
      description: 'Cores taken on average by each process; k6 stands for the clients.',
      x,
      y: { label: 'Cores' },
      series: processes('cpuCores', ['inference', 'gateway', 'redis', 'k6']),
      lines: kneeLine,
    },
    {
      file: file('memory'),
      title: `Resident memory: ${of}`,
      description: 'Most of each step, by process.',
      x,
      y: { label: 'MB' },
      series: processes('rssMb', ['inference', 'gateway', 'redis']),
      lines: kneeLine,
    },
  ];
}
