import errors from '@presenza/contract/errors.json';
import { type Meaning, meaningOf } from './failures';

const refused = (
  code: string,
  extra: { status?: number; reason?: string; retryAfterSeconds?: number } = {},
) =>
  meaningOf({
    kind: 'refused',
    status: extra.status ?? (errors as Record<string, { status: number }>)[code]?.status ?? 500,
    code,
    reason: extra.reason,
    requestId: 'req_1',
    retryAfterSeconds: extra.retryAfterSeconds,
  });

test.each<[string, string | undefined, Meaning]>([
  ['INVALID_API_KEY', 'token', { kind: 'linkInvalid' }],
  ['NOT_FOUND', 'session', { kind: 'linkInvalid' }],
  ['SESSION_EXPIRED', undefined, { kind: 'expired' }],
  ['SESSION_STATE_CONFLICT', 'checking', { kind: 'wait', trouble: 'busy' }],
  ['SESSION_STATE_CONFLICT', 'final', { kind: 'ended' }],
  ['SESSION_STATE_CONFLICT', 'attempts', { kind: 'ended' }],
  ['SESSION_STATE_CONFLICT', 'attempt', { kind: 'replaced' }],
  ['SESSION_STATE_CONFLICT', 'frame', { kind: 'frameRefused' }],
  ['SESSION_STATE_CONFLICT', 'frames', { kind: 'framesUsedUp' }],
  ['SESSION_STATE_CONFLICT', 'notStarted', { kind: 'unknown', requestId: 'req_1' }],
  ['INVALID_IMAGE', 'corrupt', { kind: 'frameRefused' }],
  ['PERMISSION_DENIED', 'device', { kind: 'otherDevice' }],
  ['PERMISSION_DENIED', 'origin', { kind: 'originNotAllowed' }],
  ['PERMISSION_DENIED', 'account', { kind: 'unknown', requestId: 'req_1' }],
  ['RATE_LIMIT_EXCEEDED', 'sessionCalls', { kind: 'wait', trouble: 'busy', afterMs: undefined }],
  ['SERVICE_UNAVAILABLE', 'overload', { kind: 'wait', trouble: 'busy', afterMs: undefined }],
  ['REQUEST_TIMEOUT', undefined, { kind: 'wait', trouble: 'busy', afterMs: undefined }],
  ['DEADLINE_EXCEEDED', undefined, { kind: 'wait', trouble: 'busy', afterMs: undefined }],
  ['INTERNAL_ERROR', undefined, { kind: 'unknown', requestId: 'req_1' }],
])('%s %s', (code, reason, meaning) => {
  expect(refused(code, reason === undefined ? {} : { reason })).toEqual(meaning);
});

test('the reasons of conflicts are those of the catalog', () => {
  const reasons = Object.keys(errors.SESSION_STATE_CONFLICT.reasons);
  const known = reasons.filter((reason) => refused('SESSION_STATE_CONFLICT', { reason }).kind !== 'unknown');
  // The page starts each session before any other call.
  expect(reasons.filter((reason) => !known.includes(reason))).toEqual(['notStarted']);
});

test('a lockout lasts for Retry-After, or for the minimum of the catalog', () => {
  const reason = 'livenessAttempts';
  expect(refused('RATE_LIMIT_EXCEEDED', { reason, retryAfterSeconds: 60 })).toEqual({
    kind: 'locked',
    afterMs: 60_000,
  });
  expect(refused('RATE_LIMIT_EXCEEDED', { reason })).toEqual({ kind: 'locked', afterMs: 1_800_000 });
});

test.each([408, 429, 502, 503, 504])('a bare %d from a proxy is retried', (status) => {
  expect(refused('', { status, retryAfterSeconds: 2 })).toEqual({
    kind: 'wait',
    trouble: 'busy',
    afterMs: 2000,
  });
});

test('a missing response is retried', () => {
  expect(meaningOf({ kind: 'network' })).toEqual({ kind: 'wait', trouble: 'offline' });
});
