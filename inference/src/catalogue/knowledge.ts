/** Parts of a manifest that the pipeline or the compiler reads, in addition to source, input and outputs. */

export type DecodingKind = 'blazeface' | 'ssd' | 'yunet' | 'scrfd';

/** For detectors: how the pipeline reads the outputs. */
export interface Decoding {
  readonly kind: DecodingKind;
  /** Candidates below this probability are ignored, between 0 and 1. */
  readonly minScore: number;
  /** The same for faces that are small in the detector's view, because it merges small neighbors. */
  readonly minSmallScore?: number;
}

/** For embeddings: where some points of the mesh lie in an aligned chip. */
export interface AlignmentTemplate {
  /** Indices of mesh points. */
  readonly landmarks: readonly number[];
  /** x and y of each in chip pixels, in the same order. */
  readonly positions: readonly (readonly [number, number])[];
}

/** An aligned image of a face, the input of an embedding model. */
export interface Chip {
  readonly template: AlignmentTemplate;
  readonly mirrored: boolean;
}

/** One model of an embedding, and its share. */
export interface EmbeddingPart {
  /** Name of the model among the loaded ones. */
  readonly model: string;
  /**
   * Share of the model's cosine distance in the distance of the embedding, between 0 and 1. The shares of all parts add up
   * to 1.
   */
  readonly weight: number;
  /** The model's embeddings of these chips are averaged. */
  readonly chips: readonly Chip[];
}

/**
 * The part of a fused embedding that takes a single chip. By itself it separates most strangers, in a fraction of the time.
 */
export interface QuickEmbedding {
  readonly part: EmbeddingPart;
  /** The values of the fused embedding that come from this part: a multiple of its own embedding. */
  readonly start: number;
  readonly length: number;
  /** Of the part by itself. */
  readonly calibration: Calibration;
}

/**
 * For embeddings: how a distance becomes a similarity. The curve falls and is linear between its points, which are
 * fitted on pairs of known people.
 */
export interface Calibration {
  /** The pairs that the curve was fitted on. */
  readonly source: string;
  /** [distance, similarity], distance rising and similarity falling from 1 to 0. */
  readonly curve: readonly (readonly [number, number])[];
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

/** For graph models whose export or conversion broke PReLU; see `originals/repair-prelu.ts`. */
export interface PreluRepair {
  readonly kind: 'prelu';
  /** The slope of a channel as a multiple of the constant c in `relu(x) + c * (x - |x|)`: 2, or -2 where its sign is wrong. */
  readonly slope: number;
}
