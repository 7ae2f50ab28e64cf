/**
 * Counts the pairs and errors of cells: all pairs, those within each group of a column, and those across its groups.
 */
import type { ComparedPairs } from './pairs';
import { type Rate, rateOfImpostors, rateOfTrials } from './rates';

export interface PairRates {
  readonly threshold: number;
  /** Null with too few people. */
  readonly falseMatch: Rate | null;
  readonly falseNonMatch: Rate | null;
}

export interface CellResult {
  /** Pairs of one person, and the people who have some. */
  readonly genuine: { readonly people: number; readonly pairs: number };
  /** Pairs of different people, and the people in them. */
  readonly impostor: { readonly people: number; readonly pairs: number };
  readonly rates: readonly PairRates[];
}

/** The images that a cell takes pairs from. */
interface CellImages {
  /** Images of each person. */
  readonly images: Float64Array;
  /** Images of each person in each group, for a cell across groups. */
  readonly parts?: readonly Float64Array[];
}

class Cell {
  private readonly thresholds: readonly number[];
  private readonly trials: Float64Array;
  private readonly misses: readonly Float64Array[];
  private readonly compared: Uint8Array;
  private readonly matches: [number, number, similarity: number][] = [];
  private readonly listed: [number, number][] | undefined;
  private pairs = 0;

  constructor(
    private readonly from: CellImages,
    { thresholds, isListed }: Pick<Compared, 'thresholds' | 'isListed'>,
  ) {
    this.thresholds = thresholds;
    this.listed = isListed ? [] : undefined;
    const people = from.images.length;
    this.trials = new Float64Array(people);
    this.misses = thresholds.map(() => new Float64Array(people));
    this.compared = new Uint8Array(people);
  }

  add(a: number, b: number, similarity: number): void {
    if (a === b) {
      this.trials[a] = (this.trials[a] as number) + 1;
      this.thresholds.forEach((threshold, t) => {
        const misses = this.misses[t] as Float64Array;
        if (similarity < threshold) misses[a] = (misses[a] as number) + 1;
      });
      return;
    }
    this.pairs += 1;
    this.compared[a] = 1;
    this.compared[b] = 1;
    this.listed?.push([a, b]);
    if (this.thresholds.some((threshold) => similarity >= threshold)) this.matches.push([a, b, similarity]);
  }

  result(): CellResult {
    const { trials, pairs: compared } = this;
    return {
      genuine: {
        people: trials.reduce((count, personTrials) => count + Number(personTrials > 0), 0),
        pairs: trials.reduce((sum, personTrials) => sum + personTrials, 0),
      },
      impostor: { people: this.compared.reduce((sum, isCompared) => sum + isCompared, 0), pairs: compared },
      rates: this.thresholds.map((threshold, t) => ({
        threshold,
        falseMatch: rateOfImpostors({
          ...this.from,
          compared,
          listed: this.listed,
          matches: this.matches.flatMap(([a, b, similarity]) =>
            similarity >= threshold ? [[a, b] as const] : [],
          ),
        }),
        falseNonMatch: rateOfTrials(this.misses[t] as Float64Array, trials),
      })),
    };
  }
}

export interface Compared {
  readonly pairs: ComparedPairs;
  /** Position of the person of each image. */
  readonly people: Int32Array;
  readonly thresholds: readonly number[];
  /** Whether a list chose the pairs. */
  readonly isListed?: boolean;
}

/** The cell of all pairs. */
export function overallCell(compared: Compared): CellResult {
  const { pairs, people } = compared;
  const cell = new Cell({ images: imagesOf(people, () => true) }, compared);
  eachPair(pairs, (i, j, similarity) => cell.add(people[i] as number, people[j] as number, similarity));
  return cell.result();
}

/**
 * The cells of one column.
 * @param groups position of the group of each image; -1 where none is stated.
 * @param count number of groups.
 */
export function groupCells(compared: Compared, groups: Int32Array, count: number) {
  const { pairs, people } = compared;
  const parts = Array.from({ length: count }, (_, group) => imagesOf(people, (i) => groups[i] === group));
  const within = parts.map((images) => new Cell({ images }, compared));
  const across = new Cell({ images: imagesOf(people, (i) => groups[i] !== -1), parts }, compared);
  eachPair(pairs, (i, j, similarity) => {
    const [a, b] = [groups[i] as number, groups[j] as number];
    if (a === -1 || b === -1) return;
    const cell = a === b ? (within[a] as Cell) : across;
    cell.add(people[i] as number, people[j] as number, similarity);
  });
  return { within: within.map((cell) => cell.result()), across: across.result() };
}

/** Images of each person that fulfill a condition. */
export function imagesOf(people: Int32Array, fulfills: (image: number) => boolean): Float64Array {
  const images = new Float64Array(people.reduce((most, person) => Math.max(most, person + 1), 0));
  people.forEach((person, image) => {
    if (fulfills(image)) images[person] = (images[person] as number) + 1;
  });
  return images;
}

function eachPair(pairs: ComparedPairs, visit: (i: number, j: number, similarity: number) => void): void {
  const { source, target, similarity } = pairs;
  for (let pair = 0; pair < similarity.length; pair++) {
    visit(source[pair] as number, target[pair] as number, similarity[pair] as number);
  }
}
