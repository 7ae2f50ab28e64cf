/** Shapes that every measurement shares; types only, so nothing of this file runs. */

import type { Chart } from './chart.mjs';

/** What belongs to one measurement alone: its numbers are read by its own `report` and by nothing else. */
// biome-ignore lint/suspicious/noExplicitAny: a union of all measurements would tie each to every other.
export type Own = any;

export type Parameters = Record<string, string | number | boolean>;

/** One line of the table of bars: what was asked for and what was seen. */
export interface Bar {
  readonly what: string;
  readonly value: number;
  /** How value and bar are shown, e.g. `%`, `ms`, `x`; proportions are given as per cent. */
  readonly unit: string;
  readonly bar: number;
  readonly better: 'higher' | 'lower';
  /** A figure that the site quotes has one. */
  readonly sample?: Sample;
}

/** What a bar's value rests on. */
export interface Sample {
  readonly n: number;
  /** What was counted, e.g. `pairs`, `requests in 3 rounds`. */
  readonly of: string;
  /** Of a proportion: how many of them. */
  readonly hits?: number;
  /** Of a proportion: its 95 % interval in per cent, see `clopperPearson`. */
  readonly interval?: readonly [low: number, high: number];
  /** Of a figure that was taken several times: the lowest and the highest, in the bar's unit. */
  readonly range?: readonly [low: number, high: number];
}

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly os: string;
  readonly node: string;
  /** One-minute load average before the measurement: far from 0 means that the machine was shared. */
  readonly loadBefore: number;
}

/** What a measurement hands back: raw numbers, and the bars they are held against. */
export interface Outcome {
  /** Only where the measurement has no `bars` of its own. */
  readonly bars?: readonly Bar[];
  readonly figures: Own;
  /** Appended to the name of the result's file where one measurement has several results (a device, say). */
  readonly variant?: string;
}

export interface Result extends Outcome {
  readonly bars: readonly Bar[];
  readonly name: string;
  readonly answers: string;
  readonly date: string;
  readonly commit: string;
  /** Present where the tier was built before its sources last changed. */
  readonly staleBuild?: true;
  readonly machine: Machine;
  readonly note?: string;
  readonly seconds: number;
  readonly parameters: Parameters;
}

export interface Table {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
  /** A sentence under the table: how to read it. */
  readonly remark?: string;
}

/** A chart of one measurement's figures; `file` names it below `results/charts`, after the measurement. */
export interface NamedChart extends Chart {
  readonly file: string;
}

export interface Measurement {
  /** `group/name`; also the path of its result below `results/`. */
  readonly name: string;
  /** The question that it answers, one sentence. */
  readonly answers: string;
  /** Defaults; each can be overridden by `--name=value`. */
  readonly parameters: Parameters;
  run(parameters: Own, log: (line: string) => void): Promise<Outcome>;
  /** The bars that follow from the figures. With it, a change of bars applies to results that are already there. */
  bars?(figures: Own, parameters: Own): Bar[];
  report(figures: Own): Table[];
  charts?(figures: Own): NamedChart[];
  /** Parameters of `--quick`, whose result has a file of its own; a measurement without them has no short form. */
  readonly quick?: Parameters;
  /** Left out of a run that names nothing. */
  readonly onDemand?: boolean;
}
