/** Detection through the typed client, with the answer that is right for the picture. */
import type { PresenzaClient } from '../../../gateway/contract/client/index.ts';
import { type Asked, ask } from './ask.ts';
import { oneOf, pictures } from './pictures.ts';

type Tags = Readonly<Record<string, string>>;

export async function detect(client: PresenzaClient, tags?: Tags): Promise<Asked<unknown>> {
  const { image, faces } = oneOf(pictures);
  return ask('detect', client.detect({ image }), ({ data }) => data.faceCount === faces, tags);
}
