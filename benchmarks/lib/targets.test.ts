import { readFileSync } from 'node:fs';
import { p95TargetsMs, verdictTargetMs } from './targets.mjs';

interface Claim {
  claimId: string;
  target?: { value?: number; unit?: string };
}

/** The target that the site states for a claim, in milliseconds. */
function claimedMs(id: string): number {
  const file = `${__dirname}/../../web/content/claims.json`;
  const { groups } = JSON.parse(readFileSync(file, 'utf8')) as { groups: { claims: Claim[] }[] };
  const target = groups.flatMap(({ claims }) => claims).find(({ claimId }) => claimId === id)?.target;
  return Number(target?.value) * (target?.unit === 's' ? 1000 : 1);
}

it.each([
  ['detection-time', p95TargetsMs.detect],
  ['matching-time', p95TargetsMs.compare],
  ['moderation-time', p95TargetsMs.moderate],
  ['liveness-time', verdictTargetMs],
])('the target of %s is the one that the load suite uses', (id, target) => {
  expect(target).toBe(claimedMs(id));
});
