/** The report of an evaluation, as report.json holds it; `report.schema.json` describes the fields. */
import limits from '@presenza/contract/limits.json';
import type { ServingModels } from '../../serving/serving-models';
import type { AcquiredImage } from './acquire';
import { type CellResult, type Compared, groupCells, imagesOf, overallCell, type PairRates } from './cells';
import type { ImagePair } from './labels';
import { type ComparableImage, type ComparedPairs, comparePairs, type PairCounts } from './pairs';
import { minPeople, type Rate, rateOfTrials } from './rates';

const reportVersion = 2;

export interface Report {
  readonly version: typeof reportVersion;
  readonly createdAt: string;
  readonly system: {
    readonly models: ServingModels['origins'];
    readonly precision: ServingModels['precision'];
    readonly calibration: string;
  };
  /** The public set whose lists choose the pairs; null for labels of the operator. */
  readonly set: string | null;
  readonly defaultThreshold: number;
  readonly minPeople: number;
  readonly pairs: { readonly genuine: PairCounts; readonly impostor: PairCounts };
  readonly overall: GroupReport;
  readonly columns: readonly ColumnReport[];
}

export interface GroupReport extends CellResult {
  readonly people: number;
  readonly images: number;
  readonly failures: {
    /** The service rejects the file. */
    readonly unreadable: Failure;
    readonly noFace: Failure;
    /** `/compare` accepts such an image, but may compare the wrong face. */
    readonly severalFaces: Failure;
  };
}

export interface Failure {
  readonly images: number;
  /** Null with too few people. */
  readonly rate: Rate | null;
}

export interface ColumnReport {
  readonly name: string;
  /** Images whose group is not stated. */
  readonly unlabeled: number;
  readonly groups: readonly (GroupReport & { readonly group: string })[];
  /** Pairs of images of different groups. */
  readonly across: CellResult;
  readonly spread: readonly Spread[];
}

export interface Spread {
  readonly threshold: number;
  readonly falseMatch: Extremes | null;
  readonly falseNonMatch: Extremes | null;
}

/** The groups with the highest and the lowest rate. */
export interface Extremes {
  readonly worst: string;
  readonly best: string;
  /** Rate of the worst over that of the best; null if the best has no errors. */
  readonly ratio: number | null;
  /** Whether the intervals of both do not overlap. */
  readonly separate: boolean;
}

/** The thresholds of the contract: its default and where each of its bands begins. */
const { similarityDefault, guidance } = limits.thresholds;
const thresholds = [...new Set([similarityDefault, ...guidance.map(({ from }) => from)])].sort(
  (a, b) => a - b,
);

export interface Evaluation {
  readonly report: Report;
  readonly pairs: ComparedPairs;
  /** The images that `pairs` refers to. */
  readonly compared: readonly AcquiredImage[];
}

export interface EvaluateOptions {
  readonly columns: readonly string[];
  readonly serving: ServingModels;
  readonly maxPairs: number;
  /** The pairs to compare, by position among `images`; all pairs without it. */
  readonly pairs?: readonly ImagePair[] | undefined;
  readonly set?: string | undefined;
  readonly now: Date;
}

export function evaluate(images: readonly AcquiredImage[], options: EvaluateOptions): Evaluation {
  const { columns, serving, maxPairs, set = null, now } = options;
  const { calibration } = serving.manifestData;
  const personOf = positions(images.map(({ person }) => person));
  const compared = images.filter(hasFace);
  const comparable = compared.map(
    ({ person, faces }): ComparableImage => ({ person: personOf(person), faces: faces ?? [] }),
  );
  const listed = options.pairs && pairsAmong(compared, images, options.pairs);
  const pairs = comparePairs(comparable, { calibration, maxPairs, listed });
  const people = Int32Array.from(comparable, ({ person }) => person);
  const all: Compared = { pairs, people, thresholds, isListed: listed !== undefined };
  const captured: Captured = { images, people: Int32Array.from(images, ({ person }) => personOf(person)) };
  const report: Report = {
    version: reportVersion,
    createdAt: now.toISOString(),
    system: {
      models: serving.origins,
      precision: serving.precision,
      calibration: calibration.source,
    },
    set,
    defaultThreshold: similarityDefault,
    minPeople,
    pairs: { genuine: pairs.genuine, impostor: pairs.impostor },
    overall: { ...captureOf(captured, () => true), ...overallCell(all) },
    columns: columns.map((name, column) => columnReport(name, column, { all, captured, compared })),
  };
  return { report, pairs, compared };
}

