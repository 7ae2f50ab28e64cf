import { maxEmailLength } from '../services/identity/email';
import { type Operation, operation, type Property } from './operation';

/** The audit log records the id of the user instead. */
export const email: Property = {
  type: 'string',
  minLength: 1,
  maxLength: 2 * maxEmailLength,
  writeOnly: true,
  description: 'Email address of a person who has signed up in the console',
};

interface Named {
  readonly email: string;
}

export const peopleOperations: readonly Operation[] = [
  operation<Named>({
    id: 'people sign-out',
    summary: 'Ends all sign-ins of a person in the console',
    http: ['POST', '/people/sign-out'],
    properties: { email },
    required: ['email'],
    changes: true,
    run: ({ people }, { email }) => people.signOut(email),
  }),
  operation<Named>({
    id: 'people reset-factors',
    summary:
      'Removes the passkeys and the authenticator app of a person who lost them, and ends all sign-ins: make sure who asks',
    http: ['POST', '/people/reset-factors'],
    properties: { email },
    required: ['email'],
    changes: true,
    run: ({ people }, { email }) => people.resetFactors(email),
  }),
];
