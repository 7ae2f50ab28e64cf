/** Does the service stay as it is under the same load for a long time? */
import type { Options } from 'k6/options';
import { clientOf } from './lib/ask.ts';
import { allRight, arrivals, systemTags, targets } from './lib/load.ts';
import { anyOf } from './lib/operations.ts';
import { settings } from './lib/settings.ts';

export const options: Options = {
  systemTags,
  scenarios: arrivals(),
  thresholds: { ...allRight, ...targets() },
};

const client = clientOf(settings.gatewayUrl, settings.apiKeys.load);

export default async function () {
  await anyOf(client);
}
