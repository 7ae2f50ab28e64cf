/** The calls that each role may make in an account, so that pages offer nothing else. */
import type { Role } from '../services/rights/roles';
import { operationIdOf } from './call';
import { grants } from './grants';
import { groupedCalls } from './groups';
import { playgroundRoles, playgroundRoutes } from './playground';

const playground = Object.keys(playgroundRoutes).map((name) => ({
  id: `playground ${name}`,
  access: playgroundRoles,
}));

/** The roles that each call of an account admits, by its name in the description of the API. */
const rolesByCall: readonly (readonly [name: string, admitted: readonly Role[]])[] = [
  ...[...groupedCalls, ...playground].flatMap((call) => {
    // Other calls are for people without a role in an account.
    return typeof call.access === 'string' ? [] : [[operationIdOf(call), call.access] as const];
  }),
  ...Object.entries(grants).map(([id, admitted]) => [operationIdOf({ id }), admitted] as const),
];

export const permissions: readonly string[] = rolesByCall.map(([name]) => name);

export const permissionsOf = (role: Role | undefined): string[] =>
  rolesByCall.flatMap(([name, admitted]) => (role !== undefined && admitted.includes(role) ? [name] : []));
