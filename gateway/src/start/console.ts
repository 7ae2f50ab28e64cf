import brand from '@presenza/contract/brand.json';
import type { Logger } from 'pino';
import type { AdminServices } from '../admin/operation';
import { type Config, consoleUrl } from '../config';
import type { ConsoleServices } from '../console/call';
import { type MailObserver, mailboxMailer, smtpMailer } from '../console/mailers';
import { GuessLimits } from '../services/identity/guess-limits';
import { type Identity, linksAt } from '../services/identity/identity';
import { identityVault } from '../services/identity/identity-vault';
import type { Mailer } from '../services/identity/mail';
import { MemberService } from '../services/identity/members';
import { Passwords } from '../services/identity/passwords';
import { Profile } from '../services/identity/profile';
import { SignIn } from '../services/identity/sign-in';
import { SignIns } from '../services/identity/sign-ins';
import { SignUp } from '../services/identity/sign-up';
import { Tickets } from '../services/identity/tickets';
import { RedisMailbox } from '../stores/identity/redis-mailbox';
import { RedisMembers } from '../stores/identity/redis-members';
import { RedisSignIns } from '../stores/identity/redis-sign-ins';
import { RedisTickets } from '../stores/identity/redis-tickets';
import { RedisUsers } from '../stores/identity/redis-users';
import type { RedisClient } from '../stores/redis';
import { RedisAttemptStore } from '../stores/redis-attempt-store';
import { requestLogDays } from '../stores/redis-request-log';
import type { Job } from './background-jobs';
import { type BillingConfig, type BillingParts, billingOn } from './billing';

export type ConsoleConfig = Pick<
  Config,
  'KEY_SECRET' | 'CONSOLE_URL' | 'VERIFY_URL' | 'SMTP_URL' | 'MAIL_FROM'
> &
  Partial<Pick<Config, 'REQUEST_LOG_ENTRIES'>> &
  BillingConfig;

export interface ConsoleParts {
  readonly admin: AdminServices;
  readonly logger: Logger;
  readonly now?: () => number;
  readonly onMail?: MailObserver['onMail'];
  /** In place of the configured one. */
  readonly mailer?: Mailer;
  readonly stripe?: BillingParts['stripe'];
}

/** The console's services, their periodic jobs, and how to let the mails leave that wait. */
export function consoleOn(
  redis: RedisClient,
  config: ConsoleConfig,
  { admin, logger, onMail = () => {}, now = Date.now, stripe, ...parts }: ConsoleParts,
): { readonly console: ConsoleServices; readonly jobs: readonly Job[]; close(): Promise<void> } {
  const { KEY_SECRET: secret, SMTP_URL, MAIL_FROM } = config;
  const vault = identityVault(secret);
  const url = consoleUrl(config);
  const observer = { logger, onMail };
  const own =
    SMTP_URL === ''
      ? mailboxMailer(new RedisMailbox(redis, vault), observer)
      : smtpMailer(SMTP_URL, MAIL_FROM, observer);
  const mailer = parts.mailer ?? own;
  const users = new RedisUsers(redis, vault, secret);
  const identity: Identity = {
    ...{ users, mailer, now, members: new RedisMembers(redis) },
    signIns: new SignIns(new RedisSignIns(redis), users, now),
    tickets: new Tickets(new RedisTickets(redis, vault)),
    passwords: new Passwords(),
    limits: new GuessLimits(new RedisAttemptStore(redis), secret),
    links: linksAt(url),
    origin: new URL(url).origin,
  };
  const { keys } = admin;
  const billing = billingOn(redis, config, { ...{ admin, identity, now }, ...(stripe && { stripe }) });
  const console = {
    ...{ identity, admin, keys, billing },
    signUp: new SignUp(identity, keys),
    signIn: new SignIn(identity),
    profile: new Profile(identity),
    members: new MemberService(identity, keys),
    settings: {
      brand: brand.name,
      smtp: SMTP_URL !== '',
      payments: billing.payments !== undefined,
      requestLogDays: config.REQUEST_LOG_ENTRIES === 0 ? 0 : requestLogDays,
    },
  };
  return { console, jobs: billing.jobs, close: () => own.close() };
}
