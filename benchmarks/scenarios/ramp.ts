/** What happens as more and more is asked, step by step, to beyond what can be answered? Steps miss the times on purpose. */
import type { Options } from 'k6/options';
import { allRight, arrivals, clientOfUser, systemTags } from './lib/load.ts';
import { anyOf } from './lib/operations.ts';

export const options: Options = {
  systemTags,
  scenarios: arrivals(),
  thresholds: allRight,
};

const client = clientOfUser();

export default async function () {
  await anyOf(client);
}
