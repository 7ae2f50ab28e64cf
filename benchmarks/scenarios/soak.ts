/** Does the service stay as it is under the same load for a long time? */
import type { Options } from 'k6/options';
import { allRight, arrivals, systemTags, targets } from './lib/load.ts';
import { askAny } from './lib/prepared.ts';

export const options: Options = {
  systemTags,
  scenarios: arrivals(),
  thresholds: { ...allRight, ...targets() },
};

export default askAny;
