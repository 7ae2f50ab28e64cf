/** Delivers one event to one endpoint: reads what it says, signs it and sends it. */
import type { Vault } from '../../crypto/vault';
import { bodyOf } from './body';
import { secretsOf, type WebhookEndpoint } from './endpoints';
import type { SessionEvent, SessionReader } from './events';
import type { PostResult, Sender } from './sender';
import { signatureHeaders } from './signature';

export interface CourierServices {
  readonly sender: Sender;
  readonly vault: Vault;
  readonly now: () => number;
}

export interface Errand {
  /** Over all requests of the delivery. */
  readonly timeoutMs: number;
  /** Whether the response counts with its body. */
  readonly withBody?: boolean;
}

/** What receivers answer to a signature they cannot verify: 401 as documented; others follow samples that say 400 or 403. */
const signatureRefusals: readonly (number | undefined)[] = [400, 401, 403];

/** Signs and sends. */
export class Courier {
  constructor(private readonly services: CourierServices) {}

  /**
   * Sends one request, and more only while a secret is being replaced. webhook-signature always carries a signature of
   * each secret, but X-Presenza-Signature has room for one digest: the oldest secret signs it first, which is the one
   * that every receiver had before the roll. A receiver that refuses it may have a newer secret, and is sent the same
   * event again at once, signed with that one. So the plain header verifies with either secret, under its own name and in
   * its documented form, and receivers need no code for it.
   * @returns the last response; tookMs is the time of all requests
   * @throws Error when the endpoint's secret was sealed with another KEY_SECRET
   */
  async carry(
    { accountId, eventId }: Pick<SessionEvent, 'accountId' | 'eventId'>,
    endpoint: WebhookEndpoint,
    body: Buffer,
    { timeoutMs, ...errand }: Errand,
  ): Promise<PostResult> {
    const { sender, vault, now } = this.services;
    const secrets = secretsOf(vault, accountId, endpoint, now());
    const post = (secret: string, leftMs: number) => {
      const others = secrets.filter((other) => other !== secret);
      const headers = signatureHeaders({ eventId, sentAt: now(), body, secrets: [secret, ...others] });
      return sender.post({ url: endpoint.url, headers, body, ...errand, timeoutMs: leftMs });
    };
    const [oldest, ...newer] = secrets;
    let result = await post(oldest, timeoutMs);
    for (const secret of newer) {
      const leftMs = timeoutMs - result.tookMs;
      if (!signatureRefusals.includes(result.status) || leftMs <= 0) break;
      const next = await post(secret, leftMs);
      result = { ...next, tookMs: result.tookMs + next.tookMs };
    }
    return result;
  }
}

export class Envoy {
  constructor(
    private readonly courier: Courier,
    private readonly sessions: SessionReader,
  ) {}

  /** @throws AppError SERVICE_UNAVAILABLE when the session cannot be read; Error as `Courier.carry` does */
  async send(event: SessionEvent, endpoint: WebhookEndpoint, errand: Errand): Promise<PostResult> {
    const details = await this.sessions.readDetails(event.accountId, event.sessionId);
    return this.courier.carry(event, endpoint, bodyOf(event, details), errand);
  }
}

/** Whether a receiver took an event: any 2xx, and nothing else. Redirects are not followed. */
export const wasTaken = ({ status = 0 }: PostResult) => status >= 200 && status < 300;
