/** Photographs of 12 to 36 megapixels in files of up to 5 MB, by clients that ask again at once: how long do they take? */
import type { Options } from 'k6/options';
import { ask, clientOf } from './lib/ask.ts';
import { allRight, clients, systemTags, targets } from './lib/load.ts';
import { oneOf, pictures } from './lib/pictures.ts';
import { settings } from './lib/settings.ts';

export const options: Options = {
  systemTags,
  scenarios: clients(),
  thresholds: { ...allRight, ...targets() },
};

const client = clientOf(settings.gatewayUrl, settings.apiKeys.load);

export default async function () {
  const { name, image, faces } = oneOf(pictures);
  await ask('detect', client.detect({ image }), ({ data }) => data.faceCount === faces, { picture: name });
}
