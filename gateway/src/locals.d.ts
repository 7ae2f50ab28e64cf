import type { ErrorCode } from './errors';
import type { Deadline } from './services/inference-client';
import type { Principal } from './services/keys';

declare global {
  namespace Express {
    /** What the middleware leaves for those after it, in `res.locals`. */
    interface Locals {
      requestId: string;
      operation?: string;
      principal?: Principal;
      deadline?: Deadline;
      /** Set once the request was counted toward the rate limit. */
      rated?: true;
      errorCode?: ErrorCode;
      /** Status of an answer that went out on the bare socket, past the response. */
      rawStatus?: number;
    }
  }
}
