import { type Operation, operation } from './operation';
import { email } from './people';

export const operatorOperations: readonly Operation[] = [
  operation<{ email: string }>({
    id: 'operators add',
    summary: 'Lets a person use these operations in the console, after a sign-in with a second factor',
    http: ['POST', '/operators'],
    properties: { email },
    required: ['email'],
    changes: true,
    run: ({ operators }, { email }) => operators.add(email),
  }),
  operation<{ email: string }>({
    id: 'operators remove',
    summary: 'Ends that, effective with the next request',
    http: ['DELETE', '/operators'],
    properties: { email },
    required: ['email'],
    changes: true,
    run: ({ operators }, { email }) => operators.remove(email),
  }),
  operation<object>({
    id: 'operators list',
    summary: 'Lists the people who may use these operations in the console',
    http: ['GET', '/operators'],
    properties: {},
    changes: false,
    run: async ({ operators }) => ({ operators: await operators.list() }),
  }),
];
