/** What a figure rests on: its 95 % interval, or the range of its rounds. */
export interface SampleText {
  count: string;
  isInterval: boolean;
  low: string | null;
  high: string | null;
}

/** What was measured, as the queries of the benchmark page give it. */
export interface BenchmarkResult {
  name: string;
  variant: string | null;
  answers: string;
  date: string;
  commit: string;
  staleBuild: boolean | null;
  note: string | null;
  machine: { cpu: string; cores: number; memoryGiB: number; node: string };
  bars: {
    what: string;
    seenText: string;
    sampleText: SampleText | null;
    barText: string;
    better: string;
    reached: boolean;
  }[];
}

/** The part of a page's address that leads to a measurement. */
export const anchorOf = (name: string) => name.replace('/', '-');
