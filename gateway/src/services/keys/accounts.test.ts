import { type Account, changeAccount, termsAt } from './accounts';

const account = (plan: Account['plan'], more: Partial<Account> = {}): Account => ({
  id: 'acc_1',
  name: 'A',
  plan,
  createdAt: 1,
  ...more,
});
const overrides = { overage: { imageAnalysis: 0.01 } };

test('an overage of a plan that stops at its quota is refused, whichever of the two comes last', () => {
  expect(() => changeAccount(account('free'), { overrides }, 1)).toThrow('stops at its quota');
  expect(() => changeAccount(account('basic', { overrides }), { plan: 'free' }, 1)).toThrow(
    'stops at its quota',
  );
  expect(changeAccount(account('basic'), { overrides }, 1)).toMatchObject({ overrides });
  const changed = changeAccount(account('basic', { overrides }), { plan: 'free', overrides: null }, 7);
  expect(changed).toEqual(account('free', { earlierTerms: [{ until: 7, plan: 'basic', overrides }] }));
  expect(changeAccount(account('free'), { overrides: { quota: { imageAnalysis: 5 } } }, 1).plan).toBe('free');
});

test('controller, alternative and schemes of apps are set and cleared one by one', () => {
  const controller = { name: 'A Ltd', privacyUrl: 'https://a.example/privacy', contact: 'privacy@a.example' };
  const alternative = { text: 'Visit a branch.' };
  const set = changeAccount(account('free'), { controller, alternative, returnSchemes: ['myapp'] }, 1);
  expect(set).toMatchObject({ controller, alternative, returnSchemes: ['myapp'] });
  expect(changeAccount(set, { name: 'B' }, 2)).toEqual({ ...set, name: 'B' });
  const cleared = changeAccount(set, { controller: null, returnSchemes: null }, 3);
  expect(cleared).toEqual(account('free', { alternative }));
  expect(() => changeAccount(set, { returnSchemes: ['javascript'] }, 3)).toThrow('javascript');
});

test('null clears each setting, and an empty list or false leaves nothing in the store', () => {
  const settings = {
    branding: { name: 'A' },
    alternative: { text: 'Visit a branch.' },
    returnSchemes: ['myapp'],
    livenessPolicy: { level: 'strict' },
    origins: ['https://a.example'],
    auditImages: { days: 7 },
  } as const;
  const before = changeAccount(account('business'), { ...settings, suspended: true }, 1);
  expect(before).toEqual(account('business', { ...settings, suspended: true }));
  for (const name of Object.keys(settings) as (keyof typeof settings)[]) {
    const { [name]: cleared, ...others } = before;
    expect(changeAccount(before, { [name]: null }, 2)).toEqual(others);
  }
  const { origins, suspended, ...others } = before;
  expect(changeAccount(before, { origins: [], suspended: false }, 2)).toEqual(others);
});

test('origins have the form in which browsers send them, however they are written', () => {
  const origins = ['HTTPS://A.example:8443', 'Capacitor://localhost'];
  const changed = changeAccount(account('free'), { origins }, 1);
  expect(changed.origins).toEqual(['https://a.example:8443', 'capacitor://localhost']);
});

test('an account keeps the terms it was billed by, and finds them by time', () => {
  let changing = account('free');
  changing = changeAccount(changing, { plan: 'basic' }, 10);
  changing = changeAccount(changing, { name: 'B' }, 15);
  changing = changeAccount(changing, { overrides: { concurrency: 5 } }, 20);
  expect(termsAt(changing, 9)).toMatchObject({ plan: 'free' });
  expect(termsAt(changing, 10)).toEqual({ until: 20, plan: 'basic' });
  expect(termsAt(changing, 20)).toMatchObject({ plan: 'basic', overrides: { concurrency: 5 } });
});
