import limits from '@presenza/contract/limits.json';
import { decodeImage, type ImageValue } from '../images/images';
import type { InferenceClient } from '../inference/inference-client';
import type { Analysis } from './analysis';

interface CompareBody {
  readonly sourceImage: ImageValue;
  readonly targetImage: ImageValue;
  readonly similarityThreshold?: number;
}

/** The largest face of one image among the faces of another. No match is an answer; no face at all is an error. */
export const compareAnalysis = (inference: Pick<InferenceClient, 'compare'>): Analysis => ({
  name: 'compare',
  product: 'faceComparison',
  group: 'imageAnalysis',
  schema: 'compare-request.json',
  prepare(body) {
    const { sourceImage, targetImage, similarityThreshold } = body as CompareBody;
    const threshold = similarityThreshold ?? limits.thresholds.similarityDefault;
    const source = decodeImage(sourceImage, 'sourceImage');
    const target = decodeImage(targetImage, 'targetImage');
    return async ({ requestId, deadline, stages, priority }) => {
      const reply = await inference.compare(source, target, { requestId, deadline, stages, priority });
      const { confidence, boundingBox } = reply.source;
      return {
        sourceImageFace: { confidence, boundingBox },
        matchedFaces: reply.targets.filter(({ similarity }) => similarity >= threshold),
        unmatchedFaces: reply.targets
          .filter(({ similarity }) => similarity < threshold)
          .map(({ similarity: _, ...face }) => face),
      };
    };
  },
});
