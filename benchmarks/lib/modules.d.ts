/** jStat ships no types. */
declare module 'jstat' {
  const jstat: {
    beta: { inv(probability: number, alpha: number, beta: number): number };
    sum(values: readonly number[]): number;
    mean(values: readonly number[]): number;
    min(values: readonly number[]): number;
    max(values: readonly number[]): number;
    stdev(values: readonly number[], ofSample: boolean): number;
    studentt: { inv(probability: number, degreesOfFreedom: number): number };
  };
  export default jstat;
}
