/** Liveness sessions as stored and as opened. */
import type {
  LivenessHint,
  LivenessLocale,
  LivenessResult,
  MatchResult,
  TestOutcome,
} from '@presenza/contract/client/types.d.ts';
import limits from '@presenza/contract/limits.json';
import type { KeyMode } from '../../keys/api-key';
import type { DataKey } from './data-key';
import type { FailureReason } from './foremost-reason';
import type { SessionPolicy } from './session-policy';
import type { SessionStatus } from './states';

/** The plain fields of a stored session. They contain no personal data and nothing that the account provided. */
export interface SessionState {
  readonly accountId: string;
  readonly id: string;
  readonly status: SessionStatus;
  /** Mode and id of the API key that created the session. */
  readonly mode: KeyMode;
  readonly keyId: string;
  /** All times are in milliseconds since 1970 on the store's clock. */
  readonly createdAt: number;
  /** When the session expires unless it has ended. */
  readonly expiresAt: number;
  /** When the store deletes the session. */
  readonly dataExpiresAt: number;
  readonly startedAt?: number;
  readonly finishedAt?: number;
  /** When the user last consented to a capture, which is when the newest attempt began: its times count from here. */
  readonly consentAt?: number;
  /** Version of the consent notice, if the page or app reported one. */
  readonly consentNotice?: string;
  /** Language of the notice, if the page or app reported one. */
  readonly consentLocale?: string;
  /** Whether the session has a reference image, which is erased as soon as the session ends. */
  readonly hasReference: boolean;
  /** Attempts that may be spent. */
  readonly maxAttempts: number;
  /** Attempts begun. */
  readonly begun: number;
  /** Attempts that asked for a turn or were checked, whether or not they got a verdict. */
  readonly spent: number;
  /** Failed attempts. */
  readonly failures: number;
  /** The attempt that runs or is being checked. */
  readonly attemptId?: string;
  /** Keyed hash of the attempt's device. */
  readonly device?: string;
  /** Keyed hash of the attempt's network address. */
  readonly network?: string;
  /** Keyed hashes of the attempt's user, reference image and key. */
  readonly subjects?: readonly string[];
  /** Id of the start event while synchronous webhooks decide about it. */
  readonly undecided?: string;
  /** While the page is closed: when the session ends. */
  readonly leaveAt?: number;
  /** During a check: when the checker's lease ends. */
  readonly checkingUntil?: number;
  /** Only with a test outcome: the least time in each status before the sweep moves the session on. */
  readonly stepMs?: number;
}

/** A stored session, with its private parts sealed as base64. */
export interface SessionRecord extends SessionState {
  /** The session's data key, sealed with the service's key. */
  readonly dataKey: string;
  /** `SessionDetails`, sealed with the data key. */
  readonly details: string;
  /** `SessionOutcome` of a completed or failed session, sealed with the data key. */
  readonly outcome?: string;
  /** `Redirect`, sealed with the data key. */
  readonly redirect?: string;
  /** `Explanation` of each verdict for the operator, sealed with the data key. */
  readonly explanation?: string;
}

/** The part of a stored session that holds the details. */
export type SealedDetails = Pick<SessionRecord, 'accountId' | 'id' | 'dataKey' | 'details'>;

/** Data that the account provides at creation. */
export interface SessionDetails {
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly returnUrl?: string;
  /** Language of the hosted page. */
  readonly locale?: LivenessLocale;
  /** Every new session has one. */
  readonly policy?: SessionPolicy;
  /** Only for test keys: how the session ends. */
  readonly testOutcome?: TestOutcome;
  /** Days for which an image is kept for review by a person, from the account's setting; absent: none is. */
  readonly auditImageDays?: number;
  /** SHA-256 of the reference image, in hexadecimal. */
  readonly referenceHash?: string;
}

/** The user's next page, as a synchronous webhook decided about a session in one status. */
export interface Redirect {
  readonly status: SessionStatus;
  readonly url: string;
}

export interface SessionOutcome {
  readonly result: LivenessResult;
  /** Present if the session has a reference image and passed. */
  readonly match?: MatchResult;
}

/**
 * The confidence of an attempt that no rule refuses and that shows no sign of a program. It is the highest band and no
 * probability: attackers who imitate a browser and follow the prompts reach it, too.
 */
export const fullConfidence = limits.liveness.confidence.full;

/** A session with its private parts opened. */
export interface Session extends SessionState, SessionDetails {
  /** Seals and opens the session's data. */
  readonly key: DataKey;
  /** Only for a completed session: the score of a failed one would reveal how close it came. */
  readonly result?: LivenessResult;
  readonly match?: MatchResult;
  /** Only for a failed session, and only for its account. */
  readonly failureReason?: FailureReason;
  readonly policy: SessionPolicy;
  /** The user's next page, from the synchronous webhooks that were asked in this status. */
  readonly redirectUrl?: string;
  /** The attempt with the last verdict, and its hint. */
  readonly judged?: Pick<Explanation, 'attemptId' | 'hint'>;
  /** One entry for each verdict, oldest first. */
  readonly explanation: readonly Explanation[];
}

/** The change that the user should make after a failed attempt. */
export type Hint = LivenessHint;

/** The reasons of a verdict, without images. Except for the hint, only the operator sees them. */
export interface Explanation {
  readonly attemptId: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly passed: boolean;
  readonly hint?: Hint | undefined;
  /** Why the attempt failed, if it did. */
  readonly failureReason?: FailureReason | undefined;
  /** Scores and reasons of the verdict, at most 16 KiB of JSON. */
  readonly verdict: unknown;
}
