/**
 * POST /moderate: one image, and behind it, if there are any, the prototypes of custom categories. Two models look at
 * the picture side by side on two workers: one for its classes and the custom categories, one for weapons. A query
 * leaves out what the caller does not want to pay for: `categories=Explicit,Suggestive` runs the first alone.
 */
import limits from '@presenza/contract/limits.json';
import type { Request, RequestHandler } from 'express';
import { type Background, decodePrototypes } from '../pipeline/moderation/prototype';
import type { ItemResult, Moderation, Violence } from '../pipeline/operations';
import type { BuiltInCategory, FaultReply, ModerateReply } from '../wire/protocol';
import { receiveBody } from './operation-route';
import { BadRequestError, maxBodyBytes, readParts, readSubmission } from './request';
import { type OperationServices, submit, timingsOf, together } from './work';

export interface ModerateServices extends OperationServices {
  readonly background: Background;
}

const builtInCategories: readonly BuiltInCategory[] = ['Explicit', 'Suggestive', 'Violence'];
const { maxPerAccount } = limits.customCategories;
const partCount = { min: 1, max: 2 };

/** Handlers for `app.post('/moderate', ...)`. */
export function moderateRoute(services: ModerateServices): RequestHandler[] {
  const { metrics, background } = services;
  return [
    ...receiveBody('moderate', services, maxBodyBytes(partCount)),
    async (req, res) => {
      const begin = performance.now();
      const submission = { ...readSubmission(req, res), weight: 1 };
      const wanted = readCategories(req);
      const [image, prototypes] = readParts(req, partCount) as [Uint8Array, Uint8Array?];
      if (prototypes) checkPrototypes(prototypes, background);
      req.body = undefined;
      const looks = wanted.some((name) => name !== 'Violence') || prototypes !== undefined;
      const item = { image, ...(prototypes && { prototypes }) };
      // The copy first: a buffer that was handed over is empty. Two workers cannot share one.
      const forObjects = wanted.includes('Violence') ? Uint8Array.from(image) : undefined;
      const results = await together<Results>(submission, (each) => [
        looks ? submit(services, res, { operation: 'moderate', input: item, submission: each }) : undefined,
        forObjects &&
          submit(services, res, { operation: 'violence', input: { image: forObjects }, submission: each }),
      ]);
      const refused = results.find((result) => result && !result.ok);
      metrics.requests.inc({ operation: 'moderate', outcome: refused ? 'refused' : 'ok' });
      if (refused && !refused.ok) {
        const { ok: _, ...error } = refused;
        res.status(422).json({ error } satisfies FaultReply);
        return;
      }
      const timings = timingsOf(res, begin);
      metrics.stageSeconds.observe({ operation: 'moderate', stage: 'total' }, timings.totalMs / 1e3);
      res.json({ ...merge(results, wanted), timings } satisfies ModerateReply);
    },
  ];
}

type Results = readonly [ItemResult<Moderation> | undefined, ItemResult<Violence> | undefined];

/** What both found, of the categories that were asked for, surest first. */
function merge([look, violence]: Results, wanted: readonly string[]): Omit<ModerateReply, 'timings'> {
  const elements = [
    ...(look?.ok ? look.value.elements : []),
    ...(violence?.ok ? [violence.value.element] : []),
  ];
  return {
    elements: elements
      .filter(({ type }) => wanted.includes(type))
      .sort((a, b) => b.confidence - a.confidence),
    custom: look?.ok ? look.value.custom : [],
    ...(look?.ok ? { probabilities: look.value.probabilities } : {}),
  };
}

/** @throws BadRequestError */
function readCategories(req: Request): readonly string[] {
  const { categories } = req.query;
  if (categories === undefined) return builtInCategories;
  const names = String(categories).split(',').filter(Boolean);
  const known: readonly string[] = builtInCategories;
  if (typeof categories !== 'string' || !names.every((name) => known.includes(name))) {
    throw badRequest('query', `categories must be some of ${known.join(',')}`);
  }
  return names;
}

/** Here and not in the worker: what the gateway kept for too long is its mistake, not the picture's. */
function checkPrototypes(bytes: Uint8Array, background: Background): void {
  let count: number;
  try {
    count = decodePrototypes(bytes, background).length;
  } catch (error) {
    throw badRequest('prototypes', (error as Error).message);
  }
  if (count > maxPerAccount) throw badRequest('prototypes', `more than ${maxPerAccount}`);
}

const badRequest = (reason: string, message: string) =>
  new BadRequestError(400, 'INVALID_PARAMETERS', reason, message);
