import type { Work } from './work';

declare global {
  namespace Express {
    /** What handlers leave for those after them, in `res.locals`. */
    interface Locals {
      operation?: string;
      /** When the items of the request were worked on. */
      work?: readonly Work[];
    }
  }
}
