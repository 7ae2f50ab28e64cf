/**
 * The operations of a worker. Each takes a batch of items and returns one result per item: images are decoded side by
 * side, models run on the whole batch, and a rejected item does not affect the others.
 */
import type { Model } from '../backends/backend';
import type { Calibration, EmbeddingPart, Probe } from '../catalogue/knowledge';
import type { DetectedElement, Detection, MadePrototype, Probabilities } from '../wire';
import type { AttributeName, ComparableFace, DescribedFace, FaceAttributes } from '../wire/faces';
import type { FrameSignals } from '../wire/frames';
import type { AccessoryProbes } from './attributes/accessories';
import { attributesOf } from './attributes/attributes';
import { occlusionOf } from './attributes/occlusion';
import { type Embedding, embedders, embedFaces, type FaceInImage } from './faces/embed';
import { type Face, findFaces } from './faces/find-faces';
import { lumaOf, measureQuality, qualityOf } from './faces/quality';
import { proportionsOf } from './image/boxes';
import { decodeImage, ImageError } from './image/decode';
import type { DecodedImage } from './image/decoded-image';
import { type FramesItem, measureFrames } from './liveness/frames';
import { classify, elementsOf } from './moderation/moderate';
import { findViolence } from './moderation/objects';
import {
  type Background,
  confidenceIn,
  decodePrototypes,
  encodePrototype,
  makePrototype,
  relativeTo,
} from './moderation/prototype';
import { warningsOf } from './warnings';

/** The roles of models. */
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

/** The models by role. Further models of a fused embedding are beside them, by the names in its parts. */
export type Models = Readonly<Record<ModelRole, Model> & Record<string, Model>>;

/** Data for the operations from the manifests. */
export interface Knowledge {
  readonly embedding: readonly EmbeddingPart[];
  readonly calibration: Calibration;
  /** The reference for custom categories. */
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
  /** Attributes to return for each face. Default: none. */
  readonly attributes?: readonly AttributeName[];
}

export interface Description {
  /** Largest first. */
  readonly faces: readonly (ComparableFace & { readonly embedding: Embedding })[];
}

export interface Moderation {
  readonly elements: readonly DetectedElement[];
  readonly probabilities: Probabilities;
  /** Confidence of each custom category, in the order of the prototypes. */
  readonly custom: readonly number[];
}

/** Objects that make an image violent. */
export interface Violence {
  readonly element: DetectedElement;
}

/** A rejected item is a result; only breakage throws. Code, reason and values are those of the error catalogue. */
export type ItemResult<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false;
      readonly code: 'INVALID_IMAGE' | 'INVALID_PARAMETERS';
      readonly reason: string;
      readonly values: Readonly<Record<string, number>>;
    };

/** Longer side in pixels to which larger images are shrunk: faces of a group stay large enough to compare. */
const maxSide = 1536;
/** Moderation classifies the whole image in a small square. */
const maxModeratedSide = 640;

/** Examples that are decoded side by side. */
const examplesAtOnce = 8;

/** Input and result of one item, by operation. */
interface Shapes {
  readonly detect: readonly [DetectItem, Detection];
  readonly describe: readonly [ImageItem, Description];
  readonly moderate: readonly [ModerateItem, Moderation];
  readonly violence: readonly [ImageItem, Violence];
  readonly prototype: readonly [ExamplesItem, MadePrototype];
  readonly frames: readonly [FramesItem, FrameSignals];
}

export type OperationName = keyof Shapes;
export type OperationInput<Name extends OperationName> = Shapes[Name][0];
export type OperationOutput<Name extends OperationName> = Shapes[Name][1];

type Operation<Name extends OperationName> = (
  models: Models,
  items: readonly OperationInput<Name>[],
  knowledge: Knowledge,
) => Promise<ItemResult<OperationOutput<Name>>[]>;

