import { Vault } from '../../../crypto/vault';
import { SealedParts } from './sealed-parts';
import type { SessionRecord } from './session';

const seals = new SealedParts(new Vault('5a'.repeat(32), 'tests'));
const reference = Buffer.from([0, 1, 255]);
const details = { metadata: { userId: 'user-4711' }, returnUrl: 'https://app.example.com/done' };

const { reference: sealedReference, ...sealed } = seals.sealNew({
  accountId: 'acc_1',
  id: 'ses_1',
  details,
  reference,
});
const record: SessionRecord = {
  accountId: 'acc_1',
  id: 'ses_1',
  status: 'completed',
  mode: 'live',
  keyId: 'key_1',
  createdAt: 1,
  expiresAt: 2,
  dataExpiresAt: 3,
  hasReference: true,
  maxAttempts: 3,
  begun: 1,
  spent: 0,
  failures: 0,
  ...sealed,
};
const result = { isLive: true, confidence: 0.98 };
const match = { isMatch: true, similarity: 0.9, similarityThreshold: 0.8 };

test('opens the sealed parts of a session', () => {
  const session = seals.open(record);
  expect(session).toMatchObject({ ...details, status: 'completed', explanation: [] });
  expect(seals.openReference(session, sealedReference as Buffer)).toEqual(reference);
  expect(JSON.stringify(sealed)).not.toMatch(/4711|example/);
});

test('shows the outcome of a completed session only', () => {
  const outcome = seals.sealOutcome(seals.open(record), { result, match });
  expect(seals.open({ ...record, outcome })).toMatchObject({ result, match });
  const failed = seals.open({ ...record, outcome, status: 'failed' });
  expect(failed.result).toBeUndefined();
  expect(failed.match).toBeUndefined();
});

test('limits the size of an explanation', () => {
  const session = seals.open(record);
  const entry = (verdict: unknown) => ({ attemptId: 'att_1', at: 1, passed: false, verdict });
  const explanation = seals.sealExplanation(session, [entry({ score: 0.3 }), entry('x'.repeat(20_000))]);
  expect(seals.open({ ...record, explanation }).explanation).toEqual([entry({ score: 0.3 }), entry(null)]);
});

test('returns the attempt with the last verdict and its hint', () => {
  expect(seals.open(record).judged).toBeUndefined();
  const entries = ['att_1', 'att_2'].map((attemptId) => ({ attemptId, at: 1, passed: false, verdict: null }));
  const hinted = entries.map((entry, i) => ({
    ...entry,
    hint: i === 0 ? ('movement' as const) : ('lighting' as const),
  }));
  const explanation = seals.sealExplanation(seals.open(record), hinted);
  expect(seals.open({ ...record, explanation }).judged).toMatchObject({
    attemptId: 'att_2',
    hint: 'lighting',
  });
});

test('opens nothing for another account, session, part or secret', () => {
  const { outcome } = { outcome: seals.sealOutcome(seals.open(record), { result }) };
  expect(() => seals.open({ ...record, accountId: 'acc_2' })).toThrow();
  expect(() => seals.open({ ...record, id: 'ses_2' })).toThrow();
  expect(() => seals.open({ ...record, details: outcome })).toThrow();
  expect(() => new SealedParts(new Vault('5b'.repeat(32), 'tests')).open(record)).toThrow();
});
