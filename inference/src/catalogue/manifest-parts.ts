/** Parts of a manifest that the pipeline or the compiler reads, in addition to source, input and outputs. */

export type DecodingKind = 'yunet' | 'scrfd';

/** How the pipeline reads the outputs of a detector. */
export interface Decoding {
  readonly kind: DecodingKind;
  /** Candidates below this probability are ignored, between 0 and 1. */
  readonly minScore: number;
}

/** Places of mesh points in a chip, the aligned image of a face that an embedding model takes. */
export interface AlignmentTemplate {
  /** Indices of mesh points. */
  readonly landmarks: readonly number[];
  /** x and y of each in chip pixels, in the same order. */
  readonly positions: readonly (readonly [number, number])[];
  /** Whether the chip is mirrored. Default: no. */
  readonly mirrored?: boolean;
}

/**
 * Turns the distance of two embeddings into a similarity. The curve falls and is linear between its points, which are
 * fitted on pairs of known people.
 */
export interface Calibration {
  /** The pairs that the curve was fitted on. */
  readonly source: string;
  /** [distance, similarity], distance rising and similarity falling from 1 to 0. */
  readonly curve: readonly (readonly [number, number])[];
}

/**
 * The limit below which a face shows too few features to be distinguished. An embedding model's vector of such a face is
 * short, before it becomes a unit vector. Strangers whose faces show few features have similar vectors.
 */
export interface Clarity {
  /** The images that the limit was fitted on. */
  readonly source: string;
  /** Faces with a shorter vector get a warning. */
  readonly minNorm: number;
}

/** A linear probe: a logistic regression on features that a model computes anyway. */
export interface Probe {
  /** One per feature. */
  readonly weights: readonly number[];
  readonly bias: number;
}

/** The measured ranges of a model's activations, without which it cannot run in bytes. */
export interface Quantization {
  /** The images that were measured. */
  readonly source: string;
  /** Names of the outputs of the operations that become bytes. Default: all that can. */
  readonly operations?: readonly string[];
  /** Least and greatest value of each quantized activation, in the order in which the graph computes them. */
  readonly ranges: readonly (readonly [number, number])[];
}
