/** The operations of a worker. Each takes an item and returns its result. */
import type { Model } from '../backends/backend';
import type { AlignmentTemplate, Calibration } from '../catalogue/manifest-parts';
import type { BuiltInCategory, Detection, MadePrototype, ModerateReply } from '../wire';
import type { AttributeName, ComparableFace, DescribedFace, DetectedFace } from '../wire/faces';
import type { FrameSignals } from '../wire/frames';
import type { AccessoryProbes } from './attributes/accessories';
import { attributesOf } from './attributes/attributes';
import { occlusionOf } from './attributes/occlusion';
import { type Embedding, embedFaces, type MeasuredEmbedding } from './faces/embed';
import type { Face } from './faces/face';
import { findFaces } from './faces/find-faces';
import { lumaOf, measureQuality, qualityOf } from './faces/quality';
import { proportionsOf } from './image/boxes';
import type { ImageLimits } from './image/decode';
import type { DecodedImage } from './image/decoded-image';
import type { DecodingBudget } from './image/decoding-budget';
import { ImageError } from './image/image-error';
import { openFrames, openImage } from './image/open';
import { type FramesItem, measureFrames } from './liveness/frames';
import { frameLimits } from './liveness/read-frames';
import { highest, highestElements, highestProbabilities } from './moderation/animation';
import { type Classification, classify, elementsOf } from './moderation/moderate';
import { findViolence } from './moderation/objects';
import {
  type Background,
  confidenceIn,
  decodePrototypes,
  encodePrototype,
  makePrototype,
  relativeTo,
} from './moderation/prototype';
import { type NearFace, NearPath } from './near-path/near-path';
import { stagedProgram, stagedSide } from './near-path/stage';
import { type WarningData, warningsOf } from './warnings';

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
] as const;
export type ModelRole = (typeof modelRoles)[number];

/** The models by role. */
export interface Models extends Readonly<Record<ModelRole, Model>> {
  /** The stage of the near path, on a GPU for which its graph is compiled. */
  readonly nearPath?: Model;
}

/** Data for the operations from the manifests. */
export interface ManifestData extends WarningData {
  /** The templates of the embedding model, one for each chip of a face. */
  readonly alignments: readonly AlignmentTemplate[];
  readonly calibration: Calibration;
  /** The reference for custom categories. */
  readonly background: Background;
  /** Probes on the description model's features. */
  readonly accessoryProbes: AccessoryProbes;
}

export interface ImageItem {
  /** An encoded image. */
  readonly image: Uint8Array;
}

export interface ModerateItem extends ImageItem {
  readonly categories: readonly BuiltInCategory[];
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
  /** Whether it is a frame of a capture, of which a person sends many. Default: no. */
  readonly isFrame?: boolean;
}

export interface DescribeItem extends ImageItem {
  readonly faces: 'all' | 'largest';
}

export interface EmbeddedFace extends ComparableFace {
  readonly embedding: Embedding;
}

