/**
 * Runs a graph model on another input size than that of its export. A fully convolutional network has its size in two
 * places only: the shape of its placeholder and the target sizes of its resizes.
 */
import * as tf from '@tensorflow/tfjs';
import type { ModelManifest } from '../catalogue/manifest';

interface GraphNode {
  readonly name: string;
  readonly op: string;
  readonly input?: readonly string[];
  readonly attr?: {
    readonly shape?: { readonly shape?: { readonly dim?: { size: string }[] } };
  };
}

type Topology = { readonly node: readonly GraphNode[] };

/** Factors from the exported size to the manifest's. */
export interface Stretch {
  readonly height: number;
  readonly width: number;
}

/**
 * Sets the placeholder of a topology to the manifest's size, in place.
 * @returns undefined when the export already has that size or leaves it open.
 */
export function setInputSize(topology: unknown, { input }: ModelManifest): Stretch | undefined {
  const placeholder = (topology as Topology).node.find(({ op }) => op === 'Placeholder');
  const dims = placeholder?.attr?.shape?.shape?.dim;
  const [height, width] = [dims?.[1], dims?.[2]];
  if (!height || !width || Number(height.size) <= 0 || Number(width.size) <= 0) return undefined;
  const stretch = { height: input.height / Number(height.size), width: input.width / Number(width.size) };
  if (stretch.height === 1 && stretch.width === 1) return undefined;
  height.size = String(input.height);
  width.size = String(input.width);
  return stretch;
}

/**
 * Scales the target sizes of all resizes of a loaded model with its input.
 * @throws Error when a size would not be an integer.
 */
export function stretchResizes(model: tf.GraphModel, topology: unknown, { height, width }: Stretch): void {
  const weights = model.weights as Record<string, tf.Tensor[]>;
  for (const { name, op, input } of (topology as Topology).node) {
    if (op !== 'ResizeBilinear') continue;
    const size = input?.[1] ?? '';
    const [rows, columns] = weights[size]?.[0]?.dataSync() ?? [];
    const target = [Number(rows) * height, Number(columns) * width];
    if (!target.every(Number.isInteger)) throw new Error(`${name} cannot resize to ${target.join(' x ')}`);
    weights[size] = [tf.tensor1d(target, 'int32')];
  }
}
