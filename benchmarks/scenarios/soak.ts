/** Does the service stay as it is under the same load for a long time? */
import type { Options } from 'k6/options';
import { allRight, arrivals, clientOfUser, systemTags, targets } from './lib/load.ts';
import { anyOf } from './lib/operations.ts';

export const options: Options = {
  systemTags,
  scenarios: arrivals(),
  thresholds: { ...allRight, ...targets() },
};

const client = clientOfUser();

export default async function () {
  await anyOf(client);
}
