import { Vault } from '../../../crypto/vault';
import { AccessTokens } from './access-tokens';

const tokens = new AccessTokens(new Vault('5a'.repeat(32), 'tests'));
const session = {
  accountId: `acc_${'a'.repeat(20)}`,
  sessionId: `ses_${'b'.repeat(24)}`,
  expiresAt: 1_768_473_000_000,
};

test('seals account, session and expiry into a token', () => {
  const token = tokens.issue(session);
  expect(tokens.read(token)).toEqual({ ...session, mode: 'live' });
  expect(token).toMatch(/^[\w-]{32,200}$/);
  expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain('ses_');
});

test('seals the mode of a test session, whose token nobody can turn into that of a live one', () => {
  const [live, trial] = [
    tokens.issue({ ...session, mode: 'live' }),
    tokens.issue({ ...session, mode: 'test' }),
  ];
  expect(tokens.read(trial)).toEqual({ ...session, mode: 'test' });
  expect(live).toBe(tokens.issue(session));
  expect(tokens.read(`${trial.slice(0, -8)}${live.slice(-8)}`)).toBeUndefined();
  expect(trial).toMatch(/^[\w-]{32,200}$/);
});

test('issues one token for each session', () => {
  const token = tokens.issue(session);
  expect(tokens.issue({ ...session })).toBe(token);
  for (const change of [{ accountId: 'acc_b' }, { sessionId: 'ses_c' }, { expiresAt: 1 }]) {
    expect(tokens.issue({ ...session, ...change })).not.toBe(token);
  }
});

test('rejects modified, truncated and foreign tokens', () => {
  const token = tokens.issue(session);
  const other = new AccessTokens(new Vault('5b'.repeat(32), 'tests')).issue(session);
  const swapped = `${token.slice(0, 40)}${token[40] === 'A' ? 'B' : 'A'}${token.slice(41)}`;
  for (const text of ['', 'x', token.slice(1), token.slice(0, -4), swapped, other, token.repeat(3)]) {
    expect(tokens.read(text)).toBeUndefined();
  }
});
