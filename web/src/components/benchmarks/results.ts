/** Measurements as the benchmark page queries them. */
type Data = QueryData<Queries.BenchmarksPageQuery>;

export type BenchmarkResult = Data['allBenchmarkResult']['nodes'][number];
/** The sample of a figure: its 95 % interval, or the range of its rounds. */
export type SampleText = NonNullable<BenchmarkResult['figures'][number]['sampleText']>;
export type ResultWords = Data['contentBenchmarks']['results'];

/** The fragment of the benchmark page's address that leads to a measurement. */
export const anchorOf = (name: string) => name.replace('/', '-');
