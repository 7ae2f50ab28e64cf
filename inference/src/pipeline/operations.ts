/**
 * What a worker can be asked to do: each operation takes a batch of items and answers each of them. Pictures are
 * decoded side by side and models run on the whole batch; an item that cannot be answered does not touch the others.
 */
import type { Model } from '../backends/backend';
import type { AccessoryProbes } from './accessories';
import { type AttributeName, attributesOf, type FaceAttributes } from './attributes';
import { clip } from './boxes';
import { decodePicture, ImageError } from './decode';
import { type AlignmentTemplate, type Embedding, embedFaces, type FaceInPicture } from './embed';
import { type Face, findFaces } from './find-faces';
import { classify, type DetectedElement, elementsOf, type Probabilities } from './moderate';
import { type Occlusion, occlusionOf } from './occlusion';
import type { Picture } from './picture';
import type { Probe } from './probe';
import { measureQuality, type Quality } from './quality';
import type { Calibration } from './similarity';

/** The part a model plays, whichever model plays it. */
export const modelRoles = [
  'near',
  'thorough',
  'mesh',
  'embedding',
  'moderation',
  'expression',
  'ageGender',
  'description',
] as const;
export type ModelRole = (typeof modelRoles)[number];
export type Models = Readonly<Record<ModelRole, Model>>;

/** What the operations need besides models, read from the manifests. */
export interface Knowledge {
  readonly alignments: readonly AlignmentTemplate[];
  /** What a distance between embeddings means. */
  readonly calibration: Calibration;
  /** On the mesh model's features. */
  readonly occlusionProbe: Probe;
  /** On the description model's features. */
  readonly accessoryProbes: AccessoryProbes;
}

export interface ImageItem {
  /** An encoded image. */
  readonly image: Uint8Array;
}

export interface DetectItem extends ImageItem {
  /** What to answer for each face besides what every face gets. Default: nothing. */
  readonly attributes?: readonly AttributeName[];
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

export interface DetectedFace extends DescribedFace {
  readonly occluded: Occlusion;
  /** Present when some were asked for. */
  readonly attributes?: FaceAttributes;
}

export interface Detection {
  /** Largest first, at most 100. */
  readonly faces: readonly DetectedFace[];
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

export type OperationName = 'detect' | 'describe' | 'moderate';

export interface Answers {
  readonly detect: Detection;
  readonly describe: Description;
  readonly moderate: Moderation;
}

/** Inputs by operation. */
interface Items {
  readonly detect: DetectItem;
  readonly describe: ImageItem;
  readonly moderate: ImageItem;
}

type Operation<Name extends OperationName> = (
  models: Models,
  items: readonly Items[Name][],
  knowledge: Knowledge,
) => Promise<ItemResult<Answers[Name]>[]>;

export const operations: { readonly [Name in OperationName]: Operation<Name> } = {
  detect: (models, items, { occlusionProbe, accessoryProbes }) =>
    onPictures(items, maxSide, async (pictures, decoded) => {
      const found = await findFaces(models, pictures);
      const asking = found.flatMap((faces, i) => {
        const picture = pictures[i] as Picture;
        const { attributes = [] } = decoded[i] as DetectItem;
        return attributes.length > 0 ? faces.map((face) => ({ picture, face, attributes })) : [];
      });
      const answers = await attributesOf(models, accessoryProbes, asking);
      const attributes = new Map(asking.map(({ face }, i) => [face, answers[i] as FaceAttributes]));
      return found.map((faces, i) => ({
        faces: faces.map((face) => ({
          ...describe(pictures[i] as Picture, face),
          occluded: occlusionOf(face.mesh, occlusionProbe),
          ...(attributes.has(face) ? { attributes: attributes.get(face) as FaceAttributes } : {}),
        })),
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
};

/** Decodes every item, runs `work` on those that are pictures, and puts answers and refusals in the items' order. */
async function onPictures<Item extends ImageItem, T>(
  items: readonly Item[],
  side: number,
  work: (pictures: readonly Picture[], items: readonly Item[]) => Promise<T[]>,
): Promise<ItemResult<T>[]> {
  const decoded = await Promise.all(items.map(({ image }) => decodePicture(image, side).catch(refusal)));
  const pictures = decoded.filter((one) => !(one instanceof ImageError)) as Picture[];
  const theirs = items.filter((_, i) => !(decoded[i] instanceof ImageError));
  const answers = pictures.length > 0 ? await work(pictures, theirs) : [];
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
