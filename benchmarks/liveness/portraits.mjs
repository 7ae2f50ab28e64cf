/**
 * What the gateway measures in photographs of real people: the evidence for thresholds of the verdict. LFW shows many
 * people more than once, taken at different times by different cameras, so two portraits of somebody are two frames of a
 * head that turned; and hardly a portrait was taken from a screen.
 *
 * Every portrait is cropped to the middle, where the labelled person is. The screen's trace is measured in each, as a film
 * of that frame twice. Depth is measured in all pairs of one person, each as a film of its two frames. Which of them can
 * tell depth is left to the measuring itself: pairs without a measure do not count. Some rows are of those alone that
 * differ as frames of an attempt do.
 */
import { Client, framesJob, mapConcurrently } from '../lib/client.mjs';
import { lfwMiddle, lfwPictures } from '../lib/material.mjs';
import { percent } from '../lib/report.mjs';
import { withService } from '../lib/service.mjs';
import { percentile } from '../lib/stats.mjs';
import { loadTypescript } from '../lib/typescript.mjs';

const verdict = (/** @type {string} */ name) =>
  loadTypescript('gateway', 'src', 'services', 'liveness', 'verdict', `${name}.ts`);
const { measure } = verdict('measurements');
const { priorLogOdds, refusals, risks } = verdict('rules');

/**
 * How frames of an attempt differ, in degrees: the tier takes a turn to a side for an answer from 25 on, the guidance lets
 * nobody begin one with the head raised or lowered by more than 8, and who is asked to look up raises it by 14.
 */
const attempt = { turn: 25, level: 8, raised: 14 };

/**
 * @typedef {object} Film
 * @property {readonly string[]} names
 * @property {any} measures as the gateway has them
 * @property {number} turn to a side between the two frames, in degrees; NaN where one shows no face, as the next
 * @property {number} raised how much more the frame that looks straight on looks up than the turned one
 */

/** @type {import('../lib/types').Measurement} */
export const portraits = {
  name: 'liveness/portraits',
  answers: 'How deep, how foreshortened and how free of a screen’s trace are real people on LFW?',
  parameters: { crop: 0.7, concurrency: 3, people: 0 },

  async run({ crop, concurrency, people: limit }, log) {
    const people = limit > 0 ? lfwPictures().slice(0, limit) : lfwPictures();
    const singles = people.flat().map((name) => [name, name]);
    const pairs = people.flatMap((names) => names.flatMap((a, i) => names.slice(i + 1).map((b) => [a, b])));
    log(`${people.length} people, ${singles.length} portraits, ${pairs.length} pairs`);
    return withService(async ({ url }) => {
      const client = new Client(url);
      /** @param {readonly string[][]} films */
      const takeAll = (films) =>
        mapConcurrently(films, concurrency, async (names) => ({
          names,
          ...(await measureFilm(client, await Promise.all(names.map((name) => lfwMiddle(name, crop))))),
        }));
      try {
        const figures = summarise(await takeAll(singles), await takeAll(pairs));
        return { bars: [], figures: { people: people.length, ...figures } };
      } finally {
        client.close();
      }
    });
  },

  report: ({ people, depth, screen }) => [
    {
      title: 'Pairs of portraits of one person',
      columns: ['Measure', 'Pairs', 'Least', '1 %', '5 %', 'Median', 'Refused by', 'Refused'],
      rows: depth.map((/** @type {any} */ one) => [
        one.what,
        one.count,
        one.least,
        one.percent1,
        one.percent5,
        one.median,
        one.rule,
        one.refused,
      ]),
      remark: `${people} people. Turned: by yaw or pitch, against each other. Level: up or down by 8 degrees at most. Parallax is that of the nose in inter-ocular distances; foreshortening is how wide the turned face is for its pose. Two portraits are a film of two frames: what one mesh does wrong, no median mends. Pairs that are taken apart by years, glasses and expressions vary more than frames of one attempt.`,
    },
    {
      title: 'Trace of a screen in single portraits',
      columns: ['Portraits', 'Median', '95 %', '99 %', 'Most', 'With a risk', 'With enough for a refusal'],
      rows: [
        [
          screen.count,
          screen.median,
          screen.percent95,
          screen.percent99,
          screen.most,
          ...[screen.atRisk, screen.refused].map(
            ({ length }) => `${length} (${percent(length / screen.count)})`,
          ),
        ],
      ],
      remark:
        'Score from 0 to 1. One portrait scores by itself here, where an attempt has the median of all its frames.',
    },
  ],
};

