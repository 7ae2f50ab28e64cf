/** The test images of the contract: drawings with documented responses, recognized by the hash of their bytes. */
import { createHash } from 'node:crypto';
import catalogue from '@presenza/contract/test-images.json';
import type { CompareReply, DetectReply, FaultReply, ModerateReply } from '@presenza/inference/wire';
import { readContractBytes } from '../contract/contract';

type DetectedFace = DetectReply['faces'][number];
type Attributes = Required<NonNullable<DetectedFace['attributes']>>;

/** A face as the contract describes it. */
export interface TestFace extends Pick<DetectedFace, 'boundingBox' | 'quality'> {
  /** Faces of one person match. */
  readonly person: string;
  /** Upper limit of its similarity to other faces of the person, 0 to 1. */
  readonly likeness: number;
  readonly warnings: NonNullable<CompareReply['source']['warnings']>;
  readonly isOccluded: boolean;
  readonly pose: Attributes['pose'];
  readonly emotion: Attributes['emotions'][number]['type'];
  readonly ageRange: Attributes['ageRange'];
  readonly gender: Attributes['gender']['value'];
  readonly accessories: readonly Attributes['accessories'][number]['type'][];
}

export interface TestImage {
  /** Largest first. */
  readonly faces: readonly TestFace[];
  /** Content for moderation. */
  readonly elements: ModerateReply['elements'];
  /** Why every operation rejects the image. */
  readonly error?: FaultReply['error'];
}

interface Entry extends Partial<Omit<TestImage, 'faces'>> {
  readonly name: string;
  readonly faces?: readonly Partial<TestFace>[];
}

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('base64');

const imageOf = ({ faces = [], elements = [], error }: Entry): TestImage => ({
  faces: faces.map((face) => ({ ...catalogue.face, ...face }) as TestFace),
  elements,
  ...(error && { error }),
});

const images: ReadonlyMap<string, TestImage> = new Map(
  (catalogue.images as readonly Entry[]).map((entry) => [
    hashOf(readContractBytes(`test-images/${entry.name}.png`)),
    imageOf(entry),
  ]),
);

/** @returns undefined for any other image. */
export function findTestImage(bytes: Buffer): TestImage | undefined {
  // Photos are larger, so that they need no hash.
  return bytes.length > catalogue.maxBytes ? undefined : images.get(hashOf(bytes));
}
