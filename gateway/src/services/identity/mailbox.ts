import type { Mail } from './mail';

export interface KeptMail extends Mail {
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The mails of a service without a mail server. */
export interface Mailbox {
  keep(mail: KeptMail): Promise<void>;
  /** The number of mails, and the time of the newest in milliseconds since 1970. */
  state(): Promise<{ readonly count: number; readonly newestAt?: number }>;
  /** Newest first. @param to the only recipient, in the form of `emailOf` */
  list(limit: number, to?: string): Promise<KeptMail[]>;
  /**
   * Removes the mails that are addressed to an address or name it.
   * @param email in the form of `emailOf`
   * @returns how many there were
   */
  forget(email: string): Promise<number>;
}
