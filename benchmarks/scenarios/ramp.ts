/** What happens as more and more is asked, step by step, to beyond what can be answered? Steps miss the times on purpose. */
import type { Options } from 'k6/options';
import { allRight, arrivals, systemTags } from './lib/load.ts';
import { askAny } from './lib/prepared.ts';

export const options: Options = {
  systemTags,
  scenarios: arrivals(),
  thresholds: allRight,
};

export default askAny;
