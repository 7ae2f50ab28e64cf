/**
 * How the console's mails leave: after the response, whose time would otherwise reveal that there is one. A failure is
 * logged, without the mail: its link opens an account.
 */
import { setImmediate } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import type { Logger } from 'pino';
import { FairSlots } from '../async/fair-slots';
import { Lanes } from '../async/lanes';
import { waitAtMost } from '../async/wait-at-most';
import { describe } from '../errors/explain';
import type { Mail, Mailer, MailOutcome } from '../services/identity/mail';
import type { RedisMailbox } from '../stores/identity/redis-mailbox';

/**
 * Mails that may wait for the server at once. The recipients' domains share these places. More mails are dropped, because
 * the person can ask for another.
 */
const mostWaiting = 1_000;
/** A mail server may hold a connection while it asks the one of the recipient's domain. */
const connections = 8;
/** Less than the gateway has to settle after its drain. */
const closeMs = 4_000;
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

export interface MailObserver {
  readonly logger: Pick<Logger, 'error'>;
  readonly onMail: (outcome: MailOutcome) => void;
}

export interface ClosableMailer extends Mailer {
  /** Resolves once every mail has left or failed, or after some seconds. */
  close(): Promise<void>;
}

/** @param url of the mail server, with its password. @param from the sender */
export function smtpMailer(url: string, from: string, observer: MailObserver): ClosableMailer {
  const transport = createTransport({ url, pool: true, maxConnections: connections, ...timeouts }, { from });
  const { send, close } = mailer('sent', (mail) => transport.sendMail(mail), observer);
  return {
    send,
    async close() {
      // Its connections would keep the process alive.
      await waitAtMost(closeMs, close());
      transport.close();
    },
  };
}

/** Keeps mails where operators read them. */
export const mailboxMailer = (mailbox: Pick<RedisMailbox, 'keep'>, observer: MailObserver): ClosableMailer =>
  mailer('kept', (mail) => mailbox.keep({ ...mail, at: Date.now() }), observer);

function mailer(
  success: MailOutcome,
  deliver: (mail: Mail) => Promise<unknown>,
  { logger, onMail }: MailObserver,
): ClosableMailer {
  const places = new FairSlots(mostWaiting);
  const lanes = new Lanes(connections);
  const failed = (error: Error) => {
    onMail('failed');
    logger.error({ err: describe(error) }, `a mail could not be ${success}`);
  };
  return {
    send(mail) {
      const domain = domainOf(mail);
      if (!places.take(domain)) {
        onMail('dropped');
        logger.error('a mail was dropped, because too many wait for the mail server');
        return;
      }
      void lanes
        .run(domain, async () => {
          await setImmediate();
          await deliver(mail);
        })
        .then(() => onMail(success), failed)
        .finally(() => places.release(domain));
    },
    close: () => lanes.idle(),
  };
}

const domainOf = ({ to }: Mail): string => to.slice(to.lastIndexOf('@') + 1).toLowerCase();
