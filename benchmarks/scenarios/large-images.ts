/** Photographs of 12 to 36 megapixels in files of up to 5 MB, by clients that ask again at once: how long do they take? */
import exec from 'k6/execution';
import type { Options } from 'k6/options';
import { ask } from './lib/ask.ts';
import { allRight, clientOfUser, clients, systemTags, targets } from './lib/load.ts';
import { pictures } from './lib/pictures.ts';

export const options: Options = {
  systemTags,
  scenarios: clients(),
  thresholds: { ...allRight, ...targets() },
};

const client = clientOfUser();

export default async function () {
  const { name, image, faces } = pictures[exec.scenario.iterationInTest % pictures.length];
  await ask('detect', client.detect({ image }), ({ data }) => data.faceCount === faces, { picture: name });
}
