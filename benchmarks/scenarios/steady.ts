/** Does a mix of operations that the machine can carry keep the specification's times? */
import type { Options } from 'k6/options';
import { allRight, arrivals, systemTags, targets } from './lib/load.ts';
import { askAny } from './lib/prepared.ts';

export const options: Options = {
  systemTags,
  scenarios: arrivals(),
  thresholds: { ...allRight, ...targets() },
};

export default askAny;
