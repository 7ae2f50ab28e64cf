import type { ModerateRequest, ModerationResult } from '@presenza/contract/client/types.d.ts';
import limits from '@presenza/contract/limits.json';
import type { ModerateReply } from '@presenza/inference/wire';
import { ApiError } from '../../errors';
import { wrongValue } from '../../errors/expectation';
import { builtInCategories, type Category, type CategoryStore } from '../categories/categories';
import type { Immutable } from '../contract/immutable';
import { decodeImage, type WithImages } from '../images/images';
import { type InferenceClient, StalePrototypes } from '../inference/inference-client';
import { type Analysis, tierCall } from './analysis';

export interface ModerateServices {
  readonly inference: Pick<InferenceClient, 'moderate'>;
  readonly categories: Pick<CategoryStore, 'listCategories'>;
  /** Called with a request whose account must recreate its categories, because the model has changed. */
  readonly onStale: (requestId: string) => void;
  /** Called with a request that ran without the account's own categories, because their store is unavailable. */
  readonly onUnlisted: (requestId: string) => void;
}

/** Finds content of the built-in and the account's own categories in one image. */
export const moderateAnalysis = ({
  inference,
  categories,
  onStale,
  onUnlisted,
}: ModerateServices): Analysis => ({
  name: 'moderate',
  product: 'imageModeration',
  group: 'imageAnalysis',
  schema: 'moderate-request.json',
  prepare(body) {
    const { image, confidenceThreshold, categories: given } = body as WithImages<ModerateRequest, 'image'>;
    // Java clients send an empty list for no list.
    const names = given?.length === 0 ? undefined : given;
    const threshold = confidenceThreshold ?? limits.thresholds.moderationConfidenceDefault;
    const bytes = decodeImage(image, 'image');
    return async (call): Promise<Immutable<ModerationResult>> => {
      const { principal, requestId } = call;
      const custom = await categories.listCategories(principal.accountId).catch((error) => {
        const unavailable = error instanceof ApiError && error.code === 'SERVICE_UNAVAILABLE';
        if (names !== undefined || !unavailable) throw error;
        onUnlisted(requestId);
        return [];
      });
      const wanted = choose(names, custom);
      const analyze = async (custom: readonly Category[]) => {
        const prototypes = custom.map(({ prototype }) => prototype);
        return elementsOf(
          await inference.moderate(
            bytes,
            { builtIn: wanted.builtIn, prototypes },
            { ...tierCall(call), field: 'image' },
          ),
          custom,
        );
      };
      const elements = await analyze(wanted.custom).catch((error) => {
        if (!(error instanceof StalePrototypes)) throw error;
        onStale(requestId);
        if (names === undefined) return analyze([]);
        throw new ApiError('INVALID_PARAMETERS', {
          reason: 'staleCategory',
          values: { field: 'categories' },
        });
      });
      const detectedElements = elements
        .filter(({ confidence }) => confidence >= threshold)
        .sort((a, b) => b.confidence - a.confidence);
      return { detectedElements };
    };
  },
});

/** @throws ApiError if a name is neither built in nor one of the account's. */
function choose(names: readonly string[] | undefined, custom: readonly Category[]) {
  if (names === undefined) return { builtIn: builtInCategories, custom };
  const known = [...builtInCategories, ...custom.map(({ name }) => name)];
  if (!names.every((name) => known.includes(name))) {
    throw new ApiError('INVALID_PARAMETERS', wrongValue('categories', 'enum', { values: known.join(', ') }));
  }
  return {
    builtIn: builtInCategories.filter((name) => names.includes(name)),
    custom: custom.filter(({ name }) => names.includes(name)),
  };
}

function elementsOf({ elements, custom }: ModerateReply, categories: readonly Category[]) {
  return [...elements, ...categories.map(({ name }, i) => ({ type: name, confidence: custom[i] as number }))];
}
