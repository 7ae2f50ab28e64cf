/** The parts that the services about people share. */
import type { GuessLimits } from './guess-limits';
import type { KnownClients } from './known-clients';
import type { Mailer } from './mail';
import type { MemberStore } from './member-store';
import type { Passwords } from './passwords';
import type { SignIns } from './sign-ins';
import type { TicketKind, Tickets } from './tickets';
import type { UserStore } from './users';

/** Addresses of the console's pages. */
export interface Links {
  /** The page that uses a ticket. The secret is in the fragment, which browsers keep to themselves. */
  ticket(kind: Extract<TicketKind, 'signUp' | 'reset' | 'newEmail' | 'invitation'>, secret: string): string;
  readonly signIn: string;
  readonly usage: string;
  readonly billing: string;
}

export interface Identity {
  readonly users: UserStore;
  readonly members: MemberStore;
  readonly signIns: SignIns;
  readonly tickets: Tickets;
  readonly passwords: Passwords;
  readonly limits: GuessLimits;
  readonly clients: KnownClients;
  readonly mailer: Mailer;
  readonly links: Links;
  /** The console's origin, which passkeys are bound to. */
  readonly origin: string;
  readonly now: () => number;
}

const pages = {
  signUp: 'sign-up/confirm',
  reset: 'reset/confirm',
  newEmail: 'profile/email',
  invitation: 'join',
} as const;

/** @param url of the console, without a slash at the end */
export const linksAt = (url: string): Links => ({
  ticket: (kind, secret) => `${url}/${pages[kind]}#${secret}`,
  signIn: `${url}/sign-in`,
  usage: `${url}/usage`,
  billing: `${url}/billing`,
});
