import type { KeyMode } from '../services/keys/api-key';
import { forecastOf } from '../services/metering/forecast';
import { monthOf } from '../services/metering/months';
import { productsUsed } from '../services/metering/products-used';
import {
  type LedgerEntry,
  requireLedger,
  trimLedger,
  usageReport,
  verifyMonth,
} from '../services/metering/usage';
import { isoTime } from '../services/timing/iso-time';
import { account, type Operation, operation, type Property } from './operation';

const month: Property = {
  type: 'string',
  pattern: '^2\\d{3}-(?:0[1-9]|1[0-2])$',
  description: 'Month in UTC, such as 2026-11; default: this one',
};
const mode: Property = {
  type: 'string',
  enum: ['live', 'test'],
  default: 'live',
  description: 'Mode of the keys',
};

interface MonthInput {
  readonly account: string;
  readonly month?: string;
  readonly mode: KeyMode;
}

const columns = ['time', 'kind', 'operation', 'product', 'group', 'mode', 'keyId', 'month', 'day'] as const;

/** The columns that invoices need. `time` is when the entry was written; `month` and `day` are billed. */
const rowOf = (entry: LedgerEntry) => ({
  time: isoTime(Number(entry.id.split('-')[0])),
  kind: entry.kind,
  operation: entry.item,
  product: entry.product,
  group: entry.group,
  mode: entry.mode,
  keyId: entry.keyId,
  month: entry.month,
  day: entry.day,
});

const formats = {
  ndjson: {
    mediaType: 'application/x-ndjson',
    head: '',
    line: (entry: LedgerEntry) => `${JSON.stringify(rowOf(entry))}\n`,
  },
  csv: {
    mediaType: 'text/csv; charset=utf-8',
    head: `${columns.join()}\n`,
    // All values are ids, numbers and fixed words, so none needs quotes.
    line: (entry: LedgerEntry) => {
      const row = rowOf(entry);
      return `${columns.map((name) => row[name]).join()}\n`;
    },
  },
};
type Format = keyof typeof formats;

async function* linesOf(format: Format, entries: AsyncIterable<LedgerEntry>): AsyncGenerator<string> {
  const { line } = formats[format];
  let { head } = formats[format];
  // Wait for the first entry before the heading, because until then a failure can still become an error response.
  for await (const entry of entries) {
    yield head + line(entry);
    head = '';
  }
  if (head) yield head;
}

export const usageOperations: readonly Operation[] = [
  operation<MonthInput>({
    id: 'usage show',
    summary: 'Shows what an account used in a month, by product and day, what it costs, and a forecast',
    http: ['GET', '/accounts/:account/usage'],
    properties: { account, month, mode },
    required: ['account'],
    changes: false,
    run: async ({ keys, usage }, { account, mode, month: asked }) => {
      const now = Date.now();
      const month = asked ?? monthOf(now);
      const shownAccount = await keys.findAccount(account);
      const counters = await usage.readMonth(account, mode, month);
      const period = { mode, month, now };
      return {
        ...usageReport(shownAccount, counters, period),
        products: productsUsed(counters.products),
        forecast: forecastOf(shownAccount, counters, period),
      };
    },
  }),
  operation<MonthInput>({
    id: 'usage verify',
    summary: 'Adds up the ledger of a month and compares it with the counters; exit code 1 where they differ',
    isAlarm: (result) => !(result as { matches: boolean }).matches,
    http: ['GET', '/accounts/:account/usage/verification'],
    isSearch: () => true,
    properties: { account, month, mode },
    required: ['account'],
    changes: false,
    run: async ({ keys, usage }, { account, mode, month = monthOf(Date.now()) }) => {
      await keys.findAccount(account);
      return verifyMonth(usage, { accountId: account, mode, month });
    },
  }),
  operation<{ account: string; month?: string; format: Format }>({
    id: 'usage export',
    summary: 'Writes the ledger of a month, a line for each unit: for invoices, or to look into one',
    http: ['GET', '/accounts/:account/ledger'],
    isSearch: () => true,
    properties: {
      account,
      month,
      format: {
        type: 'string',
        enum: ['ndjson', 'csv'],
        default: 'ndjson',
        description: 'How it is written',
      },
    },
    required: ['account'],
    changes: false,
    run: async ({ keys, usage }, { account, format, month = monthOf(Date.now()) }) => {
      await keys.findAccount(account);
      await requireLedger(usage, account, month);
      const { mediaType } = formats[format];
      const fileName = `ledger-${month}.${format}`;
      return { mediaType, fileName, lines: linesOf(format, usage.readLedger(account, month)) };
    },
  }),
  operation<{ account: string; before: string }>({
    id: 'usage trim',
    summary:
      'Removes the ledger of the months before one, to make room in Redis: export it first. Bills stay',
    http: ['DELETE', '/accounts/:account/ledger'],
    properties: {
      account,
      before: { ...month, description: 'First month in UTC that stays, such as 2026-11: this one at most' },
    },
    required: ['account', 'before'],
    changes: true,
    run: async ({ keys, usage }, { account, before }) => {
      await keys.findAccount(account);
      return trimLedger(usage, { accountId: account, before, now: Date.now() });
    },
  }),
];
