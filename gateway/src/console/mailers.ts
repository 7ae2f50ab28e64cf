/**
 * How the console's mails leave: after the response, whose time would otherwise reveal that there is one. A failure is
 * logged, without the mail: its link opens an account.
 */
import { createTransport } from 'nodemailer';
import type { Logger } from 'pino';
import { describe } from '../errors';
import type { Mailer } from '../services/identity/mail';
import type { RedisMailbox } from '../stores/identity/redis-mailbox';

/** Mails that wait for the server at once. More are dropped, because the person can ask for another. */
const mostWaiting = 1_000;
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/** @param url of the mail server, with its password. @param from the sender */
export function smtpMailer(url: string, from: string, logger: Logger): Mailer & { close(): void } {
  const transport = createTransport({ url, pool: true, ...timeouts }, { from });
  let waiting = 0;
  return {
    send(mail) {
      if (waiting >= mostWaiting) {
        logger.error('a mail was dropped, because too many wait for the mail server');
        return;
      }
      waiting++;
      setImmediate(() => {
        transport
          .sendMail(mail)
          .catch((error: Error) => logger.error({ err: describe(error) }, 'a mail could not be sent'))
          .finally(() => waiting--);
      });
    },
    close: () => transport.close(),
  };
}

/** Keeps mails where operators read them. */
export const mailboxMailer = (mailbox: Pick<RedisMailbox, 'keep'>, logger: Logger): Mailer => ({
  send(mail) {
    setImmediate(() => {
      mailbox
        .keep({ ...mail, at: Date.now() })
        .catch((error: Error) => logger.error({ err: describe(error) }, 'a mail could not be kept'));
    });
  },
});
