import type { CompareRequest, ComparisonResult } from '@presenza/contract/client/types.d.ts';
import limits from '@presenza/contract/limits.json';
import faceWarning from '@presenza/contract/schemas/face-warning.json';
import type { CompareReply } from '@presenza/inference/wire';
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
      const targets = reply.targets.map((face) => withKnownWarnings(face, call.apiVersion));
      return {
        sourceImageFace: withKnownWarnings(reply.source, call.apiVersion),
        matchedFaces: targets.filter(({ similarity }) => similarity >= threshold),
        unmatchedFaces: targets
          .filter(({ similarity }) => similarity < threshold)
          .map(({ similarity: _, ...face }) => face)
          .sort((a, b) => areaOf(b) - areaOf(a)),
      };
    };
  },
});

const areaOf = ({ boundingBox: { width, height } }: CompareReply['source']) => width * height;

type Warning = NonNullable<CompareReply['source']['warnings']>[number];

/** The API version that added a warning, for those that the first one lacks. */
const addedIn: Readonly<Partial<Record<Warning, string>>> = {
  occluded: '2026-11-29',
  border: '2026-11-29',
  turned: '2026-11-29',
  unclear: '2026-11-29',
};

/** A newer inference tier may send warnings that the contract of this gateway lacks. */
const contractWarnings: ReadonlySet<string> = new Set(faceWarning.enum);

const isIn = (warning: Warning, apiVersion: string) =>
  contractWarnings.has(warning) && (addedIn[warning] ?? '') <= apiVersion;

/** A face without the warnings that clients of a version do not know. */
const withKnownWarnings = <Face extends CompareReply['source']>(face: Face, apiVersion: string): Face => ({
  ...face,
  ...(face.warnings && {
    warnings: face.warnings.filter((warning) => isIn(warning, apiVersion)),
  }),
});
