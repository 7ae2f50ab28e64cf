/** A liveness session, as the store keeps it and as the services read it. */
import type { KeyMode } from '../../keys/api-key';
import type { DataKey } from './data-key';
import type { SessionStatus } from './states';

/** What is stored in the open of a session: nothing of the person, and nothing that the account said of the person. */
export interface SessionState {
  readonly accountId: string;
  readonly id: string;
  readonly status: SessionStatus;
  /** Of the key that created it. */
  readonly mode: KeyMode;
  readonly keyId: string;
  /** Milliseconds since 1970, as all times here, by the store's clock. */
  readonly createdAt: number;
  /** When it ends unless it was finished before. */
  readonly expiresAt: number;
  /** When the store forgets it. */
  readonly dataExpiresAt: number;
  readonly startedAt?: number;
  readonly finishedAt?: number;
  /** When the person last agreed to a capture. */
  readonly consentAt?: number;
  /** Version of the notice that was agreed to, where the page or app said one. */
  readonly consentNotice?: string;
  /** Whether there is a reference picture; it is erased as soon as the session ends. */
  readonly hasReference: boolean;
  /** Attempts that may be judged. */
  readonly attempts: number;
  /** Attempts that began. */
  readonly begun: number;
  /** Attempts that were judged and not passed. */
  readonly failures: number;
  /** The attempt that runs or is being judged. */
  readonly attemptId?: string;
  /** Keyed hash of the device that the attempt runs on. */
  readonly device?: string;
  /** Keyed hash of the network address that the attempt began from. */
  readonly network?: string;
  /** While synchronous webhooks are asked whether it may begin: id of the event they are asked with. */
  readonly undecided?: string;
  /** While its page is closed: when that ends it. */
  readonly leaveAt?: number;
  /** While it is judged: when whoever judges it is taken for dead. */
  readonly checkingUntil?: number;
}

/** As stored: what is private is sealed, base64. */
export interface SessionRecord extends SessionState {
  /** The session's data key, sealed by the service's own. */
  readonly dataKey: string;
  /** `SessionDetails`, sealed by the data key. */
  readonly details: string;
  /** `SessionOutcome`, sealed by the data key; once it is completed or failed. */
  readonly outcome?: string;
  /** For the operator, sealed by the data key: what judged attempts were judged by. */
  readonly explanation?: string;
}

/** What the account said at creation. */
export interface SessionDetails {
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly returnUrl?: string;
}

export interface LivenessResult {
  readonly isLive: boolean;
  /** 0 to 1. */
  readonly confidence: number;
}

export interface MatchResult {
  readonly isMatch: boolean;
  /** 0 to 1. */
  readonly similarity: number;
  readonly similarityThreshold: number;
}

export interface SessionOutcome {
  readonly result: LivenessResult;
  /** When there was a reference picture and the check was passed. */
  readonly match?: MatchResult;
}

/** A session with what was sealed of it. */
export interface Session extends SessionState, SessionDetails {
  /** Opens and seals what belongs to the session; it is gone when the session is erased. */
  readonly key: DataKey;
  /** Only of a completed session: a score of a failed one would tell how close it came. */
  readonly result?: LivenessResult;
  readonly match?: MatchResult;
  /** The attempt that was judged last, and what its user was told to change. */
  readonly judged?: Pick<Explanation, 'attemptId' | 'hint'>;
  /** One entry for each judged attempt, oldest first. */
  readonly explanation: readonly Explanation[];
}

/** Why an attempt was judged as it was: without pictures, and but for the hint for the operator alone. */
export interface Explanation {
  readonly attemptId: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly passed: boolean;
  /** What the user was told to change. */
  readonly hint?: string | undefined;
  /** Whatever the verdict says of itself: scores, reasons. JSON, 16 KiB at most. */
  readonly verdict: unknown;
}
