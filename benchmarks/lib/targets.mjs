/**
 * The specification's latency targets. The site states the same numbers (web/content/claims.json); targets.test.ts
 * compares both.
 */

/** 95th percentile of the latency, in milliseconds. */
export const p95TargetsMs = Object.freeze({ detect: 1000, compare: 2000, moderate: 500 });

/** The time from the last frame of a capture to the verdict, in milliseconds. */
export const verdictTargetMs = 3000;
