/** The detectors whose answers can be read, by the kind that a manifest's `decoding` names. */
import { type ModelOutputs, type ModelSpec, product } from '../../backends/backend';
import type { Decoding, DecodingKind } from '../../catalogue/knowledge';
import { blazeface } from './blazeface';
import type { Candidate } from './candidates';
import type { Decoder } from './detector';
import { scrfd } from './scrfd';
import { ssd } from './ssd';
import { yunet } from './yunet';

export const decoders: Readonly<Record<DecodingKind, Decoder>> = { blazeface, ssd, yunet, scrfd };

/** The decoding of a model that plays a detector. */
export function decodingOf({ id, decoding }: ModelSpec): Decoding {
  if (!decoding) throw new Error(`The manifest of ${id} does not say how its answer is read (decoding)`);
  return decoding;
}

/**
 * Candidates of one image of a batch, in pixels of the model's input.
 * @param outputs of the whole batch.
 * @param index position of the image in it.
 */
export function readCandidates(spec: ModelSpec, outputs: ModelOutputs, index: number): Candidate[] {
  const { kind, minScore } = decodingOf(spec);
  const answer = Object.fromEntries(
    spec.outputs.map(({ name, shape }) => {
      const length = product(shape);
      return [name, (outputs[name] as Float32Array).subarray(index * length, (index + 1) * length)];
    }),
  );
  return decoders[kind].read(answer, { inputSize: spec.input.width, minScore });
}
