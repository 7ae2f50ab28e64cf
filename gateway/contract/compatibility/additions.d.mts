import type { Contract } from './breaking-changes.mjs';

/** @returns a sentence for each operation, parameter, media type, field and header that is new, with code between backticks. */
export function additions(before: Contract, now: Contract): string[];
