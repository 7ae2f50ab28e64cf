/**
 * POST /compare: two images in one body, source first. Two workers describe one image each; comparing the embeddings
 * takes microseconds and happens here. If the target shows a crowd, a worker embeds the faces in question once more.
 */
import type { RequestHandler, Response } from 'express';
import { type ComparisonResult, candidatesIn, compare } from '../pipeline/compare';
import type { Embedding } from '../pipeline/faces/embed';
import type { Points } from '../pipeline/image/geometry';
import type { Description, ItemResult, Knowledge } from '../pipeline/operations';
import type { Submission } from '../scheduling/scheduler';
import type { CompareReply, FaultReply } from '../wire';
import { receiveBody } from './operation-route';
import { maxBodyBytes, readParts, readSubmission } from './request';
import { type OperationServices, submit, timingsOf, together } from './work';

export interface CompareServices extends OperationServices {
  readonly knowledge: Knowledge;
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
  const { knowledge } = services;
  const begin = performance.now();
  const described = await together(submission, (each) =>
    images.map((image, i) => {
      // A copy, because each image goes to a worker of its own and only a whole buffer can be transferred.
      const input = { image: Uint8Array.from(image), faces: i === 0 ? 'largest' : 'all' } as const;
      return submit(services, res, { operation: 'describe', input, submission: each });
    }),
  );
  for (const [i, result] of described.entries()) {
    if (!result.ok) return refusalOf(result, parts[i]);
  }
  const [source, target] = (described as Described[]).map(({ value }) => value) as [Description, Description];
  const candidates = candidatesIn(source, target, knowledge);
  const embeddings: ItemResult<readonly Embedding[]> =
    candidates.length === 0
      ? { ok: true, value: [] }
      : await submit(services, res, {
          operation: 'embed',
          input: {
            image: Uint8Array.from(images[1]),
            faces: candidates.map(({ points }) => points as Points),
          },
          submission: {
            ...submission,
            weight: candidates.length,
            deadlineMs: (submission.deadlineMs ?? Number.POSITIVE_INFINITY) - (performance.now() - begin),
          },
        });
  if (!embeddings.ok) return refusalOf(embeddings, 'target');
  const embedded = new Map(candidates.map((face, i) => [face, embeddings.value[i] as Embedding]));
  const comparison = compare(source, target, knowledge, embedded);
  if (comparison.ok) return comparison;
  const { missing } = comparison;
  return { ok: false, error: { code: 'NO_FACE_DETECTED', reason: missing, part: missing } };
}

function refusalOf({ ok, ...error }: ItemResult<unknown> & { ok: false }, part: FaultReply['error']['part']) {
  return { ok, error: { ...error, part } };
}

type Described = Extract<ItemResult<Description>, { ok: true }>;
