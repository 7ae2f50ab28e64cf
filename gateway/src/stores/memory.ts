/**
 * Decides how Redis treats a script when it has no memory left. Without a flag, Redis aborts the script at its first
 * write that needs memory, even if that leaves the data half-changed.
 */

/** Redis rejects the script as a whole. */
export const growing = (lua: string): string => `#!lua\n${lua}`;

/** Redis runs the script, because it frees more memory than it takes. */
export const freeing = (lua: string): string => `#!lua flags=allow-oom\n${lua}`;
