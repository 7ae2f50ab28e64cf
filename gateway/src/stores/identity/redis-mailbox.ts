import type { Vault } from '../../crypto/vault';
import { finderOf } from '../../services/identity/email';
import type { Mail } from '../../services/identity/mail';
import type { KeptMail, Mailbox } from '../../services/identity/mailbox';
import { hashKey } from '../../services/keys/api-key';
import { consoleKey } from '../console-key';
import { type RedisClient, unavailable } from '../redis';

/** Sorted set: hashes of the addresses that have mails, by the time of the newest. */
const recipients = consoleKey('mailbox:recipients');
/** List: the mails to an address, newest first. */
const mailsKey = (recipient: string) => consoleKey(`mailbox:of:${recipient}`);
/** More than the limits on mails let anyone send to one address while a link of an hour works. */
const mostPerRecipient = 30;
/** More than the limits on mails let a few network addresses reach in a day. */
const mostRecipients = 5_000;
/** Mails are kept as long as the longest-lived link works. */
const retentionMs = 7 * 24 * 60 * 60 * 1_000;

/**
 * The newest mails of a service without a mail server, sealed because their links open accounts. Each recipient has room of
 * their own, so that mails to others do not displace them.
 */
export class RedisMailbox implements Mailbox {
  /** @param secret KEY_SECRET */
  constructor(
    private readonly redis: RedisClient,
    private readonly vault: Vault,
    private readonly secret: string,
  ) {}

  async keep(mail: KeptMail): Promise<void> {
    const { redis } = this;
    const recipient = this.recipientOf(mail.to);
    const key = mailsKey(recipient);
    await redis
      .multi()
      .lpush(key, this.vault.seal(JSON.stringify(mail), key))
      .ltrim(key, 0, mostPerRecipient - 1)
      .pexpire(key, retentionMs)
      .zadd(recipients, mail.at, recipient)
      .zremrangebyscore(recipients, '-inf', mail.at - retentionMs)
      .pexpire(recipients, retentionMs)
      .exec()
      .catch(unavailable);
    const oldest = await redis.zrange(recipients, '0', String(-1 - mostRecipients)).catch(unavailable);
    await Promise.all(oldest.map((address) => this.remove(address)));
  }

  async state(): Promise<{ readonly count: number; readonly newestAt?: number }> {
    const all = await this.newest(-1);
    const counts = await Promise.all(all.map((address) => this.redis.llen(mailsKey(address)))).catch(
      unavailable,
    );
    const [newest] = await this.list(1);
    const count = counts.reduce((sum, mails) => sum + mails, 0);
    return { count, ...(newest && { newestAt: newest.at }) };
  }

  async forget(email: string): Promise<number> {
    const { redis } = this;
    const isNamed = finderOf(email);
    const named = await Promise.all(
      (await this.newest(-1)).map(async (recipient) => {
        const key = mailsKey(recipient);
        const sealed = await redis.lrange(key, 0, -1).catch(unavailable);
        const theirs = sealed.filter((mail) => {
          const { to, subject, text } = JSON.parse(this.vault.open(mail, key)) as Mail;
          return [to, subject, text].some(isNamed);
        });
        await Promise.all(theirs.map((text) => redis.lrem(key, 1, text))).catch(unavailable);
        if (theirs.length > 0 && theirs.length === sealed.length) await this.remove(recipient);
        return theirs.length;
      }),
    );
    return named.reduce((sum, mails) => sum + mails, 0);
  }

  async list(limit: number, to?: string): Promise<KeptMail[]> {
    const from = to === undefined ? await this.newest(limit - 1) : [this.recipientOf(to)];
    const lists = await Promise.all(
      from.map(async (recipient) => {
        const key = mailsKey(recipient);
        const sealed = await this.redis.lrange(key, 0, limit - 1).catch(unavailable);
        return sealed.map((text) => JSON.parse(this.vault.open(text, key)) as KeptMail);
      }),
    );
    return lists
      .flat()
      .sort((a, b) => b.at - a.at)
      .slice(0, limit);
  }

  /** Recipients, that of the newest mail first. @param last position, from the end if it is negative */
  private newest(last: number): Promise<string[]> {
    return this.redis.zrevrange(recipients, 0, last).catch(unavailable);
  }

  private recipientOf(email: string): string {
    return hashKey(`mailbox ${email}`, this.secret);
  }

  private async remove(recipient: string): Promise<void> {
    await this.redis.multi().zrem(recipients, recipient).del(mailsKey(recipient)).exec().catch(unavailable);
  }
}
