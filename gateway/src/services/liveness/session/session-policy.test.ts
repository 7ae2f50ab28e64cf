import { excludesDevices, policyOf } from './session-policy';

test('a session without a request or an account policy is judged by the level standard', () => {
  expect(policyOf()).toEqual({
    level: 'standard',
    minConfidence: 0.5,
    virtualCameras: 'allow',
    lightChallenge: 'off',
    devices: ['phone', 'tablet', 'desktop'],
  });
});

test('each field comes from the request, otherwise from the account, otherwise from the level', () => {
  const account = { level: 'strict', minConfidence: 0.8, devices: ['phone'] } as const;
  expect(policyOf({ minConfidence: 0.6 }, account)).toMatchObject({
    level: 'strict',
    minConfidence: 0.6,
    virtualCameras: 'refuse',
    lightChallenge: 'required',
  });
  expect(policyOf({ level: 'standard' }, account)).toMatchObject({
    level: 'standard',
    minConfidence: 0.8,
    virtualCameras: 'allow',
    devices: ['phone'],
  });
  expect(policyOf({ level: 'strict', virtualCameras: 'allow' })).toMatchObject({ virtualCameras: 'allow' });
});

test('only a policy that leaves out a kind of device excludes some', () => {
  expect(excludesDevices(policyOf())).toBe(false);
  expect(excludesDevices(policyOf({ devices: ['desktop', 'tablet', 'phone'] }))).toBe(false);
  expect(excludesDevices(policyOf({ devices: ['phone'] }))).toBe(true);
});
