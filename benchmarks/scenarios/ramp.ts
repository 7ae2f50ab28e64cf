/** What happens as more and more is asked, step by step, to beyond what can be answered? Steps miss the times on purpose. */
import type { Options } from 'k6/options';
import { clientOf } from './lib/ask.ts';
import { allRight, arrivals, systemTags } from './lib/load.ts';
import { anyOf } from './lib/operations.ts';
import { settings } from './lib/settings.ts';

export const options: Options = {
  systemTags,
  scenarios: arrivals(),
  thresholds: allRight,
};

const client = clientOf(settings.gatewayUrl, settings.apiKeys.load);

export default async function () {
  await anyOf(client);
}
