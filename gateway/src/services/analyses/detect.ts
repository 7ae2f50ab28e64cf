import type { DetectionResult, DetectRequest } from '@presenza/contract/client/types.d.ts';
import type { Immutable } from '../contract/immutable';
import { decodeImage, type WithImages } from '../images/images';
import type { InferenceClient } from '../inference/inference-client';
import { type Analysis, tierCall } from './analysis';

/** Finds the faces in one image, with the requested attributes. No face is a result, not an error. */
export const detectAnalysis = (inference: Pick<InferenceClient, 'detect'>): Analysis => ({
  name: 'detect',
  product: 'faceDetection',
  group: 'imageAnalysis',
  schema: 'detect-request.json',
  prepare(body) {
    const { image, attributes: names } = body as WithImages<DetectRequest, 'image'>;
    // Java clients send an empty list for no list.
    const attributes = names?.length === 0 ? undefined : names?.includes('all') ? 'all' : names;
    const bytes = decodeImage(image, 'image');
    return async (call): Promise<Immutable<DetectionResult>> => {
      const reply = await inference.detect(bytes, { ...tierCall(call), field: 'image', attributes });
      const faces = reply.faces.map(({ isConfirmed: _, ...face }) => face);
      return { hasFace: faces.length > 0, faceCount: faces.length, faces };
    };
  },
});