/** The listed pairs whose images both have a face, by position among the compared images. */
function pairsAmong(
  compared: readonly AcquiredImage[],
  images: readonly AcquiredImage[],
  listed: readonly ImagePair[],
): ImagePair[] {
  const positions = new Map(compared.map((image, i) => [image, i]));
  return listed.flatMap((pair) => {
    const [a, b] = pair.map((i) => positions.get(images[i] as AcquiredImage));
    return a === undefined || b === undefined ? [] : [[a, b] as const];
  });
}

const hasFace = ({ faces = [] }: AcquiredImage) => faces.length > 0;

/** Every image, whether it was compared or not. */
interface Captured {
  readonly images: readonly AcquiredImage[];
  /** Position of the person of each image. */
  readonly people: Int32Array;
}

interface ColumnInput {
  readonly all: Compared;
  readonly captured: Captured;
  readonly compared: readonly AcquiredImage[];
}

function columnReport(name: string, column: number, { all, captured, compared }: ColumnInput): ColumnReport {
  const groupOf = ({ groups }: AcquiredImage) => groups[column] as string;
  const names = [...new Set(captured.images.map(groupOf))].filter((group) => group !== '').sort(inOrder);
  const groups = Int32Array.from(compared, (image) => names.indexOf(groupOf(image)));
  const { within, across } = groupCells(all, groups, names.length);
  const reports = names.map((group, i) => ({
    group,
    ...captureOf(captured, (image) => groupOf(image) === group),
    ...(within[i] as CellResult),
  }));
  return {
    name,
    unlabeled: captured.images.filter((image) => groupOf(image) === '').length,
    groups: reports,
    across,
    spread: thresholds.map((threshold, t) => ({
      threshold,
      falseMatch: extremes(reports, ({ rates }) => (rates[t] as PairRates).falseMatch),
      falseNonMatch: extremes(reports, ({ rates }) => (rates[t] as PairRates).falseNonMatch),
    })),
  };
}

/** Bands in the order of their numbers: 5-9 before 10-19. */
const inOrder = new Intl.Collator('en-US', { numeric: true }).compare;

function captureOf({ images, people }: Captured, belongs: (image: AcquiredImage) => boolean) {
  const count = (fulfills: (image: AcquiredImage) => boolean) =>
    imagesOf(people, (i) => belongs(images[i] as AcquiredImage) && fulfills(images[i] as AcquiredImage));
  const all = count(() => true);
  const failure = (fulfills: (image: AcquiredImage) => boolean): Failure => {
    const failed = count(fulfills);
    return { images: sum(failed), rate: rateOfTrials(failed, all) };
  };
  return {
    people: all.filter((imageCount) => imageCount > 0).length,
    images: sum(all),
    failures: {
      unreadable: failure(({ faces }) => faces === undefined),
      noFace: failure(({ faces }) => faces?.length === 0),
      severalFaces: failure(({ faces = [] }) => faces.length > 1),
    },
  };
}

type NamedGroup = CellResult & { readonly group: string };

/** @returns null unless two groups have a rate. */
function extremes(
  groups: readonly NamedGroup[],
  rateOf: (group: NamedGroup) => Rate | null,
): Extremes | null {
  const known = groups
    .map((group) => ({ name: group.group, rate: rateOf(group) }))
    .filter((entry): entry is { name: string; rate: Rate } => entry.rate !== null)
    .sort((a, b) => a.rate.rate - b.rate.rate);
  const [best, worst] = [known[0], known.at(-1)];
  if (!best || !worst || known.length < 2) return null;
  return {
    worst: worst.name,
    best: best.name,
    ratio: best.rate.rate > 0 ? worst.rate.rate / best.rate.rate : null,
    separate: worst.rate.interval[0] > best.rate.interval[1],
  };
}

/** Numbers names in the order in which they first occur. */
function positions(names: readonly string[]): (name: string) => number {
  const known = new Map([...new Set(names)].map((name, i) => [name, i]));
  return (name) => known.get(name) as number;
}

const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0);
