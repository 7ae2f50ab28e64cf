/**
 * Has captures judged. A check is taken with a lease, its frames are judged from the store, and its end is one change
 * of the session: whoever dies over it leaves frames and lease behind, and whoever comes next judges them again.
 */
import type { Logger } from 'pino';
import { AppError } from '../../errors';
import { randomBase62 } from '../base62';
import type { InferenceClient } from '../inference/inference-client';
import type { Attempt, CaptureStore } from './capture-store';
import { addressOf } from './capture';
import { conflictOf, sessionGone } from './conflicts';
import { deadlineIn } from './deadline-in';
import { type Finding, type FindingParts, findingOf } from './finding';
import type { Explanation, Session, SessionOutcome, SessionRecord } from './session';
import type { Changed, SessionAddress, SessionStore } from './session-store';
import { isFinal, type SessionStatus } from './states';
import { isDone } from './steps';
