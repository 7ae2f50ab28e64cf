import { decodeImage, type ImageValue } from '../images/images';
import type { InferenceClient } from '../inference/inference-client';
import type { Analysis } from './analysis';

interface DetectBody {
  readonly image: ImageValue;
  readonly attributes?: 'all' | readonly string[];
}

/** The faces in one image, with the attributes that are asked for. No face is an answer, not an error. */
export const detectAnalysis = (inference: Pick<InferenceClient, 'detect'>): Analysis => ({
  name: 'detect',
  product: 'faceDetection',
  group: 'imageAnalysis',
  schema: 'detect-request.json',
  prepare(body) {
    const { image, attributes } = body as DetectBody;
    const bytes = decodeImage(image, 'image');
    return async ({ requestId, deadline, stages, priority }) => {
      const { faces } = await inference.detect(bytes, {
        requestId,
        deadline,
        stages,
        priority,
        field: 'image',
        attributes,
      });
      return { hasFace: faces.length > 0, faceCount: faces.length, faces };
    };
  },
});
