import { OperatorError } from '../errors';
import { account, type Operation, operation, type Property } from './operation';

const month: Property = {
  type: 'string',
  pattern: '^\\d{4}-(?:0[1-9]|1[0-2])$',
  description: 'Month in UTC, such as 2026-10',
};

export const invoiceOperations: readonly Operation[] = [
  operation<{ account: string }>({
    id: 'invoices list',
    summary: 'Lists the invoices of an account, newest first',
    http: ['GET', '/accounts/:account/invoices'],
    properties: { account },
    required: ['account'],
    changes: false,
    run: async ({ keys, invoices }, { account }) => {
      await keys.findAccount(account);
      const all = await invoices.list(account);
      return {
        invoices: all.map(({ number, month, total, currency, status }) => ({
          number,
          month,
          total,
          currency,
          status,
        })),
      };
    },
  }),
  operation<{ account: string; month: string }>({
    id: 'invoices show',
    summary: 'Shows the invoice of a month, which is made two days after the month’s end',
    http: ['GET', '/accounts/:account/invoices/:month'],
    properties: { account, month },
    required: ['account', 'month'],
    changes: false,
    run: async ({ keys, invoices }, { account, month }) => {
      await keys.findAccount(account);
      const invoice = await invoices.find(account, month);
      if (!invoice) throw new OperatorError(`The account ${account} has no invoice of ${month}`, 'NOT_FOUND');
      return invoice;
    },
  }),
];
