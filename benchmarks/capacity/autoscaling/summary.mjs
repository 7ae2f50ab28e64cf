/** Figures, tables and charts of capacity/autoscaling. */
import { atMost } from '../../lib/figures.mjs';
import { readResult } from '../../lib/results.mjs';
import { following, podsFor } from './following.mjs';
import { rateAt } from './recorded-load.mjs';

/** Ten steps of the autoscaler, which adds half as many pods each 30 s: enough for fifty times as many. */
const LAG_SECONDS = 300;
/** Between two points of the charts. */
const CHART_SECONDS = 5;

/** @param {any} raw @param {any} conditions */
export function summarize({ phases, pod, startSeconds, samples }, { load, rateFactor, timeFactor }) {
  const found = following(samples, phases, pod.perSecond);
  const constant = constantPods(phases);
  const rate = (/** @type {number} */ second) => rateAt(phases, second - 0.5);
  const points = samples.filter(({ second }) => second % CHART_SECONDS === 0);
  const ofOffered = (/** @type {number} */ requests) => (100 * requests) / found.offered;
  return {
    variant: load,
    figures: [
      atMost('Longest time until enough pods were ready', found.longestLagSeconds, 's', LAG_SECONDS),
      atMost('Refused while enough pods were ready', ofOffered(found.refusedWithEnough), '%', 0),
      atMost('Pod-hours, of a constant number', (100 * found.podHours) / constant.podHours, '%', 100),
    ],
    tables: [
      {
        title: 'Autoscaled and constant',
        columns:
          'Pods | Most | Pod-hours | Pod-hours a million requests | Core-hours a million requests | Refused, %',
        rows: [
          ['autoscaled', found.mostPods, found.podHours, ...perMillion(found, pod), ofOffered(found.refused)],
          ['constant', constant.pods, constant.podHours, ...perMillion(constant, pod), 0],
        ],
        remark: `The load of load/${load}, ${rateFactor} times the requests and ${timeFactor} times as long: up to ${podsFor(Math.max(...phases.map(({ perSecond }) => perSecond)), pod.perSecond)} pods with all cores busy. A pod: ${pod.workers} cores, ${pod.perSecond.toFixed(1)} requests to detect a second (capacity/service-times), ready ${startSeconds.toFixed(1)} s after it is placed. Pod-hours count each pod that the autoscaler asked for. Constant: as many as the highest rate needs by capacity/plan.`,
      },
      {
        title: 'The curve',
        columns: 'Second | Offered/s | Pods needed | Pods wanted | Pods ready | Queue | Refused/s',
        rows: samples
          .filter(({ second }) => second % timeFactor === 0)
          .map(({ second, wanted, ready, queue, refused }) => {
            const before = samples.find((one) => one.second === second - timeFactor)?.refused ?? 0;
            const needed = podsFor(rate(second), pod.perSecond);
            return [
              second,
              rate(second),
              needed,
              wanted,
              ready,
              Math.round(queue),
              (refused - before) / timeFactor,
            ];
          }),
        remark: `Refused: on average of the ${timeFactor} s before.`,
      },
    ],
    charts: [
      {
        file: 'pods',
        title: 'Pods that the load needs, pods that the autoscaler wants, and ready pods',
        description: 'The number of pods follows the load up in steps, and down slowly.',
        x: { label: 'Seconds' },
        y: { label: 'Pods' },
        series: [
          {
            name: 'needed',
            points: points.map(({ second }) => [second, podsFor(rate(second), pod.perSecond)]),
          },
          { name: 'wanted', points: points.map(({ second, wanted }) => [second, wanted]) },
          { name: 'ready', points: points.map(({ second, ready }) => [second, ready]) },
        ],
      },
    ],
    data: { ...found, constant, phases, pod, startSeconds },
  };
}

/** As many pods as the plan has for the highest rate, without a spare one. */
function constantPods(phases) {
  const { pod } = readResult('capacity/plan').data.planned.find(({ operation }) => operation === 'detect');
  const pods = podsFor(Math.max(...phases.map(({ perSecond }) => perSecond)), pod.perSecond);
  const podHours = (pods * phases.reduce((sum, { seconds }) => sum + seconds, 0)) / 3_600;
  // Nothing is refused, since the plan leaves a quarter of the cores free.
  return {
    pods,
    podHours,
    served: phases.reduce((sum, { seconds, perSecond }) => sum + seconds * perSecond, 0),
  };
}

/** @param {{ podHours: number, served: number }} used @param {{ workers: number }} pod */
const perMillion = ({ podHours, served }, { workers }) => {
  const hours = (1e6 * podHours) / served;
  return [hours, workers * hours];
};
