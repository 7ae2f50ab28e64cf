/** Faces as the tier describes them. Left and right are the person's own. */

/** An axis-aligned box in proportions of the upright image, 0 to 1. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** How well a face can be seen, measured on its pixels. */
export interface Quality {
  /** Mean luma of the face, 0 black to 1 white. */
  readonly brightness: number;
  /** Fine detail of the face, from 0 for none to 1 for that of a sharp photograph at this size. */
  readonly sharpness: number;
}

export interface DescribedFace {
  /** 0 to 1. */
  readonly confidence: number;
  readonly boundingBox: Box;
  readonly quality: Quality;
}

/** Why comparisons of a face are unreliable. */
export type FaceWarning =
  | 'blur'
  | 'small'
  | 'pose'
  | 'dark'
  | 'bright'
  | 'compression'
  | 'occluded'
  | 'border'
  | 'turned'
  | 'unclear';

/** A face of a comparison. */
export interface ComparableFace extends DescribedFace {
  /** Since version 1.1 of the wire. */
  readonly warnings?: readonly FaceWarning[];
}

export interface ComparedFace extends ComparableFace {
  /** Calibrated similarity to the face of the source, 0 to 1. */
  readonly similarity: number;
}

export interface DetectedFace extends DescribedFace {
  /** False where only a detector sees the face, so that its embedding is unreliable. Default: true. Since version 1.6. */
  readonly isConfirmed?: boolean;
  readonly occluded: Occlusion;
  /** Present if the request names some. */
  readonly attributes?: FaceAttributes;
}

export interface Occlusion {
  /** True when eyes, nose or mouth are partly covered. */
  readonly value: boolean;
  /** Probability of value, 0.5 to 1. */
  readonly confidence: number;
}

export interface FaceAttributes {
  readonly landmarks?: readonly Landmark[];
  readonly pose?: Pose;
  readonly emotions?: readonly Emotion[];
  readonly ageRange?: AgeRange;
  readonly gender?: Gender;
  readonly accessories?: readonly Accessory[];
}

export type AttributeName = keyof FaceAttributes;

export interface Landmark {
  readonly type: LandmarkType;
  /** Proportions of the image; outside 0 to 1 where its edge cuts the face. */
  readonly x: number;
  readonly y: number;
}

type Side = 'left' | 'right';
type SidePoint =
  | `Eye${'Center' | 'Inner' | 'Outer' | 'Top' | 'Bottom'}`
  | `Eyebrow${'Inner' | 'Top' | 'Outer'}`
  | 'Nostril'
  | 'MouthCorner'
  | 'Cheek'
  | 'Jaw'
  | 'Temple';
export type LandmarkType =
  | `${Side}${SidePoint}`
  | `nose${'Bridge' | 'Tip' | 'Bottom'}`
  | `${'upper' | 'lower'}Lip${'Top' | 'Bottom'}`
  | 'mouthCenter'
  | 'forehead'
  | 'chin';

/** Angles in degrees, all 0 for the mean head, upright and facing the camera. */
export interface Pose {
  /** Turn to the side, -90 to 90; positive toward the person's own left. */
  readonly yaw: number;
  /** Nod, -180 to 180; positive upward. */
  readonly pitch: number;
  /** Tilt in the image, -180 to 180; positive toward the person's left shoulder, clockwise as displayed. */
  readonly roll: number;
}

export type EmotionType = 'calm' | 'happy' | 'sad' | 'angry' | 'fear' | 'disgust' | 'surprised' | 'confused';

export interface Emotion {
  readonly type: EmotionType;
  /** 0 to 1; those of a face sum to 1. */
  readonly confidence: number;
}

/** Whole years, 0 to 120. */
export interface AgeRange {
  readonly low: number;
  readonly high: number;
}

export interface Gender {
  readonly value: 'female' | 'male';
  /** Probability of value, 0.5 to 1. */
  readonly confidence: number;
}

export type AccessoryType = 'glasses' | 'sunglasses' | 'mask' | 'headwear';

export interface Accessory {
  readonly type: AccessoryType;
  /** 0.5 to 1. */
  readonly confidence: number;
}
