import { policyOf } from '../session/policy';
import { policies } from './policy';
import { judgedBy } from './session-policy';

test.each(['standard', 'strict'] as const)('the level %s sets what its verdicts use', (level) => {
  expect(judgedBy(policyOf({ level }))).toEqual(policies[level]);
});