/**
 * Two frames through the tier, and what the gateway makes of its answer.
 * @param {Client} client
 * @param {readonly Buffer[]} images
 */
async function measureFilm(client, images) {
  const { reply: signals } = await client.ask(framesJob(images, [0, 200]));
  const [a, b] = signals.frames.map((/** @type {any} */ { face }) => face?.pose);
  const [straight, turned] = Math.abs(a?.yaw) <= Math.abs(b?.yaw) ? [a, b] : [b, a];
  const measures = measure({
    signals,
    steps: [{ movement: 'centre', fromMs: 0, toMs: 200 }],
    frames: {
      arrivalsMs: [0, 200],
      kept: [0, 1],
      stepOf: [0, 0],
      sizes: [],
      refused: { repeated: 0, stale: 0, foreign: 0 },
    },
    camera: {},
  });
  return { measures, turn: Math.abs(a?.yaw - b?.yaw), raised: straight?.pitch - turned?.pitch };
}

/** @param {readonly Film[]} singles @param {readonly Film[]} pairs */
function summarise(singles, pairs) {
  const turned = (/** @type {number} */ degrees) =>
    pairs.filter(({ measures }) => measures.turnDegrees !== null && measures.turnDegrees >= degrees);
  const sideways = pairs.filter(({ turn }) => turn >= attempt.turn);
  const level = sideways.filter(({ raised }) => Math.abs(raised) <= attempt.level);
  const raised = sideways.filter(({ raised }) => raised >= attempt.raised);
  const traced = singles.filter(({ measures }) => measures.screen !== null);
  const scores = traced.map(({ measures }) => measures.screen);
  const riskOf = (/** @type {Film} */ { measures }) => risks.screen(measures);
  return {
    depth: [
      depthOf('parallax, turned by 15 degrees and more', 'parallax', 'flat', turned(15)),
      depthOf('parallax, turned by 25 degrees and more', 'parallax', 'flat', turned(attempt.turn)),
      depthOf('foreshortening, all', 'foreshortening', 'squeezed', pairs),
      depthOf('foreshortening, level and turned by 25 to a side', 'foreshortening', 'squeezed', level),
      depthOf('foreshortening, the straight one raised by 14', 'foreshortening', 'squeezed', raised),
    ],
    screen: {
      count: scores.length,
      median: percentile(scores, 50),
      percent95: percentile(scores, 95),
      percent99: percentile(scores, 99),
      most: Math.max(...scores),
      atRisk: nameOf(traced.filter((film) => riskOf(film) > 0)),
      refused: nameOf(traced.filter((film) => riskOf(film) > priorLogOdds)),
    },
  };
}

/** To look at them again. @param {readonly Film[]} films of one portrait each */
const nameOf = (films) => films.map(({ names: [name] }) => name);

/**
 * @param {string} what
 * @param {'parallax' | 'foreshortening'} measured
 * @param {'flat' | 'squeezed'} rule that refuses by it
 * @param {readonly Film[]} films
 */
function depthOf(what, measured, rule, films) {
  const seen = films.filter(({ measures }) => measures[measured] !== null);
  const values = seen.map(({ measures }) => measures[measured]);
  return {
    what,
    rule,
    count: values.length,
    least: Math.min(...values),
    percent1: percentile(values, 1),
    percent5: percentile(values, 5),
    median: percentile(values, 50),
    refused: seen.filter(({ measures }) => refusals[rule](measures)).length,
    /** To look at them again. */
    lowest: [...seen]
      .sort((x, y) => x.measures[measured] - y.measures[measured])
      .slice(0, 5)
      .map(({ names }) => names),
  };
}
