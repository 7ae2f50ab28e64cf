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
  bars: { what: string; seenText: string; barText: string; better: string; reached: boolean }[];
}

/** The part of a page's address that leads to a measurement. */
export const anchorOf = (name: string) => name.replace('/', '-');
