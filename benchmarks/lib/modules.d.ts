/** jStat ships no types. */
declare module 'jstat' {
  const jstat: {
    beta: { inv(probability: number, alpha: number, beta: number): number };
    studentt: { inv(probability: number, degreesOfFreedom: number): number };
  };
  export default jstat;
}
