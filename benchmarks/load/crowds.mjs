/**
 * One account compares a selfie with images of a hundred faces while another account sends small images: how long the crowds
 * take, and how little the others notice.
 */
import sharp from 'sharp';
import { atMost, zero } from '../lib/figures.mjs';
import { dataUri, lfwImage, lfwPeople, portraits } from '../lib/material.mjs';
import { byOperation, LATE } from './analysis.mjs';
import { latencyTable, ms } from './tables.mjs';
import { applyMix, withWorld } from './world.mjs';

const COLUMNS = 12;
const ROWS = 10;
/** Side of an LFW image. */
const TILE = 250;

/** @type {import('../lib/types').Measurement} */
export const crowds = {
  name: 'load/crowds',
  question: 'How long does a comparison with 120 faces take, and how much does it delay the others?',
  conditions: { requests: 5, seconds: 20, clients: 3, overload: 4 },
  quick: { requests: 1, seconds: 3 },

  async run({ requests, seconds, clients, overload }, log) {
    const [source] = await portraits();
    const body = { sourceImage: dataUri(source), targetImage: dataUri(await mosaic()) };
    return withWorld({}, async (world) => {
      world.prepared.crowd = [world.bodies.json('/compare', body)];
      const crowd = { mix: { crowd: 1 }, account: 'account1' };
      const small = { mix: { detect: 1 }, account: 'account2', clients: 1 };
      const send = async (count) => {
        const scenario = { name: 'crowds', ...crowd, clients: count, requests, seconds: 300 };
        return (await applyMix(world, [scenario])).responses;
      };
      const taken = {
        alone: await send(1),
        three: await send(3),
        ...beside(await withSmall(world, small, { ...crowd, clients, seconds }), 'some'),
        ...beside(
          await withSmall(world, small, { ...crowd, clients: overload * world.workers, seconds }),
          'many',
        ),
      };
      const summary = Object.fromEntries(
        Object.entries(taken).map(([name, responses]) => [name, rowOf(name, responses)]),
      );
      for (const { operation, p50Ms, p95Ms, outcomes } of Object.values(summary))
        log(`${operation}: p50 ${ms(p50Ms)}, p95 ${ms(p95Ms)} ms, ${JSON.stringify(outcomes)}`);
      return summary;
    });
  },

  summarize: ({ alone, three, someSmall, someCrowds, manySmall, manyCrowds }, { clients, overload }) => ({
    figures: [
      atMost('/compare with 120 faces, idle machine, slowest', alone.maxMs, 'ms', 700, sampleOf(alone)),
      atMost('Three of them at once, slowest', three.maxMs, 'ms', 3000, sampleOf(three)),
      zero('Responses other than 200 in both', alone.others + three.others, sampleOf(alone, three)),
      atMost('/detect of another account meanwhile, p50', someSmall.p50Ms, 'ms', 20, sampleOf(someSmall)),
      atMost('/detect of another account meanwhile, p95', someSmall.p95Ms, 'ms', 50, sampleOf(someSmall)),
      atMost(
        '/detect of another account under overload with crowds, p95',
        manySmall.p95Ms,
        'ms',
        500,
        sampleOf(manySmall),
      ),
      zero('Crowds that ended with 504 under overload', manyCrowds.late, sampleOf(manyCrowds)),
    ],
    tables: [
      latencyTable(
        [alone, three, someSmall, someCrowds, manySmall, manyCrowds],
        'Responses',
        `A mosaic of 120 LFW images as target, beside them ${clients} clients. Overload: ${overload} clients for each worker, one after the other.`,
      ),
    ],
  }),
};

const sampleOf = (...rows) => ({
  n: rows.reduce((sum, { requests }) => sum + requests, 0),
  items: 'requests',
});

/** 120 LFW images of different people. */
async function mosaic() {
  const tiles = lfwPeople()
    .slice(0, COLUMNS * ROWS)
    .map((name, i) => ({
      input: lfwImage(name),
      left: TILE * (i % COLUMNS),
      top: TILE * Math.floor(i / COLUMNS),
    }));
  const canvas = { width: TILE * COLUMNS, height: TILE * ROWS, channels: /** @type {const} */ (3) };
  return sharp({ create: { ...canvas, background: '#000' } })
    .composite(tiles)
    .jpeg({ quality: 85 })
    .toBuffer();
}

async function withSmall(world, small, crowd) {
  const { responses } = await applyMix(world, [
    { name: 'crowds', ...crowd },
    // The crowds are under way from the second second on.
    { name: 'small', ...small, startSeconds: 1, seconds: crowd.seconds - 1 },
  ]);
  return responses;
}

const beside = (responses, name) => ({
  [`${name}Small`]: responses.filter(({ scenario }) => scenario === 'small'),
  [`${name}Crowds`]: responses.filter(({ scenario }) => scenario === 'crowds'),
});

const TITLES = {
  alone: '/compare with a crowd, alone',
  three: 'three at once',
  someSmall: '/detect beside three clients with crowds',
  someCrowds: 'these crowds',
  manySmall: '/detect under overload with crowds',
  manyCrowds: 'these crowds',
};

function rowOf(name, responses) {
  const [row] = byOperation(responses, () => TITLES[name]);
  const right = responses.filter(({ outcome }) => outcome === 'ok');
  return {
    ...row,
    operation: TITLES[name],
    maxMs: Math.max(...right.map(({ tookMs }) => tookMs)),
    others: responses.length - right.length,
    late: responses.filter(({ code }) => code === LATE).length,
  };
}
