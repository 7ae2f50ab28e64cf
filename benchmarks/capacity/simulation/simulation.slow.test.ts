// The simulation against what queueing theory says in closed form, and against its own books.
//
// Slow: it simulates hours of load on a large cluster.
import { randomFrom } from '../../lib/random.mjs';
import { arrivals, exponential } from './arrivals.mjs';
import { Machine, Threads } from './machine.mjs';
import { simulate } from './service.mjs';
import { Timeline } from './timeline.mjs';

interface Queue {
  load: number;
  count?: number;
  cores?: number;
  fixed?: boolean;
}
const CUSTOMERS = 20_000;

/** Mean wait in the queue of Poisson arrivals at `count` threads, in units of the mean service time. */
async function meanWait({ load, count = 1, cores = count, fixed = false }: Queue, seed: number) {
  const timeline = new Timeline();
  const machine = new Machine(timeline, { cores });
  const threads = new Threads(machine, { count });
  const random = randomFrom(seed);
  let [waited, served] = [0, 0];
  const arrive = (left: number) => {
    const begin = timeline.now();
    const work = fixed ? 1 : exponential(random, 1);
    threads.run(work, () => {
      waited += timeline.now() - begin - work;
      served += 1;
    });
    if (left > 1) timeline.setTimer(() => arrive(left - 1), exponential(random, 1 / (load * count)));
  };
  arrive(CUSTOMERS);
  await timeline.run();
  expect(served).toBe(CUSTOMERS);
  return waited / served;
}

/** Averages several seeds: single runs stray by a few percent, since a long queue delays its neighbors as well. */
async function meanOfWaits(queue: Queue) {
  let sum = 0;
  for (let seed = 1; seed <= 5; seed++) sum += (await meanWait(queue, seed)) / 5;
  return sum;
}

const portrait = {
  layout: {
    cores: 2,
    sharedSpeed: 0.9,
    together: true,
    workers: 2,
    tasksPerWorker: 4,
    decodeThreads: 4,
    maxQueue: 32,
    deadlineMs: 15_000,
  },
  times: {
    gateway: { loopMs: 1.2, besideMs: 0.2 },
    redisMs: 0.3,
    tierMs: 1,
    clientMs: 0.5,
    parts: ['detect'],
  },
  work: {
    detect: {
      decodeMs: 3,
      steps: [
        { baseMs: 0, perItemMs: 7 },
        { baseMs: 1, perItemMs: 4 },
      ],
    },
  },
  factors: [0.8, 1, 1.2],
  pattern: 'poisson' as const,
  seconds: 20,
  warmUpSeconds: 2,
  seed: 7,
};

/** Erlang's C: the probability that all of `c` servers are busy, and from it the mean wait in service times. */
function erlangWait(c: number, load: number): number {
  const offered = c * load;
  let term = 1;
  let sum = 0;
  for (let k = 0; k < c; k++) {
    sum += term;
    term *= offered / (k + 1);
  }
  const busy = term / (1 - load) / (sum + term / (1 - load));
  return busy / (c * (1 - load));
}

test('waits are those of queueing theory: M/M/1, M/D/1, M/M/c', async () => {
  const close = (seen: number, expected: number) => expect(Math.abs(seen / expected - 1)).toBeLessThan(0.05);
  close(await meanOfWaits({ load: 0.7 }), 0.7 / 0.3);
  // Pollaczek and Khinchine: without variance, half of M/M/1.
  close(await meanOfWaits({ load: 0.7, fixed: true }), 0.7 / 0.3 / 2);
  close(await meanOfWaits({ load: 0.8, count: 4 }), erlangWait(4, 0.8));
});

test('more threads than cores share them: many threads on one core wait as in processor sharing', async () => {
  // M/M/1-PS has the same mean as first in, first out; were threads not sharing, there would be no wait at all.
  const shared = await meanOfWaits({ load: 0.7 / 64, count: 64, cores: 1 });
  const alone = await meanOfWaits({ load: 0.7 / 64, count: 64, cores: 64 });
  expect(Math.abs(shared / (0.7 / 0.3) - 1)).toBeLessThan(0.05);
  expect(alone).toBeLessThan(0.001);
});

test('late arrivals come when they would have, and none is lost', async () => {
  const [even, bunched] = [[0], [0, 0, 25, 15, 5]].map((latenessMs) => {
    const next = arrivals({ pattern: { latenessMs }, perSecond: 100, random: randomFrom(3) });
    let now = 0;
    return Array.from({ length: 500 }, () => {
      now += next();
      return now;
    });
  });
  expect(even).toEqual(Array.from({ length: 500 }, (_, i) => 10 * i));
  const gaps = bunched.slice(1).map((at, i) => at - bunched[i]);
  // Three of five come at one moment, 25 ms after the one before them.
  expect(new Set(gaps.slice(10))).toEqual(new Set([0, 5, 10, 35]));
  expect(bunched[499]).toBeLessThanOrEqual(10 * 499 + 25);
});

test('the less urgent gets about a third of the share of others, and all that they leave', async () => {
  const race = async (cores: number, priorities: ('normal' | 'low')[]) => {
    const timeline = new Timeline();
    const machine = new Machine(timeline, { cores });
    const ended = priorities.map(() => 0);
    priorities.forEach((priority, i) => {
      machine.execute(
        100,
        () => {
          ended[i] = timeline.now();
        },
        priority,
      );
    });
    await timeline.run();
    return ended;
  };
  const [first, second] = await race(1, ['normal', 'low']);
  // 1024 parts and 335 of 1359, then everything.
  expect(first).toBeCloseTo((100 * 1359) / 1024, 6);
  expect(second).toBeCloseTo(200, 6);
  expect(await race(2, ['normal', 'low'])).toEqual([100, 100]);
  // One core is the most that one thread can have.
  expect(await race(2, ['normal', 'low', 'low'])).toEqual([100, 150, 150]);
});

test('every arrival is served or refused, at loads below and above the limit of the machine', async () => {
  const runs = await Promise.all([20, 80, 200].map((perSecond) => simulate({ ...portrait, perSecond })));
  for (const { arrived, served, refused, inSystem } of runs)
    expect(served + refused + inSystem).toBe(arrived);
  expect(runs.map(({ refused }) => refused > 0)).toEqual([false, false, true]);
  expect(runs.map(({ inSystem }) => inSystem)).toEqual([0, 0, 0]);
});

test('one seed gives one result, another seed another', async () => {
  const [a, b, c] = await Promise.all(
    [7, 7, 8].map((seed) => simulate({ ...portrait, perSecond: 60, seed })),
  );
  expect(b).toEqual(a);
  expect(c).not.toEqual(a);
});

test('throughput ends where the processor time of a request says; the bounded queue bounds the times', async () => {
  const overloaded = await simulate({ ...portrait, perSecond: 200, seconds: 30 });
  const { servedPerSecond, p99Ms, refusedShare, coresInUse } = overloaded;
  // 18.2 ms of a core for each response at 0.9 of its speed; a refusal costs the path there and back.
  const [response, refusal] = [18.2 / 0.9, 3.2 / 0.9];
  const expected = (2000 - 200 * refusal) / (response - refusal);
  expect(Math.abs(servedPerSecond / expected - 1)).toBeLessThan(0.06);
  expect(coresInUse).toBeGreaterThan(1.95);
  expect(refusedShare).toBeGreaterThan(0.4);
  // 32 that wait and 4 that run, at some 80 a second.
  expect(p99Ms).toBeLessThan((1000 * 45) / servedPerSecond);
});
