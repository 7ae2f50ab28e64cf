import { resolve } from 'node:path';

/** A path that the user typed. A relative one starts where the command was typed, not where npm runs it. */
export const typedPath = (path: string) => resolve(process.env.INIT_CWD ?? '.', path);
