/** What scripts have in common: their shape of load, their thresholds, and what their summary holds. */
import type { Options, Scenario } from 'k6/options';
import { p95TargetsMs } from '../../lib/targets.mjs';
import { clientOf } from './ask.ts';
import { keyOfUser, settings } from './settings.ts';

/**
 * Virtual users that a step may need: each waits for one answer, and none should be missing when a request is due. What
 * the tier holds at most, 256 images, is answered within 5 s by a machine that answers 50 a second; what comes beyond is
 * refused at once, or as soon as k6, on the machine that it keeps busy, comes to read it. Where users are missing all
 * the same, requests are not sent, which every report tells. Each user takes less than a megabyte.
 */
const SECONDS_OF_ANSWERS = 6;
const MOST_USERS = 3000;

/** The specification's target of each operation of the mix. */
export const targets = (): Record<string, string[]> =>
  Object.fromEntries(
    Object.keys(settings.mix).map((operation) => [
      `answer_ms{operation:${operation},outcome:ok}`,
      [`p(95)<${p95TargetsMs[operation as keyof typeof p95TargetsMs]}`],
    ]),
  );

/** Every answer that is no refusal is right, and there is one at least: no check at all would pass, too. */
export const allRight = { checks: ['rate==1'], right_answers: ['count>0'] };

/** Open model: requests begin when they are due, so that a slow service cannot slow down what it is asked. */
export function arrivals(): NonNullable<Options['scenarios']> {
  return Object.fromEntries(
    settings.steps.map(({ name, perSecond, seconds, startSeconds }): [string, Scenario] => {
      const users = Math.min(MOST_USERS, Math.ceil(perSecond * SECONDS_OF_ANSWERS) + 4);
      return [
        name,
        {
          executor: 'constant-arrival-rate',
          // Rates are whole numbers in k6: per 100 seconds, a rate of 0.5 a second is one.
          rate: Math.round(100 * perSecond),
          timeUnit: '100s',
          duration: `${seconds}s`,
          startTime: `${startSeconds}s`,
          preAllocatedVUs: users,
          maxVUs: users,
          gracefulStop: '20s',
        },
      ];
    }),
  );
}

/** Closed model: so many clients, each asking again as soon as it has an answer. It finds the most that is answered. */
export const clients = (): NonNullable<Options['scenarios']> => ({
  clients: {
    executor: 'constant-vus',
    vus: settings.clients,
    duration: `${settings.seconds}s`,
    gracefulStop: '30s',
  },
});

/** The typed client of this virtual user. */
export const clientOfUser = () => clientOf(settings.gatewayUrl, keyOfUser());

/** Tags that the driver reads; all others would only make its file longer. */
export const systemTags: NonNullable<Options['systemTags']> = ['scenario', 'check'];
