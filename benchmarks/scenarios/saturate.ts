/** How much is answered at most, by clients that ask again at once? The other scripts' rates are parts of it. */
import type { Options } from 'k6/options';
import { allRight, clients, systemTags } from './lib/load.ts';
import { askAny } from './lib/prepared.ts';

export const options: Options = {
  systemTags,
  scenarios: clients(),
  thresholds: allRight,
};

export default askAny;
