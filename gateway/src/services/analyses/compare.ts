import type { CompareRequest, ComparisonResult } from '@presenza/contract/client/types.d.ts';
import limits from '@presenza/contract/limits.json';
import type { Immutable } from '../contract/immutable';
import { decodeImage, type WithImages } from '../images/images';
import type { InferenceClient } from '../inference/inference-client';
import { type Analysis, tierCall } from './analysis';

/** Finds the largest face of one image among the faces of another. No match is a result; no face at all is an error. */
export const compareAnalysis = (inference: Pick<InferenceClient, 'compare'>): Analysis => ({
  name: 'compare',
  product: 'faceComparison',
  group: 'imageAnalysis',
  schema: 'compare-request.json',
  prepare(body) {
    const { sourceImage, targetImage, similarityThreshold } = body as WithImages<
      CompareRequest,
      'sourceImage' | 'targetImage'
    >;
    const threshold = similarityThreshold ?? limits.thresholds.similarityDefault;
    const source = decodeImage(sourceImage, 'sourceImage');
    const target = decodeImage(targetImage, 'targetImage');
    return async (call): Promise<Immutable<ComparisonResult>> => {
      const reply = await inference.compare(source, target, tierCall(call));
      return {
        sourceImageFace: reply.source,
        matchedFaces: reply.targets.filter(({ similarity }) => similarity >= threshold),
        unmatchedFaces: reply.targets
          .filter(({ similarity }) => similarity < threshold)
          .map(({ similarity: _, ...face }) => face),
      };
    };
  },
});
