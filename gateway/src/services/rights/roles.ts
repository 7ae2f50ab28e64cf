/** Roles of people in an account. `console/grants.ts` names the operations of each role. */
export const roles = ['owner', 'developer', 'billing', 'viewer'] as const;
export type Role = (typeof roles)[number];
