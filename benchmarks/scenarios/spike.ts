/** Five times the most that can be carried, out of nothing: what is refused, how soon, and how long until all is well again? */
import type { Options } from 'k6/options';
import { allRight, arrivals, systemTags } from './lib/load.ts';
import { askAny } from './lib/prepared.ts';

export const options: Options = {
  systemTags,
  scenarios: arrivals(),
  thresholds: allRight,
};

export default askAny;
