/** Dispatches events: signs a body and sends it to one endpoint. */

import type { Vault } from '../../crypto/vault';
import type { AccountStore } from '../keys/accounts';
import type { EventDetails } from '../liveness/session/events';
import { bodyOf } from './body';
import { secretsOf, type WebhookEndpoint } from './endpoints';
import type { WebhookEvent } from './events';
import type { PostResult, Sender } from './sender';
import { signatureHeaders } from './signature';

export interface DispatcherServices {
  readonly sender: Sender;
  readonly accounts: Pick<AccountStore, 'findAccount'>;
  readonly vault: Vault;
  readonly now: () => number;
}

export interface DispatchOptions {
  /** Limits all requests of the dispatch together. */
  readonly timeoutMs: number;
  /** Whether to return the response's body. */
  readonly withBody?: boolean;
}

/** Statuses of receivers that cannot verify a signature: 401 as documented, 400 and 403 by common samples. */
const signatureRejections: readonly (number | undefined)[] = [400, 401, 403];

export class Dispatcher {
  constructor(private readonly services: DispatcherServices) {}

  /**
   * Sends one request, and more only during the rotation of a secret. `webhook-signature` always carries a signature of
   * each secret, but X-Presenza-Signature has room for one digest: the oldest secret signs it first, because every
   * receiver had it before the rotation. If the receiver rejects that signature, it may already have a newer secret, so
   * the dispatcher sends the event again, signed with the next secret. Receivers therefore need no code for rotations.
   * @returns the last response; tookMs covers all requests.
   * @throws Error if the endpoint's secret was sealed with another KEY_SECRET, or the account cannot be read
   */
  async dispatch(
    { accountId, eventId }: Pick<WebhookEvent, 'accountId' | 'eventId'>,
    endpoint: WebhookEndpoint,
    body: Buffer,
    { timeoutMs, ...options }: DispatchOptions,
  ): Promise<PostResult> {
    const { sender, accounts, vault, now } = this.services;
    const secrets = secretsOf(vault, accountId, endpoint, now());
    // Each dispatch reads it again: an operator may have withdrawn the permission since the endpoint was created.
    const { localWebhooks = false } = (await accounts.findAccount(accountId)) ?? {};
    const post = (secret: string, leftMs: number) => {
      const others = secrets.filter((other) => other !== secret);
      const headers = signatureHeaders({ eventId, sentAt: now(), body, secrets: [secret, ...others] });
      return sender.post({
        ...options,
        url: endpoint.url,
        headers,
        body,
        localWebhooks,
        timeoutMs: leftMs,
      });
    };
    const [oldest, ...newer] = secrets;
    let result = await post(oldest, timeoutMs);
    for (const secret of newer) {
      const leftMs = timeoutMs - result.tookMs;
      if (!signatureRejections.includes(result.status) || leftMs <= 0) break;
      const next = await post(secret, leftMs);
      result = { ...next, tookMs: result.tookMs + next.tookMs };
    }
    return result;
  }
}

export interface SessionReader {
  /**
   * The details stay the same while the session lives, because retries of an event must not differ.
   * @returns undefined once the session's data is deleted or expired
   */
  readDetails(accountId: string, sessionId: string): Promise<EventDetails | undefined>;
}

/** Dispatches events, those of sessions with the details of their session. */
export class EventDispatcher {
  constructor(
    private readonly dispatcher: Dispatcher,
    private readonly sessions: SessionReader,
  ) {}

  /** @throws ApiError SERVICE_UNAVAILABLE if the session cannot be read; Error as `Dispatcher.dispatch` */
  async dispatch(
    event: WebhookEvent,
    endpoint: WebhookEndpoint,
    options: DispatchOptions,
  ): Promise<PostResult> {
    const { accountId, sessionId } = event;
    const details =
      sessionId === undefined ? undefined : await this.sessions.readDetails(accountId, sessionId);
    return this.dispatcher.dispatch(event, endpoint, bodyOf(event, details), options);
  }
}

/** Only a 2xx means that the receiver accepted the event. Redirects are not followed. */
export const isAccepted = ({ status = 0 }: PostResult) => status >= 200 && status < 300;
