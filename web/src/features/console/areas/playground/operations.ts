/** The operations of the playground: their images, their options, and the body that the API takes. */
import type { FaceWarning } from '@presenza/contract/client/types.d.ts';
import type { Element } from '../../../demos/moderation';

export const operations = ['detect', 'compare', 'moderate'] as const;
export type OperationName = (typeof operations)[number];

/** The operation that an address asks for, as the links of the API reference do. @param search its query */
export const operationOf = (search: string): OperationName => {
  const wanted = new URLSearchParams(search).get('operation');
  return operations.find((name) => name === wanted) ?? 'detect';
};
export const modes = ['test', 'live'] as const;
export type Mode = (typeof modes)[number];

/** The fields of each operation that take an image. */
export const imageFields = {
  detect: ['image'],
  compare: ['sourceImage', 'targetImage'],
  moderate: ['image'],
} as const satisfies Record<OperationName, readonly string[]>;
export type ImageField = (typeof imageFields)[OperationName][number];

/** The samples of each operation, by the name of the site's demo image. */
export const sampleNames: Readonly<Record<OperationName, readonly string[]>> = {
  detect: ['hopper-photo', 'group', 'ada-3'],
  compare: ['hopper-photo', 'hopper-document', 'ada-3'],
  moderate: ['scissors', 'apple', 'hopper-photo'],
};

export const attributes = ['landmarks', 'pose', 'emotions', 'ageRange', 'gender', 'accessories'] as const;
export const categories = ['Explicit', 'Suggestive', 'Violence'] as const;

export interface Options {
  readonly attributes: readonly string[];
  readonly similarityThreshold: number;
  readonly confidenceThreshold: number;
  readonly categories: readonly string[];
}

/** A field of a request besides its images, as the API names it. */
export type Field = readonly [name: string, value: number | readonly string[]];

/** The fields that a request needs for these options. Defaults that are the same are left out. */
export function fieldsOf(operation: OperationName, options: Options): Field[] {
  switch (operation) {
    case 'detect': {
      const { attributes: chosen } = options;
      if (chosen.length === 0) return [];
      return [['attributes', chosen.length === attributes.length ? ['all'] : chosen]];
    }
    case 'compare':
      return [['similarityThreshold', options.similarityThreshold]];
    case 'moderate': {
      const { categories: chosen, confidenceThreshold } = options;
      const isEvery = chosen.length === 0 || chosen.length === categories.length;
      return [
        ['confidenceThreshold', confidenceThreshold],
        ...(isEvery ? [] : [['categories', chosen] as const]),
      ];
    }
  }
}

export interface Face {
  readonly confidence: number;
  readonly boundingBox: {
    readonly left: number;
    readonly top: number;
    readonly width: number;
    readonly height: number;
  };
  readonly quality?: { readonly brightness: number; readonly sharpness: number };
  readonly occluded?: { readonly value: boolean; readonly confidence: number };
  readonly attributes?: {
    readonly landmarks?: readonly { readonly type: string; readonly x: number; readonly y: number }[];
    readonly pose?: { readonly yaw: number; readonly pitch: number; readonly roll: number };
    readonly emotions?: readonly Element[];
    readonly ageRange?: { readonly low: number; readonly high: number };
    readonly gender?: { readonly value: string; readonly confidence: number };
    readonly accessories?: readonly Element[];
  };
}

export interface ComparedFace extends Face {
  readonly warnings?: readonly FaceWarning[];
  /** Only of a face that matches. */
  readonly similarity?: number;
}

/** The `data` of each response. */
export interface Results {
  readonly detect: { readonly faces: readonly Face[] };
  readonly compare: {
    readonly sourceImageFace: ComparedFace;
    readonly matchedFaces: readonly ComparedFace[];
    readonly unmatchedFaces: readonly ComparedFace[];
  };
  readonly moderate: { readonly detectedElements: readonly Element[] };
}
