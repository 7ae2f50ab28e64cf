/** Does a mix of operations that the machine can carry keep the specification's times? */
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
