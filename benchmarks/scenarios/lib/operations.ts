/** The operations of a mix, each with the answer that is right for its pictures. */
import type { PresenzaClient } from '../../../gateway/contract/client/index.ts';
import { type Asked, ask } from './ask.ts';
import { oneOf, pairs, pictures } from './pictures.ts';
import { settings } from './settings.ts';

type Operation = 'detect' | 'compare' | 'moderate';
type Tags = Readonly<Record<string, string>>;

export async function detect(client: PresenzaClient, tags?: Tags): Promise<Asked<unknown>> {
  const { image, faces } = oneOf(pictures);
  return ask('detect', client.detect({ image }), ({ data }) => data.faceCount === faces, tags);
}

export async function compare(client: PresenzaClient, tags?: Tags): Promise<Asked<unknown>> {
  const { source, target, same } = oneOf(pairs);
  const answering = client.compare({ sourceImage: source.image, targetImage: target.image });
  return ask('compare', answering, ({ data }) => data.matchedFaces.length === (same ? 1 : 0), tags);
}

export async function moderate(client: PresenzaClient, tags?: Tags): Promise<Asked<unknown>> {
  const { image } = oneOf(pictures);
  return ask('moderate', client.moderate({ image }), ({ data }) => data.detectedElements.length === 0, tags);
}

const operations = { detect, compare, moderate };

/** One operation, drawn as the settings' mix has them. */
export function anyOf(client: PresenzaClient): Promise<Asked<unknown>> {
  const parts = Object.entries(settings.mix) as [Operation, number][];
  let left = Math.random() * parts.reduce((sum, [, part]) => sum + part, 0);
  const drawn = parts.find(([, part]) => {
    left -= part;
    return left < 0;
  });
  return operations[drawn?.[0] ?? parts[0][0]](client);
}
