/**
 * Chooses the precision of the models. int8 suits processors with instructions for dot products of bytes; on others, and
 * on GPUs, it gains no speed and loses accuracy. float16 is for GPUs, and only on request.
 */
import type { Precision } from '../catalogue/precision';
import type { BackendChoice } from './backend';
import { hasByteDotProducts } from './processor';

export type PrecisionWish = 'auto' | Precision;

/** @throws Error, one sentence, if the device does not support the requested precision. */
export function choosePrecision(
  wish: PrecisionWish,
  { name, device }: Pick<BackendChoice, 'name' | 'device'>,
  canMultiplyBytes: () => boolean = hasByteDotProducts,
): Precision {
  const onProcessor = name === 'onnx' && device === 'cpu';
  if (wish === 'float16') {
    if (name === 'onnx' && !onProcessor) return 'float16';
    throw new Error(
      `INFERENCE_PRECISION=float16 is for the backend onnx on a GPU, not for ${name} on ${device}`,
    );
  }
  if (wish === 'int8' && !onProcessor) {
    throw new Error(
      `INFERENCE_PRECISION=int8 is for the backend onnx on a CPU, not for ${name} on ${device}`,
    );
  }
  if (wish === 'float32' || !onProcessor) return 'float32';
  if (canMultiplyBytes()) return 'int8';
  // Older instructions add products of bytes in 16 bits, which may overflow and give wrong results.
  if (wish === 'int8')
    throw new Error('INFERENCE_PRECISION=int8: this processor has no dot products of bytes');
  return 'float32';
}
