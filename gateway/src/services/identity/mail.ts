/** The mails of the console, as plain text. Their sentences are in mails.json. */
import brand from '@presenza/contract/brand.json';
import texts from './mails.json';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface Mailer {
  /**
   * Hands a mail over. It returns at once and never fails, so that the time of a response does not reveal whether a mail was
   * sent; a failure is logged, without the mail.
   */
  send(mail: Mail): void;
}

/** The fate of a mail: the mail server took it, the mailbox has it, it failed, or too many waited. */
export type MailOutcome = 'sent' | 'kept' | 'failed' | 'dropped';

export type MailName = keyof typeof texts;

/** @param values for `{name}` in the texts; `{brand}` is known. */
export function mailOf(name: MailName, to: string, values: Readonly<Record<string, string>> = {}): Mail {
  const { subject, lines } = texts[name];
  const filled = (text: string) =>
    text.replace(/\{(\w+)\}/g, (_, key: string) => ({ brand: brand.name, ...values })[key] ?? '');
  return { to, subject: filled(subject), text: `${lines.map(filled).join('\n\n')}\n` };
}
