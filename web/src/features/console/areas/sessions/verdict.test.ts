import limits from '@presenza/contract/limits.json';
import texts from '../../../../../content/console/sessions.json';
import { verdictOf } from './verdict';

test.each([
  [{ status: 'started' }, 'open'],
  [{ status: 'checking' }, 'open'],
  [{ status: 'completed', isLive: true }, 'live'],
  [{ status: 'completed', isLive: true, isMatch: true }, 'match'],
  [{ status: 'completed', isLive: true, isMatch: false }, 'noMatch'],
  [{ status: 'failed' }, 'failed'],
  [{ status: 'cancelled' }, 'none'],
  [{ status: 'expired' }, 'none'],
] as const)('a session %j has the verdict %s', (session, verdict) => {
  expect(verdictOf(session)).toBe(verdict);
});

test('every band of confidence has its meaning', () => {
  const bands = Object.values(limits.liveness.confidence).map(String);
  expect(Object.keys(texts.texts.result.bands)).toEqual(bands);
});
