/** The interface of the decoders. */
import type { ModelOutputs } from '../../backends/backend';
import type { Candidate } from './candidates';

export interface DecodeOptions {
  /** Side of the model's square input in pixels. */
  readonly inputSize: number;
  /** Candidates below this probability are ignored, between 0 and 1. */
  readonly minScore: number;
}

export interface Decoder {
  /**
   * The outputs that the decoder needs.
   * @param inputSize side of the model's square input in pixels.
   * @param sizes values per image of each of the model's outputs, for outputs of variable length.
   * @returns values per image that each output must have.
   */
  needs(inputSize: number, sizes: Readonly<Record<string, number>>): Readonly<Record<string, number>>;
  /**
   * @param outputs the outputs for one image.
   * @returns candidates in pixels of the model's input; boxes of one face may overlap.
   */
  read(outputs: ModelOutputs, options: DecodeOptions): Candidate[];
}

/** The values of an output that `needs` lists. */
export const valuesOf = (outputs: ModelOutputs, name: string) => outputs[name] as Float32Array;
