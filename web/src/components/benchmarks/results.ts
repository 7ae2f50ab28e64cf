/** The sample of a figure: its 95 % interval, or the range of its rounds. */
export interface SampleText {
  count: string;
  isInterval: boolean;
  low: string | null;
  high: string | null;
}

/** A result of a measurement. */
export interface BenchmarkResult {
  name: string;
  variant: string | null;
  question: string;
  measuredAt: string;
  retired: string | null;
  commit: string;
  staleBuild: boolean | null;
  note: string | null;
  machine: { cpu: string; cores: number; memoryGiB: number; node: string };
  figures: {
    what: string;
    valueText: string;
    sampleText: SampleText | null;
    targetText: string;
    better: string;
    reached: boolean;
  }[];
}

/** The fragment of a measurement's address. */
export const anchorOf = (name: string) => name.replace('/', '-');
