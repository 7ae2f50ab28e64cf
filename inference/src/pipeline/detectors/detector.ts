/** The interface of the decoders. */
import type { ModelOutputs } from '../../backends/backend';
import type { Candidate } from './candidates';

export interface DecodeOptions {
  /** Side of the model's square input in pixels. */
  readonly inputSize: number;
  /** Candidates below this probability are ignored, between 0 and 1. */
  readonly minScore: number;
}

/**
 * The box around the mesh of an upright face, relative to the detector's box: detectors differ in how much forehead and
 * cheek they include. Each is a mean over the faces of the 2,320 images of LFW.
 */
export interface MeshBox {
  /** Distance of its center below the box's, in units of the box's longer side. */
  readonly drop: number;
  /** Width and height in units of the box's. */
  readonly width: number;
  readonly height: number;
}

export interface Decoder {
  readonly meshBox: MeshBox;
  /**
   * Least probability at which the detector's roll is close enough for the mesh model to correct it. A face with less may
   * lie on its side or be upside down.
   */
  readonly minRollScore: number;
  /** Least probability at which a face with points needs no confirmation by the mesh model. */
  readonly minUnconfirmedScore: number;

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
