/**
 * POST /compare: two images in one body, source first. Two workers describe one image each; comparing the embeddings
 * takes microseconds and happens here.
 */
import type { RequestHandler, Response } from 'express';
import { type ComparisonResult, compare } from '../pipeline/compare';
import type { Description, ItemResult, ManifestData } from '../pipeline/operations';
import type { Submission } from '../scheduling/scheduler';
import type { CompareReply, FaultReply } from '../wire';
import { receiveBody } from './operation-route';
import { maxBodyBytes, readParts, readSubmission } from './request';
import { type OperationServices, submit, timingsOf, together } from './work';

export interface CompareServices extends OperationServices {
  readonly manifestData: ManifestData;
}

const parts = ['source', 'target'] as const;
const partCount = { min: parts.length, max: parts.length };

/** Handlers for `app.post('/compare', ...)`. */
export function compareRoute(services: CompareServices): RequestHandler[] {
  const { metrics } = services;
  return [
    ...receiveBody('compare', services, maxBodyBytes(partCount)),
    async (req, res) => {
      const begin = performance.now();
      const submission = { ...readSubmission(req, res), weight: 1 };
      const images = readParts(req, partCount) as [Uint8Array, Uint8Array];
      const outcome = await compareImages(services, res, images, submission);
      metrics.requests.inc({ operation: 'compare', outcome: outcome.ok ? 'ok' : 'refused' });
      if (!outcome.ok) {
        res.status(422).json({ error: outcome.error } satisfies FaultReply);
        return;
      }
      const timings = timingsOf(res, begin);
      metrics.stageSeconds.observe({ operation: 'compare', stage: 'total' }, timings.totalMs / 1e3);
      const { source, targets } = outcome;
      res.json({ source, targets, timings } satisfies CompareReply);
    },
  ];
}

type Outcome =
  | Extract<ComparisonResult, { ok: true }>
  | { readonly ok: false; readonly error: FaultReply['error'] };

/** The error names the image that was rejected or shows no face. */
async function compareImages(
  services: CompareServices,
  res: Response,
  images: readonly [Uint8Array, Uint8Array],
  submission: Submission,
): Promise<Outcome> {
  const described = await together(submission, (each) =>
    images.map((image, i) => {
      // A copy, because each image goes to a worker of its own and only a whole buffer can be transferred.
      const input = { image: Uint8Array.from(image), faces: i === 0 ? 'largest' : 'all' } as const;
      return submit(services, res, { operation: 'describe', input, submission: each });
    }),
  );
  for (const [i, result] of described.entries()) {
    if (result.ok) continue;
    const { ok, ...error } = result;
    return { ok, error: { ...error, part: parts[i] } };
  }
  const [source, target] = (described as Described[]).map(({ value }) => value) as [Description, Description];
  const comparison = compare(source, target, services.manifestData);
  if (comparison.ok) return comparison;
  const { missing } = comparison;
  return { ok: false, error: { code: 'NO_FACE_DETECTED', reason: missing, part: missing } };
}

type Described = Extract<ItemResult<Description>, { ok: true }>;
