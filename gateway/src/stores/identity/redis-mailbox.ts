import type { Vault } from '../../crypto/vault';
import type { Mail } from '../../services/identity/mail';
import { consoleKey } from '../console-key';
import { type RedisClient, unavailable } from '../redis';

export interface KeptMail extends Mail {
  /** Milliseconds since 1970. */
  readonly at: number;
}

const mailbox = consoleKey('mailbox');
const most = 200;
/** As long as the link that works longest. */
const retentionMs = 7 * 24 * 60 * 60 * 1_000;

/** The newest mails of a service without a mail server, sealed because their links open accounts. */
export class RedisMailbox {
  constructor(
    private readonly redis: RedisClient,
    private readonly vault: Vault,
  ) {}

  async keep(mail: KeptMail): Promise<void> {
    await this.redis
      .multi()
      .lpush(mailbox, this.vault.seal(JSON.stringify(mail), mailbox))
      .ltrim(mailbox, 0, most - 1)
      .pexpire(mailbox, retentionMs)
      .exec()
      .catch(unavailable);
  }

  async state(): Promise<{ readonly count: number; readonly newestAt?: number }> {
    const [count, [newest]] = await Promise.all([this.redis.llen(mailbox).catch(unavailable), this.list(1)]);
    return { count, ...(newest && { newestAt: newest.at }) };
  }

  /** Removes the mails to an address. @returns how many there were */
  async forget(email: string): Promise<number> {
    const sealed = await this.redis.lrange(mailbox, 0, -1).catch(unavailable);
    const theirs = sealed.filter((one) => (JSON.parse(this.vault.open(one, mailbox)) as Mail).to === email);
    await Promise.all(theirs.map((one) => this.redis.lrem(mailbox, 1, one))).catch(unavailable);
    return theirs.length;
  }

  /** Newest first. */
  async list(limit: number): Promise<KeptMail[]> {
    const sealed = await this.redis.lrange(mailbox, 0, limit - 1).catch(unavailable);
    return sealed.map((one) => JSON.parse(this.vault.open(one, mailbox)) as KeptMail);
  }
}
