/** What every detector's decoder is. */
import type { ModelOutputs } from '../../backends/backend';
import type { Candidate } from './candidates';

export interface DecodeOptions {
  /** Side of the model's square input in pixels. */
  readonly inputSize: number;
  /** Probability below which places are passed over, between 0 and 1. */
  readonly minScore: number;
}

export interface Decoder {
  /**
   * What the decoder needs of a model.
   * @param inputSize side of the model's square input in pixels.
   * @param sizes how many values an image has in each of the model's outputs, for outputs of any length.
   * @returns how many values each output must have for one image.
   */
  needs(inputSize: number, sizes: Readonly<Record<string, number>>): Readonly<Record<string, number>>;
  /**
   * @param answer the outputs for one image.
   * @returns candidates in pixels of the model's input; boxes of one face may overlap.
   */
  read(answer: ModelOutputs, options: DecodeOptions): Candidate[];
}

/** The values of an output that `needs` has asked for. */
export const valuesOf = (answer: ModelOutputs, name: string) => answer[name] as Float32Array;
