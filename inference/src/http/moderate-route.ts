/**
 * POST /moderate: one image, followed by the prototypes of custom categories, if any. Two workers run one model each:
 * one finds the image's classes and the custom categories, one finds weapons. The query names the categories to look
 * for, so `categories=Explicit,Suggestive` runs only the first model.
 */
import limits from '@presenza/contract/limits.json';
import type { Request, RequestHandler } from 'express';
import { type Background, decodePrototypes } from '../pipeline/moderation/prototype';
import type { ItemResult, Knowledge, Moderation, Violence } from '../pipeline/operations';
import type { BuiltInCategory, FaultReply, ModerateReply } from '../wire';
import { receiveBody } from './operation-route';
import { BadRequestError, maxBodyBytes, readParts, readSubmission } from './request';
import { type OperationServices, submit, timingsOf, together } from './work';

export interface ModerateServices extends OperationServices {
  readonly knowledge: Knowledge;
}

const builtInCategories: readonly BuiltInCategory[] = ['Explicit', 'Suggestive', 'Violence'];
const { maxPerAccount } = limits.customCategories;
const partCount = { min: 1, max: 2 };

/** Handlers for `app.post('/moderate', ...)`. */
export function moderateRoute(services: ModerateServices): RequestHandler[] {
  const { metrics } = services;
  const { background } = services.knowledge;
  return [
    ...receiveBody('moderate', services, maxBodyBytes(partCount)),
    async (req, res) => {
      const begin = performance.now();
      const submission = { ...readSubmission(req, res), weight: 1 };
      const requested = readCategories(req);
      const [image, prototypes] = readParts(req, partCount) as [Uint8Array, Uint8Array?];
      if (prototypes) checkPrototypes(prototypes, background);
      req.body = undefined;
      const classifies = requested.some((name) => name !== 'Violence') || prototypes !== undefined;
      const item = { image, ...(prototypes && { prototypes }) };
      // Copy it first: two workers cannot share a buffer, and a transferred buffer is empty.
      const forObjects = requested.includes('Violence') ? Uint8Array.from(image) : undefined;
      const results = await together<Results>(submission, (each) => [
        classifies
          ? submit(services, res, { operation: 'moderate', input: item, submission: each })
          : undefined,
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
      res.json({ ...merge(results, requested), timings } satisfies ModerateReply);
    },
  ];
}

type Results = readonly [ItemResult<Moderation> | undefined, ItemResult<Violence> | undefined];

/** The requested categories among the results of both, most confident first. */
function merge([classes, violence]: Results, requested: readonly string[]): Omit<ModerateReply, 'timings'> {
  const elements = [
    ...(classes?.ok ? classes.value.elements : []),
    ...(violence?.ok ? [violence.value.element] : []),
  ];
  return {
    elements: elements
      .filter(({ type }) => requested.includes(type))
      .sort((a, b) => b.confidence - a.confidence),
    custom: classes?.ok ? classes.value.custom : [],
    ...(classes?.ok ? { probabilities: classes.value.probabilities } : {}),
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

/** Checked here and not in the worker, because prototypes of another model are the gateway's error, not the image's. */
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
