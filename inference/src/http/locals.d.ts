import type { Work } from './work';

declare global {
  namespace Express {
    /** `res.locals`: what handlers pass to later ones. */
    interface Locals {
      operation?: string;
      /** The runs of the request's items. */
      work?: readonly Work[];
    }
  }
}
