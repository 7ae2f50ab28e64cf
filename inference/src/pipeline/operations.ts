/**
 * What a worker can be asked to do: each operation takes a batch of items and answers each of them. Pictures are
 * decoded side by side and models run on the whole batch; an item that cannot be answered does not touch the others.
 */
import type { Model } from '../backends/backend';
import { clip } from './boxes';
import { decodePicture, ImageError } from './decode';
import { type AlignmentTemplate, type Embedding, embedFaces, type FaceInPicture } from './embed';
import { type Face, findFaces } from './find-faces';
import { measureFrames } from './liveness/frames';
import type { FrameSignals, FramesItem } from './liveness/signals';
import { classify, type DetectedElement, elementsOf, type Probabilities } from './moderate';
import type { Picture } from './picture';
import { measureQuality, type Quality } from './quality';
import type { Calibration } from './similarity';

/** The part a model plays, whichever model plays it. */
export const modelRoles = [
  'near',
  'thorough',
  'mesh',
  'embedding',
  'moderation',
  'antispoof',
  'passiveLiveness',
] as const;
export type ModelRole = (typeof modelRoles)[number];
export type Models = Readonly<Record<ModelRole, Model>>;

/** What the operations need besides models, read from the manifests. */
export interface Knowledge {
  readonly alignments: readonly AlignmentTemplate[];
  /** What a distance between embeddings means. */
  readonly calibration: Calibration;
}

export interface ImageItem {
  /** An encoded image. */
  readonly image: Uint8Array;
}

/** A face as the API describes it; boxes are proportions of the upright picture, 0 to 1. */
export interface DescribedFace {
  readonly confidence: number;
  readonly boundingBox: {
    readonly left: number;
    readonly top: number;
    readonly width: number;
    readonly height: number;
  };
  readonly quality: Quality;
}

export interface Detection {
  /** Largest first, at most 100. */
  readonly faces: readonly DescribedFace[];
}

export interface Description {
  /** Largest first. */
  readonly faces: readonly (DescribedFace & { readonly embedding: Embedding })[];
}

export interface Moderation {
  readonly elements: readonly DetectedElement[];
  readonly probabilities: Probabilities;
}

/** A refused item is a result; only breakage throws. Code, reason and values are those of the error catalogue. */
export type ItemResult<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false;
      readonly code: 'INVALID_IMAGE';
      readonly reason: string;
      readonly values: Readonly<Record<string, number>>;
    };

/** Longer side in pixels to which larger pictures are shrunk: faces of a group stay large enough to compare. */
const maxSide = 1536;
/** Moderation looks at the whole picture in a small square. */
const maxModeratedSide = 640;

export type OperationName = 'detect' | 'describe' | 'moderate' | 'frames';

export interface Answers {
  readonly detect: Detection;
  readonly describe: Description;
  readonly moderate: Moderation;
  readonly frames: FrameSignals;
}

type Operation<Item, T> = (
  models: Models,
  items: readonly Item[],
  knowledge: Knowledge,
) => Promise<ItemResult<T>[]>;

type ItemOf<Name extends OperationName> = Name extends 'frames' ? FramesItem : ImageItem;

export const operations: { readonly [Name in OperationName]: Operation<ItemOf<Name>, Answers[Name]> } = {
  detect: (models, items) =>
    onPictures(items, maxSide, async (pictures) => {
      const found = await findFaces(models, pictures);
      return found.map((faces, i) => ({
        faces: faces.map((face) => describe(pictures[i] as Picture, face)),
      }));
    }),

  describe: (models, items, { alignments }) =>
    onPictures(items, maxSide, async (pictures) => {
      const found = await findFaces(models, pictures);
      const all: FaceInPicture[] = found.flatMap((faces, i) =>
        faces.map((face) => ({ picture: pictures[i] as Picture, face })),
      );
      const embeddings = await embedFaces({ embedding: models.embedding, alignments }, all);
      let next = 0;
      return found.map((faces, i) => ({
        faces: faces.map((face) => ({
          ...describe(pictures[i] as Picture, face),
          embedding: embeddings[next++] as Embedding,
        })),
      }));
    }),

  moderate: ({ moderation }, items) =>
    onPictures(items, maxModeratedSide, async (pictures) => {
      const all = await classify(moderation, pictures);
      return all.map((probabilities) => ({ elements: elementsOf(probabilities), probabilities }));
    }),

  // Frames that cannot be read are told inside the answer, so a set of them is never refused.
  frames: async (models, items, knowledge) => {
    const results: ItemResult<FrameSignals>[] = [];
    for (const item of items) results.push({ ok: true, value: await measureFrames(models, item, knowledge) });
    return results;
  },
};

/** Decodes every item, runs `work` on those that are pictures, and puts answers and refusals in the items' order. */
async function onPictures<T>(
  items: readonly ImageItem[],
  side: number,
  work: (pictures: readonly Picture[]) => Promise<T[]>,
): Promise<ItemResult<T>[]> {
  const decoded = await Promise.all(items.map(({ image }) => decodePicture(image, side).catch(refusal)));
  const pictures = decoded.filter((one) => !(one instanceof ImageError)) as Picture[];
  const answers = pictures.length > 0 ? await work(pictures) : [];
  let next = 0;
  return decoded.map((one) =>
    one instanceof ImageError
      ? { ok: false, code: 'INVALID_IMAGE', reason: one.fault, values: one.values }
      : { ok: true, value: answers[next++] as T },
  );
}

function refusal(error: unknown): ImageError {
  if (error instanceof ImageError) return error;
  throw error;
}

function describe(picture: Picture, face: Face): DescribedFace {
  const { left, top, width, height } = face.box;
  const boundingBox = clip({
    left: left / picture.width,
    top: top / picture.height,
    width: width / picture.width,
    height: height / picture.height,
  });
  return { confidence: face.confidence, boundingBox, quality: measureQuality(picture, face) };
}
