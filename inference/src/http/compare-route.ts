/**
 * POST /compare: two images in one body, source first. Two workers describe one image each; comparing the embeddings
 * takes microseconds and happens here.
 */
import type { RequestHandler } from 'express';
import type { Calibration } from '../catalogue/knowledge';
import { type ComparisonResult, compare } from '../pipeline/compare';
import type { Description, ItemResult } from '../pipeline/operations';
import type { CompareReply, FaultReply } from '../wire';
import { receiveBody } from './operation-route';
import { maxBodyBytes, readParts, readSubmission } from './request';
import { type OperationServices, submit, timingsOf, together } from './work';

export interface CompareServices extends OperationServices {
  readonly calibration: Calibration;
}

const parts = ['source', 'target'] as const;
const partCount = { min: parts.length, max: parts.length };

/** Handlers for `app.post('/compare', ...)`. */
export function compareRoute(services: CompareServices): RequestHandler[] {
  const { metrics, calibration } = services;
  return [
    ...receiveBody('compare', services, maxBodyBytes(partCount)),
    async (req, res) => {
      const begin = performance.now();
      const submission = { ...readSubmission(req, res), weight: 1 };
      // Copies, because the images go to different workers and only a whole buffer can be transferred.
      const images = readParts(req, partCount).map((image) => Uint8Array.from(image));
      req.body = undefined;
      const described = await together(submission, (each) =>
        images.map((image) =>
          submit(services, res, { operation: 'describe', input: { image }, submission: each }),
        ),
      );
      const outcome = compareDescribed(described, calibration);
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

/** Compares two descriptions. The error names the image that was rejected or shows no face. */
function compareDescribed(described: readonly ItemResult<Description>[], calibration: Calibration): Outcome {
  for (const [i, result] of described.entries()) {
    if (result.ok) continue;
    const { ok: _, ...error } = result;
    return { ok: false, error: { ...error, part: parts[i] } };
  }
  const [source, target] = described as readonly [Described, Described];
  const comparison = compare(source.value, target.value, calibration);
  if (comparison.ok) return comparison;
  const { missing } = comparison;
  return { ok: false, error: { code: 'NO_FACE_DETECTED', reason: missing, part: missing } };
}

type Described = Extract<ItemResult<Description>, { ok: true }>;
