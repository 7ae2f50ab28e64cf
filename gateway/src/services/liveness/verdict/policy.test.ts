import { policyOf } from '../session/session-policy';
import { policies, verdictPolicyOf } from './policy';

test('each level stands for a policy', () => {
  expect(policies).toEqual({
    standard: { level: 'standard', minConfidence: 0.5, refuseVirtualCamera: false, requireLight: false },
    strict: { level: 'strict', minConfidence: 0.5, refuseVirtualCamera: true, requireLight: true },
  });
});

test('the fields of a session replace those of its level', () => {
  const policy = policyOf({ level: 'strict', minConfidence: 0.8, lightChallenge: 'off' });
  expect(verdictPolicyOf(policy)).toEqual({ ...policies.strict, minConfidence: 0.8, requireLight: false });
});
