/** Types that all measurements share. */

import type { Machine } from '../../inference/src/evaluation/liveness/types';

/** A value whose type only its own measurement knows. */
// biome-ignore lint/suspicious/noExplicitAny: a union of all measurements would tie each to every other.
export type Own = any;

export type Conditions = Readonly<Record<string, string | number | boolean>>;

/** A measured value beside the target that we set for it. */
export interface Figure {
  readonly what: string;
  readonly value: number;
  /** A unit such as `%`, `ms` or `x`. Proportions are in per cent. */
  readonly unit: string;
  readonly target: number;
  readonly better: 'higher' | 'lower';
  /** The site quotes only figures with a sample. */
  readonly sample?: Sample;
}

/** The sample behind a figure. */
export interface Sample {
  readonly n: number;
  /** The counted things, such as `pairs` or `requests in 3 rounds`. */
  readonly items: string;
  /** The numerator of a proportion. */
  readonly hits?: number;
  /** The 95 % interval: of a proportion in per cent (`clopperPearson`), of a mean in the figure's unit (`meanInterval`). */
  readonly interval?: readonly [low: number, high: number];
  /** The lowest and the highest value of a repeated figure, in its unit. */
  readonly range?: readonly [low: number, high: number];
}

export type { Machine };

export interface Table {
  readonly title: string;
  /** Headings, separated as in Markdown: `Operation | p50, ms`. */
  readonly columns: string;
  readonly rows: readonly (readonly (string | number | null)[])[];
  /** How to read it. */
  readonly remark?: string;
}

export interface Chart {
  /** Part of the name of its file in `results/charts`. */
  readonly file: string;
  readonly title: string;
  /** A description for readers who cannot see the chart. */
  readonly description: string;
  readonly x: Axis;
  readonly y: Axis;
  /** At most four series. A point without a value leaves no mark. */
  readonly series: readonly {
    readonly name: string;
    readonly points: readonly (readonly [number, number | null])[];
  }[];
  /** Reference lines, such as a target. */
  readonly lines?: readonly { readonly axis: 'x' | 'y'; readonly value: number; readonly label: string }[];
}

interface Axis {
  readonly label: string;
  readonly log?: boolean;
}

/** The summary of raw figures. */
export interface Outcome {
  readonly figures: readonly Figure[];
  readonly tables: readonly Table[];
  readonly charts?: readonly Chart[];
  /** Figures that the site or another measurement reads by name. */
  readonly data?: Own;
  /** Part of the file's name where a measurement has several results, one for each device for example. */
  readonly variant?: string;
}

/** A committed result. */
export interface Summary extends Outcome {
  readonly name: string;
  readonly question: string;
  readonly measuredAt: string;
  readonly commit: string;
  /** Present where a tier was built before its sources last changed. */
  readonly staleBuild?: true;
  readonly machine: Machine;
  readonly note?: string;
  /** Why the measurement is no longer taken; its commit still has it. */
  readonly retired?: string;
  readonly seconds: number;
  readonly conditions: Conditions;
}

export interface Measurement {
  /** `group/name`: also the path of its result below `results/`. */
  readonly name: string;
  /** One sentence. */
  readonly question: string;
  /** Defaults; `--key=value` overrides one. */
  readonly conditions: Conditions;
  /** Conditions of `--quick`, which only shows that the measurement works and saves nothing. */
  readonly quick: Conditions;
  /** Takes the raw figures. */
  run(conditions: Own, log: (line: string) => void): Promise<Own>;
  summarize(raw: Own, conditions: Own): Outcome;
  /** Left out of a run without names. */
  readonly onDemand?: boolean;
}
