/** The operations of the playground: their images, their options, and the body that the API takes. */
import type {
  ComparisonResult,
  DetectionResult,
  KeyMode,
  ModerationResult,
} from '@presenza/contract/console/types.d.ts';

export const operations = ['detect', 'compare', 'moderate'] as const;
export type OperationName = (typeof operations)[number];

/** The operation that an address asks for, as the links of the API reference do. @param search its query */
export const operationOf = (search: string): OperationName => {
  const wanted = new URLSearchParams(search).get('operation');
  return operations.find((name) => name === wanted) ?? 'detect';
};
export const modes = ['test', 'live'] as const satisfies readonly KeyMode[];

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

type Attribute = (typeof attributes)[number];
type Category = (typeof categories)[number];

export interface Options {
  readonly attributes: readonly Attribute[];
  readonly similarityThreshold: number;
  readonly confidenceThreshold: number;
  readonly categories: readonly Category[];
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

/** The `data` of each response. */
export interface Results {
  readonly detect: DetectionResult;
  readonly compare: ComparisonResult;
  readonly moderate: ModerationResult;
}
