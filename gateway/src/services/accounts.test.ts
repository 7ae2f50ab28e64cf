import { type Account, changeAccount } from './accounts';

const account = (plan: Account['plan'], more: Partial<Account> = {}): Account => ({
  id: 'acc_1',
  name: 'A',
  plan,
  createdAt: 1,
  ...more,
});
const overrides = { overage: { imageAnalysis: 0.01 } };

test('an overage of a plan that stops at its quota is refused, whichever of the two comes last', () => {
  expect(() => changeAccount(account('free'), { overrides })).toThrow('stops at its quota');
  expect(() => changeAccount(account('basic', { overrides }), { plan: 'free' })).toThrow(
    'stops at its quota',
  );
  expect(changeAccount(account('basic'), { overrides })).toMatchObject({ overrides });
  expect(changeAccount(account('basic', { overrides }), { plan: 'free', overrides: null })).toEqual(
    account('free'),
  );
  expect(changeAccount(account('free'), { overrides: { quota: { imageAnalysis: 5 } } }).plan).toBe('free');
});
