/**
 * Responds to the test images of test keys in place of the inference tier. Thresholds, categories, limits and metering are
 * those of any other request, because they apply outside the tier.
 */
import emotionType from '@presenza/contract/schemas/emotion-type.json';
import catalogue from '@presenza/contract/test-images.json';
import type { AttributeName, CompareReply, DetectReply, ModerateReply } from '@presenza/inference/wire';
import { ApiError } from '../../errors';
import {
  type CompareCall,
  type DetectCall,
  type InferenceCall,
  type InferenceClient,
  type ModerationRequest,
  partFields,
} from '../inference/inference-client';
import { findTestImage, type TestFace, type TestImage } from './catalogue';

type Tier = Pick<InferenceClient, 'detect' | 'compare' | 'moderate'>;
type DetectedFace = DetectReply['faces'][number];
type Attributes = Required<NonNullable<DetectedFace['attributes']>>;

const { certainty, difference, landmarks } = catalogue;
const emotions = emotionType.enum as TestFace['emotion'][];
/** Confidence of the shown emotion, and of each other one. Together they are 1. */
const [shownEmotion, otherEmotion] = [0.93, 0.01];
const timings = { totalMs: 0 };

export class TestImageClient implements Tier {
  constructor(private readonly tier: Tier) {}

  async detect(image: Buffer, call: DetectCall): Promise<DetectReply> {
    const drawn = testImage(image, call);
    if (!drawn) return this.tier.detect(image, call);
    const { faces } = accepted(drawn, call.field);
    return { faces: faces.map((face) => detected(face, call.attributes)), timings };
  }

  async compare(source: Buffer, target: Buffer, call: CompareCall): Promise<CompareReply> {
    const [from, to] = [testImage(source, call), testImage(target, call)];
    if (!from || !to) return this.tier.compare(source, target, call);
    const [face] = accepted(from, 'sourceImage').faces;
    const others = accepted(to, 'targetImage').faces;
    if (!face) throw noFace('source');
    if (others.length === 0) throw noFace('target');
    const targets = others.map((other) => ({ ...comparable(other), similarity: similarity(face, other) }));
    return {
      source: comparable(face),
      targets: targets.sort((a, b) => b.similarity - a.similarity),
      timings,
    };
  }

  async moderate(image: Buffer, wanted: ModerationRequest, call: InferenceCall): Promise<ModerateReply> {
    const drawn = testImage(image, call);
    if (!drawn) return this.tier.moderate(image, wanted, call);
    const shown = accepted(drawn, call.field).elements;
    const elements = wanted.builtIn.map(
      (category) => shown.find(({ type }) => type === category) ?? { type: category, confidence: 0 },
    );
    return { elements, custom: wanted.prototypes.map(() => 0), timings };
  }
}

const testImage = (image: Buffer, { mode }: Pick<InferenceCall, 'mode'>) =>
  mode === 'test' ? findTestImage(image) : undefined;

/** @throws ApiError for an image that stands for a rejected one */
function accepted(image: TestImage, field: string): TestImage {
  if (!image.error) return image;
  const { code, reason, values } = image.error;
  throw new ApiError(code, { ...(reason && { reason }), values: { ...values, field } });
}

const noFace = (reason: 'source' | 'target') =>
  new ApiError('NO_FACE_DETECTED', { reason, values: { field: partFields[reason] } });

const similarity = (a: TestFace, b: TestFace) =>
  a.person === b.person ? Math.min(a.likeness, b.likeness) : difference;

const comparable = ({ boundingBox, quality, warnings }: TestFace): CompareReply['source'] => ({
  confidence: certainty,
  boundingBox,
  quality,
  warnings,
});

function detected(face: TestFace, wanted: DetectCall['attributes']): DetectedFace {
  const { boundingBox, quality, isOccluded } = face;
  return {
    confidence: certainty,
    boundingBox,
    quality,
    occluded: { value: isOccluded, confidence: certainty },
    ...(wanted && { attributes: chosen(attributesOf(face), wanted) }),
  };
}

function attributesOf({ boundingBox, pose, emotion, ageRange, gender, accessories }: TestFace): Attributes {
  const { left, top, width, height } = boundingBox;
  const others = emotions.filter((type) => type !== emotion);
  return {
    landmarks: landmarks.map(({ type, x, y }) => ({
      type: type as Attributes['landmarks'][number]['type'],
      x: rounded(left + x * width),
      y: rounded(top + y * height),
    })),
    pose,
    emotions: [
      { type: emotion, confidence: shownEmotion },
      ...others.map((type) => ({ type, confidence: otherEmotion })),
    ],
    ageRange,
    gender: { value: gender, confidence: certainty },
    accessories: accessories.map((type) => ({ type, confidence: certainty })),
  };
}

const rounded = (value: number) => Math.round(value * 1e4) / 1e4;

const chosen = (attributes: Attributes, wanted: 'all' | readonly string[]): Partial<Attributes> =>
  wanted === 'all'
    ? attributes
    : Object.fromEntries(wanted.map((name) => [name, attributes[name as AttributeName]]));