export const operations: { readonly [Name in OperationName]: Operation<Name> } = {
  detect: (models, items, { occlusionProbe, accessoryProbes }) =>
    onImages(items, maxSide, async (images, decoded) => {
      const found = await findFaces(models, images);
      const requested = found.flatMap((faces, i) => {
        const image = images[i] as DecodedImage;
        const { attributes = [] } = decoded[i] as DetectItem;
        return attributes.length > 0 ? faces.map((face) => ({ image, face, attributes })) : [];
      });
      const all = await attributesOf(models, accessoryProbes, requested);
      const attributes = new Map(requested.map(({ face }, i) => [face, all[i] as FaceAttributes]));
      return found.map((faces, i) => ({
        faces: faces.map((face) => ({
          ...describe(images[i] as DecodedImage, face),
          occluded: occlusionOf(face.mesh, occlusionProbe),
          ...(attributes.has(face) ? { attributes: attributes.get(face) as FaceAttributes } : {}),
        })),
      }));
    }),

  describe: (models, items, { embedding }) =>
    onImages(items, maxSide, async (images) => {
      const found = await findFaces(models, images);
      const all: FaceInImage[] = found.flatMap((faces, i) =>
        faces.map((face) => ({ image: images[i] as DecodedImage, face })),
      );
      const embeddings = await embedFaces(embedders(models, embedding), all);
      let next = 0;
      return found.map((faces, i) => ({
        faces: faces.map((face) => ({
          ...describeComparable(images[i] as DecodedImage, face),
          embedding: embeddings[next++] as Embedding,
        })),
      }));
    }),

  moderate: ({ moderation }, items, { background }) =>
    onImages(items, maxModeratedSide, async (images, decoded) => {
      const classified = await classify(moderation, images);
      return classified.map(({ probabilities, features }, i) => {
        const { prototypes = new Uint8Array(0) } = decoded[i] as ModerateItem;
        const relative = relativeTo(background, features);
        const custom = decodePrototypes(prototypes, background).map((one) => confidenceIn(one, relative));
        return { elements: elementsOf(probabilities), probabilities, custom };
      });
    }),

  violence: ({ objects }, items) =>
    onImages(items, maxModeratedSide, async (images) => {
      const found = await findViolence(objects, images);
      return found.map((element) => ({ element }));
    }),

  prototype: ({ moderation }, items, { background }) =>
    inTurn(items, ({ images }) => prototypeOf(moderation, images, background)),

  // A set of frames is never rejected: a frame that cannot be decoded is part of the result.
  frames: (models, items, knowledge) =>
    inTurn(items, async (item) => ({ ok: true, value: await measureFrames(models, item, knowledge) })),
};

/** Works on items that hold many images each, one item after the other. */
async function inTurn<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

/** The prototype of some images. Rejects all of them if one image cannot be decoded, or if they have too little in common. */
async function prototypeOf(
  moderation: Model,
  encoded: readonly Uint8Array[],
  background: Background,
): Promise<ItemResult<MadePrototype>> {
  const examples: Float32Array[] = [];
  for (let start = 0; start < encoded.length; start += examplesAtOnce) {
    const items = encoded.slice(start, start + examplesAtOnce).map((image) => ({ image }));
    const classified = await onImages(items, maxModeratedSide, (images) => classify(moderation, images));
    for (const [i, one] of classified.entries()) {
      if (!one.ok) return { ...one, values: { ...one.values, image: start + i } };
      examples.push(one.value.features);
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
 * Decodes every item, runs `work` on those that are images, and returns results and refusals in the items' order.
 * @param work gets the images and, in the same order, their items.
 */
async function onImages<Item extends ImageItem, T>(
  items: readonly Item[],
  side: number,
  work: (images: readonly DecodedImage[], items: readonly Item[]) => Promise<T[]>,
): Promise<ItemResult<T>[]> {
  const decoded = await Promise.all(items.map(({ image }) => decodeImage(image, side).catch(refusal)));
  const images = decoded.filter((one) => !(one instanceof ImageError)) as DecodedImage[];
  const readable = items.filter((_, i) => !(decoded[i] instanceof ImageError));
  const values = images.length > 0 ? await work(images, readable) : [];
  let next = 0;
  return decoded.map((one) =>
    one instanceof ImageError
      ? { ok: false, code: 'INVALID_IMAGE', reason: one.fault, values: one.values }
      : { ok: true, value: values[next++] as T },
  );
}

function refusal(error: unknown): ImageError {
  if (error instanceof ImageError) return error;
  throw error;
}

function describe(image: DecodedImage, face: Face, quality = measureQuality(image, face)): DescribedFace {
  return { confidence: face.confidence, boundingBox: proportionsOf(face.box, image), quality };
}

function describeComparable(image: DecodedImage, face: Face): ComparableFace {
  const luma = lumaOf(image, face);
  const quality = qualityOf(luma);
  return { ...describe(image, face, quality), warnings: warningsOf({ image, face, luma, quality }) };
}
