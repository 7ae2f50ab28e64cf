/**
 * What a worker can be asked to do: each operation takes a batch of items and answers each of them. Pictures are
 * decoded side by side and models run on the whole batch; an item that cannot be answered does not touch the others.
 */

import type { Model } from '../backends/backend';
import type { AlignmentTemplate, Calibration, Probe } from '../catalogue/knowledge';
import type { AccessoryProbes } from './attributes/accessories';
import { type AttributeName, attributesOf, type FaceAttributes } from './attributes/attributes';
import { type Occlusion, occlusionOf } from './attributes/occlusion';
import { type Embedding, embedFaces, type FaceInPicture } from './faces/embed';
import { type Face, findFaces } from './faces/find-faces';
import { measureQuality, type Quality } from './faces/quality';
import { type Box, proportionsOf } from './image/boxes';
import { decodePicture, ImageError } from './image/decode';
import type { Picture } from './image/decoded-image';
import { measureFrames } from './liveness/frames';
import type { FrameSignals, FramesItem } from './liveness/signals';
import { type DetectedElement, elementsOf, lookAt, type Probabilities } from './moderation/moderate';
import { findViolence } from './moderation/objects';
import {
  type Background,
  confidenceIn,
  decodePrototypes,
  encodePrototype,
  makePrototype,
  relativeTo,
} from './moderation/prototype';

/** The part a model plays, whichever model plays it. */
export const modelRoles = [
  'near',
  'thorough',
  'mesh',
  'embedding',
  'moderation',
  'objects',
  'expression',
  'ageGender',
  'description',
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
  /** What custom categories stand out from. */
  readonly background: Background;
  /** On the mesh model's features. */
  readonly occlusionProbe: Probe;
  /** On the description model's features. */
  readonly accessoryProbes: AccessoryProbes;
}

export interface ImageItem {
  /** An encoded image. */
  readonly image: Uint8Array;
}

export interface ModerateItem extends ImageItem {
  /** Encoded prototypes of custom categories, one after the other. */
  readonly prototypes?: Uint8Array;
}

export interface ExamplesItem {
  /** Encoded images. */
  readonly images: readonly Uint8Array[];
}

export interface DetectItem extends ImageItem {
  /** What to answer for each face besides what every face gets. Default: nothing. */
  readonly attributes?: readonly AttributeName[];
}

/** A face as the API describes it; boxes are proportions of the upright picture, 0 to 1. */
export interface DescribedFace {
  readonly confidence: number;
  readonly boundingBox: Box;
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
  /** Confidence of each custom category, in the order of the prototypes. */
  readonly custom: readonly number[];
}

/** Objects that make a picture violent. */
export interface Violence {
  readonly element: DetectedElement;
}

export interface PrototypeReply {
  /** Encoded, base64: what moderation takes. */
  readonly prototype: string;
  /** Examples that fit the others badly, as places in the list of images. */
  readonly outliers: readonly number[];
}

/** A refused item is a result; only breakage throws. Code, reason and values are those of the error catalogue. */
export type ItemResult<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false;
      readonly code: 'INVALID_IMAGE' | 'INVALID_PARAMETERS';
      readonly reason: string;
      readonly values: Readonly<Record<string, number>>;
    };

/** Longer side in pixels to which larger pictures are shrunk: faces of a group stay large enough to compare. */
const maxSide = 1536;
/** Moderation looks at the whole picture in a small square. */
const maxModeratedSide = 640;

/** Examples that are decoded side by side. */
const examplesAtOnce = 8;

export type OperationName = 'detect' | 'describe' | 'moderate' | 'violence' | 'prototype' | 'frames';

export interface Answers {
  readonly detect: Detection;
  readonly describe: Description;
  readonly moderate: Moderation;
  readonly violence: Violence;
  readonly prototype: PrototypeReply;
  readonly frames: FrameSignals;
}

