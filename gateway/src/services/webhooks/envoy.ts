/** Takes one event to one endpoint, once: reads what it says, signs it and sends it. */
import type { Vault } from '../vault';
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
  readonly timeoutMs: number;
  /** Whether the answer counts with its body. */
  readonly withBody?: boolean;
}

/** Signs and sends. */
export class Courier {
  constructor(private readonly services: CourierServices) {}

  /** @throws Error when the endpoint's secret was sealed with another KEY_SECRET */
  async carry(
    { accountId, eventId }: Pick<SessionEvent, 'accountId' | 'eventId'>,
    endpoint: WebhookEndpoint,
    body: Buffer,
    errand: Errand,
  ): Promise<PostResult> {
    const { sender, vault, now } = this.services;
    const sentAt = now();
    const secrets = secretsOf(vault, accountId, endpoint, sentAt);
    const headers = signatureHeaders({ eventId, sentAt, body, secrets });
    return sender.post({ url: endpoint.url, headers, body, ...errand });
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
