/**
 * What becomes of a script while Redis has no memory left. One that says nothing is stopped at its first write, but only
 * where that takes memory: had it freed some before, it may take any amount.
 */

/** It is refused as a whole. */
export const growing = (lua: string): string => `#!lua\n${lua}`;

/** It runs, since it frees more than it takes, or lets others do so: a full Redis would stay full. */
export const freeing = (lua: string): string => `#!lua flags=allow-oom\n${lua}`;