export interface Description {
  /** Largest first. */
  readonly faces: readonly EmbeddedFace[];
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
export const maxSide = 1536;
/** Moderation classifies the whole image in a small square. */
const maxModeratedSide = 640;

/** Examples that are decoded side by side. */
const examplesAtOnce = 8;

/** Input and result of each operation. */
interface Shapes {
  readonly detect: readonly [DetectItem, Detection];
  readonly describe: readonly [DescribeItem, Description];
  readonly moderate: readonly [ModerateItem, Omit<ModerateReply, 'timings'>];
  readonly prototype: readonly [ExamplesItem, MadePrototype];
  readonly frames: readonly [FramesItem, FrameSignals];
}

export type OperationName = keyof Shapes;
export type OperationInput<Name extends OperationName> = Shapes[Name][0];
export type OperationOutput<Name extends OperationName> = Shapes[Name][1];

type Operation<Name extends OperationName> = (
  models: Models,
  item: OperationInput<Name>,
  manifestData: ManifestData,
  /** Default: of a command, which waits as long as it takes. */
  decoding?: DecodingBudget,
) => Promise<ItemResult<OperationOutput<Name>>>;

export const operations: { readonly [Name in OperationName]: Operation<Name> } = {
  detect: (
    models,
    { image: encoded, attributes = [], isFrame = false },
    { occlusionProbe, accessoryProbes },
    decoding,
  ) =>
    onImage({ encoded, side: maxSide, decoding, ...(isFrame && { limits: frameLimits }) }, async (image) => {
      const [faces] = (await findFaces(models, [image], { withUnconfirmed: true })) as [Face[]];
      const requested = attributes.length > 0 ? faces.map((face) => ({ image, face, attributes })) : [];
      const all = await attributesOf(models, accessoryProbes, requested);
      const described = faces.map(
        (face, i): DetectedFace => ({
          ...describe(image, face),
          ...(face.isConfirmed ? {} : { isConfirmed: false }),
          occluded: occlusionOf(face.mesh, occlusionProbe),
          ...(all[i] ? { attributes: all[i] } : {}),
        }),
      );
      return { faces: described };
    }),

  describe: (models, { image: encoded, faces: wanted }, manifestData, decoding) =>
    onImage({ encoded, side: maxSide, decoding }, async (image) => {
      const near = await nearFaceOf(models, image);
      if (near) return { faces: [describeComparable(image, near, manifestData)] };
      const [allFaces] = (await findFaces(models, [image], { withUnconfirmed: true })) as [Face[]];
      const faces = wanted === 'largest' ? allFaces.slice(0, 1) : allFaces;
      const embeddings = await embedFaces(
        { model: models.embedding, alignments: manifestData.alignments },
        faces.map((face) => ({ image, face })),
      );
      return {
        faces: faces.map((face, i) => {
          const { embedding, norm } = embeddings[i] as MeasuredEmbedding;
          return describeComparable(image, { face, embedding, norm }, manifestData);
        }),
      };
    }),

  moderate: (
    models,
    { image: encoded, categories, prototypes = new Uint8Array(0) },
    { background },
    decoding,
  ) =>
    onOpened(openFrames(encoded, maxModeratedSide, decoding), async (images) => {
      const isClassified = categories.some((name) => name !== 'Violence') || prototypes.length > 0;
      const [violence, classes] = await Promise.all([
        categories.includes('Violence') ? Promise.all(images.map((image) => violenceIn(models, image))) : [],
        isClassified ? Promise.all(images.map((image) => classifyOne(models.moderation, image))) : [],
      ]);
      const known = decodePrototypes(classes.length > 0 ? prototypes : new Uint8Array(0), background);
      const elements = [...classes.map(({ probabilities }) => elementsOf(probabilities)), ...violence];
      const custom = classes.map(({ features }) => {
        const relative = relativeTo(background, features);
        return known.map((prototype) => confidenceIn(prototype, relative));
      });
      return {
        elements: highestElements(elements.flat())
          .filter(({ type }) => categories.includes(type as BuiltInCategory))
          .sort((a, b) => b.confidence - a.confidence),
        custom: highest(custom),
        ...(classes.length > 0 && {
          probabilities: highestProbabilities(classes.map(({ probabilities }) => probabilities)),
        }),
      };
    }),

  prototype: ({ moderation }, { images }, { background }, decoding) =>
    prototypeOf(moderation, { encoded: images, decoding }, background),

  // A set of frames is never rejected: a frame that cannot be decoded is part of the result.
  frames: async (models, item, manifestData, decoding) => ({
    ok: true,
    value: await measureFrames(models, item, manifestData, decoding),
  }),
};

/** The prototype of some images. Rejects all of them if one image cannot be decoded, or if they have too little in common. */
async function prototypeOf(
  moderation: Model,
  { encoded, decoding }: { encoded: readonly Uint8Array[]; decoding: DecodingBudget | undefined },
  background: Background,
): Promise<ItemResult<MadePrototype>> {
  const examples: Float32Array[] = [];
  for (let start = 0; start < encoded.length; start += examplesAtOnce) {
    const images = encoded.slice(start, start + examplesAtOnce);
    const classified = await Promise.all(
      images.map((image) =>
        onImage({ encoded: image, side: maxModeratedSide, decoding }, (opened) =>
          classifyOne(moderation, opened),
        ),
      ),
    );
    for (const [i, result] of classified.entries()) {
      if (!result.ok) return { ...result, values: { ...result.values, image: start + i } };
      examples.push(result.value.features);
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

async function classifyOne(moderation: Model, image: DecodedImage): Promise<Classification> {
  return (await classify(moderation, [image]))[0] as Classification;
}

const violenceIn = ({ objects }: Models, image: DecodedImage) => findViolence(objects, [image]);

interface ToOpen {
  readonly encoded: Uint8Array;
  /** Passed to `openImage`. */
  readonly side: number;
  readonly decoding: DecodingBudget | undefined;
  readonly limits?: ImageLimits;
}

/** Opens an image and works on it; one that cannot be decoded is a refusal. */
const onImage = <T>({ encoded, side, decoding, limits }: ToOpen, work: (image: DecodedImage) => Promise<T>) =>
  onOpened(openImage(encoded, side, decoding, limits), work);

async function onOpened<Image, T>(
  opened: Promise<Image>,
  work: (image: Image) => Promise<T>,
): Promise<ItemResult<T>> {
  try {
    return { ok: true, value: await work(await opened) };
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    return { ok: false, code: 'INVALID_IMAGE', reason: error.fault, values: error.values };
  }
}

/** The face of an image with one near face, in one run of the device. Undefined if the image needs the general path. */
async function nearFaceOf({ nearPath }: Models, image: DecodedImage): Promise<NearFace | undefined> {
  if (!nearPath || image.longestSide > stagedSide) return undefined;
  const [face] = await new NearPath(stagedProgram(nearPath)).run([image]);
  return face;
}

function describe(image: DecodedImage, face: Face, quality = measureQuality(image, face)): DescribedFace {
  return { confidence: face.confidence, boundingBox: proportionsOf(face.box, image), quality };
}

function describeComparable(
  image: DecodedImage,
  { face, embedding, norm }: NearFace,
  manifestData: WarningData,
): EmbeddedFace {
  const luma = lumaOf(image, face);
  const quality = qualityOf(luma);
  return {
    ...describe(image, face, quality),
    warnings: warningsOf({ image, face, luma, quality, norm }, manifestData),
    embedding,
  };
}