type Operation<Name extends OperationName> = (
  models: Models,
  items: readonly ItemOf<Name>[],
  knowledge: Knowledge,
) => Promise<ItemResult<Answers[Name]>[]>;

/** What an operation takes, where it is not one image. */
interface Items {
  readonly detect: DetectItem;
  readonly moderate: ModerateItem;
  readonly prototype: ExamplesItem;
  readonly frames: FramesItem;
}
type ItemOf<Name extends OperationName> = Name extends keyof Items ? Items[Name] : ImageItem;

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

  moderate: ({ moderation }, items, { background }) =>
    onPictures(items, maxModeratedSide, async (pictures, asked) => {
      const looks = await lookAt(moderation, pictures);
      return looks.map(({ probabilities, features }, i) => {
        const { prototypes = new Uint8Array(0) } = asked[i] as ModerateItem;
        const known = decodePrototypes(prototypes, background);
        const relative = relativeTo(background, features);
        const custom = known.map((prototype) => confidenceIn(prototype, relative));
        return { elements: elementsOf(probabilities), probabilities, custom };
      });
    }),

  violence: ({ objects }, items) =>
    onPictures(items, maxModeratedSide, async (pictures) => {
      const found = await findViolence(objects, pictures);
      return found.map((element) => ({ element }));
    }),

  prototype: async ({ moderation }, items, { background }) => {
    const results: ItemResult<PrototypeReply>[] = [];
    for (const { images } of items) results.push(await prototypeOf(moderation, images, background));
    return results;
  },

  // Frames that cannot be read are told inside the answer, so a set of them is never refused.
  frames: async (models, items, knowledge) => {
    const results: ItemResult<FrameSignals>[] = [];
    for (const item of items) results.push({ ok: true, value: await measureFrames(models, item, knowledge) });
    return results;
  },
};

/** The prototype of some images; the first that is no picture, or that they have nothing in common, refuses them. */
async function prototypeOf(
  moderation: Model,
  images: readonly Uint8Array[],
  background: Background,
): Promise<ItemResult<PrototypeReply>> {
  const examples: Float32Array[] = [];
  for (let start = 0; start < images.length; start += examplesAtOnce) {
    const items = images.slice(start, start + examplesAtOnce).map((image) => ({ image }));
    const looks = await onPictures(items, maxModeratedSide, (pictures) => lookAt(moderation, pictures));
    for (const [i, look] of looks.entries()) {
      if (!look.ok) return { ...look, values: { ...look.values, image: start + i } };
      examples.push(look.value.features);
    }
  }
  const made = makePrototype(examples, background);
  if (!made.ok) {
    const values = { outliers: made.outliers.length, examples: examples.length };
    return { ok: false, code: 'INVALID_PARAMETERS', reason: 'contradictory', values };
  }
  const bytes = encodePrototype(made.prototype, background.version);
  const { outliers } = made;
  return { ok: true, value: { prototype: Buffer.from(bytes).toString('base64'), outliers } };
}

/**
 * Decodes every item, runs `work` on those that are pictures, and puts answers and refusals in the items' order.
 * @param work gets the pictures and, in the same order, the items that they are from.
 */
async function onPictures<Item extends ImageItem, T>(
  items: readonly Item[],
  side: number,
  work: (pictures: readonly Picture[], items: readonly Item[]) => Promise<T[]>,
): Promise<ItemResult<T>[]> {
  const decoded = await Promise.all(items.map(({ image }) => decodePicture(image, side).catch(refusal)));
  const pictures = decoded.filter((one) => !(one instanceof ImageError)) as Picture[];
  const asked = items.filter((_, i) => !(decoded[i] instanceof ImageError));
  const answers = pictures.length > 0 ? await work(pictures, asked) : [];
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
  const boundingBox = proportionsOf(face.box, picture);
  return { confidence: face.confidence, boundingBox, quality: measureQuality(picture, face) };
}
