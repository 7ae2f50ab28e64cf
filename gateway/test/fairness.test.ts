/**
 * Every loop that serves several accounts, with much work of one account that hangs: the work of another account, which
 * comes after it, is done while the first still hangs.
 */

import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { mailboxMailer } from '../src/console/mailers';
import { Erasure, type ErasureServices } from '../src/services/accounts/erasure';
import { type InvoiceServices, Invoices } from '../src/services/billing/invoices';
import { StripePayments, type StripeServices } from '../src/services/billing/stripe-payments';
import { type UsageAlertServices, UsageAlerts } from '../src/services/billing/usage-alerts';
import type { SessionAddress } from '../src/services/liveness/session/session-store';
import { SessionSweeper, type SweeperServices } from '../src/services/liveness/session/sweeper';
import { OutboxPublisher, type OutboxPublisherServices } from '../src/services/webhooks/outbox-publisher';

const hanging = 'acc_hanging';
const healthy = 'acc_healthy';
/** More than any loop does at once. */
const many = 300;

/** The work of an account, which the loop awaits. */
type Work = (accountId: string) => Promise<void>;
interface Loop {
  /** Begins all work of the account that hangs, then that of the other one. */
  begin(work: Work): unknown;
}

const accountOf = (id: string) => ({ id, name: id, plan: 'growth', createdAt: 0, payment });
const payment = { customerId: 'cus_1', subscriptionId: 'sub_1', plan: 'basic' };
const listAccounts = async () => ({ items: [accountOf(hanging), accountOf(healthy)] });
const acquireLease = async () => true;
const entryOf = (accountId: string, at: number) => ({ entryId: String(at), event: { accountId } });

/** Sweeps once with the sessions of the account that hangs, and once with those of both. */
async function sweep(work: Work, session: object): Promise<void> {
  const due: SessionAddress[] = Array.from({ length: many }, (_, at) => ({
    accountId: hanging,
    sessionId: `ses_${at}`,
  }));
  const act = ({ accountId }: SessionAddress) => work(accountId);
  const sweeper = new SessionSweeper({
    store: { acquireLease, due: () => Readable.from(due), find: async () => session, rejoin: async () => {} },
    sessions: { expire: async () => false, abandon: async () => false },
    rejudge: act,
    advance: act,
    onError: fail,
  } as unknown as SweeperServices);
  await sweeper.sweep(1);
  due.push({ accountId: healthy, sessionId: 'ses_healthy' });
  await sweeper.sweep(1);
}

/** @param outbox of the account that hangs: how its entries are read. */
function publisher(work: Work, readHanging: (limit: number) => Promise<object[]>): OutboxPublisher {
  let isEmpty = false;
  let polls = 0;
  return new OutboxPublisher({
    outbox: {
      acquireLease,
      *accounts() {
        polls++;
        yield hanging;
        if (polls > 1) yield healthy;
      },
      async read(id: string, limit: number) {
        if (id === hanging) return readHanging(limit);
        if (limit > 1) await work(id);
        return isEmpty ? [] : [entryOf(id, 0)];
      },
      async remove(id: string) {
        if (id === healthy) isEmpty = true;
      },
    },
    endpoints: { listEndpoints: async () => [] },
    accounts: { findAccount: async () => undefined },
    queue: { add: async () => {} },
    log: { begin: async () => {} },
    onError: fail,
  } as unknown as OutboxPublisherServices);
}

function fail(error: Error): never {
  throw error;
}

const loops: Readonly<Record<string, Loop>> = {
  'steps of sessions with a test outcome': { begin: (work) => sweep(work, { stepMs: 1 }) },
  'repeated checks of sessions': { begin: (work) => sweep(work, { status: 'checking' }) },
  'notifications of new events': {
    begin(work) {
      const all = publisher(work, async () => {
        await work(hanging);
        return [];
      });
      for (let at = 0; at < many; at++) all.notify(hanging);
      all.notify(healthy);
    },
  },
  'an outbox without an end': {
    begin(work) {
      let read = 0;
      const full = Array.from({ length: 100 }, (_, at) => entryOf(hanging, at));
      const all = publisher(work, async () => {
        read++;
        // The store leaves time for other work in the same way.
        await setImmediate();
        if (read < 10_000) return full;
        await work(hanging);
        return [];
      });
      for (let at = 0; at < many; at++) all.notify(hanging);
      all.notify(healthy);
    },
  },
  'the poll of outboxes': {
    async begin(work) {
      const all = publisher(work, async (limit) => {
        if (limit > 1) await work(hanging);
        return limit > 1 ? [] : [entryOf(hanging, 0)];
      });
      await all.poll(1);
      await all.poll(1);
    },
  },
  'alerts of usage': {
    begin: (work) =>
      new UsageAlerts({
        store: {
          acquireLease,
          accounts: () => [hanging, healthy],
          readUsed: async (id: string) => {
            await work(id);
            return { imageAnalysis: 0, livenessDetection: 0 };
          },
        },
        now: Date.now,
      } as unknown as UsageAlertServices).round(1),
  },
  invoices: {
    begin: (work) =>
      new Invoices({
        store: {
          acquireLease,
          closedMonth: async () => undefined,
          close: async () => {},
          find: async () => ({ status: 'stripe' }),
          isCharged: async () => false,
          setCharged: async () => {},
        },
        accounts: { listAccounts },
        charge: ({ id }: { id: string }) => work(id),
        now: Date.now,
      } as unknown as InvoiceServices).round(1),
  },
  'subscriptions at Stripe': {
    begin: (work) =>
      new StripePayments({
        acquireLease,
        prices: { growth: 'price_1' },
        invoices: { closedMonth: async () => undefined },
        client: async () => ({
          subscriptions: { retrieve: async () => ({ items: { data: [] } }), update: async () => {} },
        }),
        accounts: { listAccounts, updateAccount: (id: string) => work(id) },
      } as unknown as StripeServices).round(1),
  },
  'erasures of accounts': {
    begin: (work) =>
      new Erasure({
        store: {
          acquireLease,
          due: async () => [accountOf(hanging), accountOf(healthy)],
          end: async () => {},
        },
        eraser: { erase: ({ id }: { id: string }) => work(id) },
        audit: { erase: async () => 0 },
        identity: { now: Date.now },
        files: { rewriteSoon: async () => {} },
      } as unknown as ErasureServices).sweep(1),
  },
  mails: {
    begin(work) {
      const keep = ({ to }: { to: string }) => work(to.includes(hanging) ? hanging : healthy);
      const observer = { logger: { error: () => {} }, onMail: () => {} };
      const mailer = mailboxMailer({ keep } as never, observer as never);
      const mailTo = (id: string) => mailer.send({ to: `person@${id}.example`, subject: '', text: '' });
      for (let at = 0; at < 10 * many; at++) mailTo(hanging);
      mailTo(healthy);
    },
  },
};

const newEvent = () => {
  let happen = () => {};
  const happened = new Promise<void>((resolve) => {
    happen = resolve;
  });
  return { happen, happened };
};

test.each(Object.entries(loops))('%s: work that hangs delays no other account', async (_name, { begin }) => {
  const end = newEvent();
  const served = newEvent();
  const begun = Promise.resolve(
    begin(async (accountId) => {
      if (accountId === hanging) await end.happened;
      else served.happen();
    }),
  );
  await Promise.race([served.happened, begun.then(() => served.happened)]);
  end.happen();
  await begun;
});
