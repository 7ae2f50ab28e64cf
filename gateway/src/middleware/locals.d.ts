import type { OperatorErrorForm, RequestErrorCode } from '../errors';
import type { SignedIn } from '../services/identity/sign-ins';
import type { Deadline } from '../services/inference/inference-client';
import type { Principal } from '../services/keys/keys';
import type { Permit } from '../services/limits/admission';
import type { SessionAddress } from '../services/liveness/session/session-store';
import type { Role } from '../services/rights/roles';
import type { Stopwatch } from '../services/timing/stages';

declare global {
  namespace Express {
    /** State of a request that middleware shares in `res.locals`. */
    interface Locals {
      requestId: string;
      /** Measures the stages of the request. */
      stages: Stopwatch;
      operation?: string;
      principal?: Principal;
      /** The API version of a request with an API key: a date of the contract's versions.json. */
      apiVersion?: string;
      /** The session of an access token. */
      session?: SessionAddress;
      /** The person of a call of the console. */
      signedIn?: SignedIn;
      /** The person's role in the account of the path. */
      role?: Role | undefined;
      /** Set on paths that pages call for a person in front of a camera. */
      forPages?: true;
      /** Set on paths whose callers manage something: operators, people in the console, and holders of some API keys. */
      operatorErrors?: OperatorErrorForm;
      /** Whether the call has an origin whose pages may make it. */
      isFromAllowedPage?: boolean;
      /** Held while the request is admitted. */
      permit?: Permit;
      deadline?: Deadline;
      /** Size of the body, once it has been read. */
      bodyBytes?: number;
      /** Set once the request was counted toward the rate limit. */
      rated?: true;
      errorCode?: RequestErrorCode;
      /** The reason of the error, from the catalogue. */
      errorReason?: string | undefined;
      /** Status of a response that was written to the socket directly. */
      rawStatus?: number;
    }
  }
}
