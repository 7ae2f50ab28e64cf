import type { ErrorCode } from '../errors';
import type { Deadline } from '../services/inference/inference-client';
import type { Principal } from '../services/keys/keys';
import type { Stay } from '../services/limits/admission';
import type { SessionAddress } from '../services/liveness/session/session-store';
import type { Stopwatch } from '../services/timing/stages';

declare global {
  namespace Express {
    /** What the middleware leaves for those after it, in `res.locals`. */
    interface Locals {
      requestId: string;
      /** Where the request's time goes. */
      stages: Stopwatch;
      operation?: string;
      principal?: Principal;
      /** Whose access token came in place of a key. */
      session?: SessionAddress;
      /** While the request is admitted. */
      stay?: Stay;
      deadline?: Deadline;
      /** Set once the request was counted toward the rate limit. */
      rated?: true;
      errorCode?: ErrorCode;
      /** The reason that went out with it, one of the catalogue's. */
      errorReason?: string | undefined;
      /** Status of an answer that went out on the bare socket, past the response. */
      rawStatus?: number;
    }
  }
}
