/**
 * POST /moderate: one image, followed by the prototypes of custom categories, if any. The query names the categories to
 * look for, so `categories=Explicit,Suggestive` does not run the model that finds weapons.
 */
import limits from '@presenza/contract/limits.json';
import type { Request } from 'express';
import { isGif } from '../pipeline/image/gif-file';
import { type Background, decodePrototypes } from '../pipeline/moderation/prototype';
import type { BuiltInCategory } from '../wire';
import type { OperationRoute } from './operation-route';
import { BadRequestError } from './request';

const builtInCategories: readonly BuiltInCategory[] = ['Explicit', 'Suggestive', 'Violence'];
const { maxPerAccount } = limits.customCategories;
const { sampledFrames } = limits.image.animation;

export const moderateRoute = (background: Background): OperationRoute<'moderate'> => ({
  operation: 'moderate',
  parts: { min: 1, max: 2 },
  input([image, prototypes], req) {
    if (prototypes) checkPrototypes(prototypes, background);
    return { image: image as Uint8Array, categories: readCategories(req), ...(prototypes && { prototypes }) };
  },
  // A GIF counts as the most frames that it may have, because counting them would block this thread.
  weight: ({ image }) =>
    isGif(Buffer.from(image.buffer, image.byteOffset, image.length)) ? sampledFrames : 1,
});

/** @throws BadRequestError */
function readCategories(req: Request): readonly BuiltInCategory[] {
  const { categories } = req.query;
  if (categories === undefined) return builtInCategories;
  const names = String(categories).split(',').filter(Boolean);
  const known: readonly string[] = builtInCategories;
  if (typeof categories !== 'string' || !names.every((name) => known.includes(name))) {
    throw badRequest('query', `categories must be some of ${known.join(',')}`);
  }
  return names as BuiltInCategory[];
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
