/** How much is answered at most, by clients that ask again at once? The other scripts' rates are parts of it. */
import type { Options } from 'k6/options';
import { allRight, clientOfUser, clients, systemTags } from './lib/load.ts';
import { anyOf } from './lib/operations.ts';

export const options: Options = {
  systemTags,
  scenarios: clients(),
  thresholds: allRight,
};

const client = clientOfUser();

export default async function () {
  await anyOf(client);
}
