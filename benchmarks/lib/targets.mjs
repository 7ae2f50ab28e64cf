/**
 * The specification's targets of an answer's time, in one place: k6 makes thresholds of them and the driver bars. Plain
 * data, since k6 loads this file as well as Node. The site states the same numbers (web/content/claims.json);
 * targets.test.ts holds both together.
 */

/** 95th percentile of an answer, in milliseconds. */
export const p95TargetsMs = Object.freeze({ detect: 1000, compare: 2000, moderate: 500 });

/** From the last frame of a capture to the verdict, in milliseconds. */
export const verdictTargetMs = 3000;
