import brand from '@presenza/contract/brand.json';
import type { Logger } from 'pino';
import type { AdminServices } from '../admin/operation';
import { type Config, consoleUrl } from '../config';
import type { ConsoleServices } from '../console/call';
import { type MailObserver, mailboxMailer, smtpMailer } from '../console/mailers';
import { readPasswordList } from '../console/password-list';
import { Erasure } from '../services/accounts/erasure';
import { GuessLimits } from '../services/identity/guess-limits';
import { type Identity, linksAt } from '../services/identity/identity';
import { identityVault } from '../services/identity/identity-vault';
import { KnownClients } from '../services/identity/known-clients';
import type { Mailer } from '../services/identity/mail';
import { MemberService } from '../services/identity/members';
import { Passwords, passwordLength } from '../services/identity/passwords';
import { Profile } from '../services/identity/profile';
import { SignIn } from '../services/identity/sign-in';
import { SignIns } from '../services/identity/sign-ins';
import { SignUp } from '../services/identity/sign-up';
import { Tickets } from '../services/identity/tickets';
import { type EraserParts, RedisAccountEraser } from '../stores/accounts/redis-account-eraser';
import { RedisErasures } from '../stores/accounts/redis-erasures';
import { RedisInvoices } from '../stores/billing/redis-invoices';
import { RedisKnownAddresses } from '../stores/identity/redis-known-addresses';
import { RedisMailbox } from '../stores/identity/redis-mailbox';
import { RedisMembers } from '../stores/identity/redis-members';
import { RedisSignIns } from '../stores/identity/redis-sign-ins';
import { RedisTickets } from '../stores/identity/redis-tickets';
import { RedisUsers } from '../stores/identity/redis-users';
import type { RedisSessionKeys } from '../stores/liveness/redis-session-keys';
import type { RedisClient } from '../stores/redis';
import { RedisAttemptStore } from '../stores/redis-attempt-store';
import { RedisFiles } from '../stores/redis-files';
import { requestLogDays } from '../stores/redis-request-log';
import type { Job } from './background-jobs';
import { type BillingConfig, type BillingParts, createBilling } from './billing';

const sweepErasuresEveryMs = 60_000;

export type ConsoleConfig = Pick<
  Config,
  | 'KEY_SECRET'
  | 'CONSOLE_URL'
  | 'CONSOLE_SECOND_FACTOR'
  | 'CONSOLE_PASSWORD_LIST'
  | 'VERIFY_URL'
  | 'SMTP_URL'
  | 'MAIL_FROM'
> &
  Partial<Pick<Config, 'REQUEST_LOG_ENTRIES'>> &
  BillingConfig;

export interface ConsoleParts {
  readonly admin: AdminServices;
  readonly logger: Logger;
  readonly now?: () => number;
  readonly onMail?: MailObserver['onMail'];
  /** Replaces the configured mailer. */
  readonly mailer?: Mailer;
  /** Where the keys of liveness sessions are stored. Default: with the sessions */
  readonly sessionKeys?: RedisSessionKeys | undefined;
  readonly queue?: EraserParts['queue'];
  readonly stripe?: BillingParts['stripe'];
}

/** The console's services, their periodic jobs, and how to let the mails leave that wait. */
export function createConsole(
  redis: RedisClient,
  config: ConsoleConfig,
  { admin, logger, onMail = () => {}, now = Date.now, stripe, sessionKeys, queue, ...parts }: ConsoleParts,
): { readonly console: ConsoleServices; readonly jobs: readonly Job[]; close(): Promise<void> } {
  const { KEY_SECRET: secret, SMTP_URL, MAIL_FROM, CONSOLE_PASSWORD_LIST } = config;
  const vault = identityVault(secret);
  const url = consoleUrl(config);
  const observer = { logger, onMail };
  const configured =
    SMTP_URL === ''
      ? mailboxMailer(new RedisMailbox(redis, vault, secret), observer)
      : smtpMailer(SMTP_URL, MAIL_FROM, observer);
  const mailer = parts.mailer ?? configured;
  const users = new RedisUsers(redis, vault, secret);
  const identity: Identity = {
    users,
    mailer,
    now,
    members: new RedisMembers(redis),
    signIns: new SignIns(new RedisSignIns(redis, vault), users, now),
    tickets: new Tickets(new RedisTickets(redis, vault, secret)),
    passwords: new Passwords(readPasswordList(CONSOLE_PASSWORD_LIST)),
    limits: new GuessLimits(new RedisAttemptStore(redis), secret),
    clients: new KnownClients(new RedisKnownAddresses(redis), secret, now),
    links: linksAt(url),
    origin: new URL(url).origin,
  };
  const { keys } = admin;
  const billing = createBilling(redis, config, { admin, identity, now, ...(stripe && { stripe }) });
  const erasure = new Erasure({
    identity,
    accounts: keys,
    audit: admin.audit,
    operators: admin.operators,
    mailbox: admin.mailbox,
    isMailed: SMTP_URL !== '' || parts.mailer !== undefined,
    eraser: new RedisAccountEraser(redis, { sessionKeys, queue }),
    store: new RedisErasures(redis, vault),
    files: new RedisFiles(redis),
    invoices: new RedisInvoices(redis),
    payments: billing.payments,
  });
  const console = {
    identity,
    admin,
    keys,
    billing,
    signUp: new SignUp(identity, keys),
    signIn: new SignIn(identity),
    profile: new Profile(identity, admin.operators),
    members: new MemberService(identity),
    erasure,
    settings: {
      brand: brand.name,
      smtp: SMTP_URL !== '',
      payments: billing.payments !== undefined,
      selfServicePlans: billing.payments === undefined && config.SELF_SERVICE_PLANS === 'on',
      secondFactor: config.CONSOLE_SECOND_FACTOR,
      passwordLength,
      requestLogDays: config.REQUEST_LOG_ENTRIES === 0 ? 0 : requestLogDays,
    },
  };
  const eraseAgain: Job = {
    name: 'sweep of erasures',
    everyMs: sweepErasuresEveryMs,
    run: (everyMs) => erasure.sweep(everyMs),
  };
  return { console, jobs: [...billing.jobs, eraseAgain], close: () => configured.close() };
}
