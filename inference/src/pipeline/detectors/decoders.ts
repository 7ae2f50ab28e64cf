/** The decoders of detectors, by the `decoding.kind` of the manifest. */
import { type ModelOutputs, type ModelSpec, product } from '../../backends/backend';
import type { Decoding, DecodingKind } from '../../catalogue/manifest-parts';
import type { Candidate } from './candidates';
import type { Decoder } from './detector';
import { scrfd } from './scrfd';
import { yunet } from './yunet';

export const decoders: Readonly<Record<DecodingKind, Decoder>> = { yunet, scrfd };

/** The decoder of a detector's model. */
export const decoderOf = (spec: ModelSpec): Decoder => decoders[decodingOf(spec).kind];

/** The decoding of a detector's model. */
export function decodingOf({ id, decoding }: ModelSpec): Decoding {
  if (!decoding)
    throw new Error(`The manifest of ${id} does not describe how to read its outputs (decoding)`);
  return decoding;
}

/**
 * Candidates of one image of a batch, in pixels of the model's input.
 * @param outputs of the whole batch.
 * @param index position of the image in it.
 */
export function readCandidates(spec: ModelSpec, outputs: ModelOutputs, index: number): Candidate[] {
  const { kind, minScore } = decodingOf(spec);
  const exampleOutputs = Object.fromEntries(
    spec.outputs.map(({ name, shape }) => {
      const length = product(shape);
      return [name, (outputs[name] as Float32Array).subarray(index * length, (index + 1) * length)];
    }),
  );
  return decoders[kind].read(exampleOutputs, { inputSize: spec.input.width, minScore });
}
