/** Asks synchronous endpoints for a decision, which may change the course of a session. */
import limits from '@presenza/contract/limits.json';
import Ajv2020 from 'ajv/dist/2020';
import { schemas } from '../contract/contract';
import { addFormats } from '../contract/formats';
import type { AccountStore } from '../keys/accounts';
import type { Decision, SessionEvent, SyncWebhooks } from '../liveness/session/events';
import { type DeliveryLog, newRecord, withAttempt } from './delivery-log';
import { type EventDispatcher, isAccepted } from './dispatcher';
import { includesSync, subscribes, type WebhookEndpoint, type WebhookStore } from './endpoints';
import type { PostResult } from './sender';

const deadlineMs = 1000 * limits.webhooks.syncDeadlineSeconds;

interface Acknowledgement {
  readonly status: 'received';
  readonly decision?: Decision['decision'];
  readonly redirectUrl?: string;
}

const ajv = new Ajv2020({ strict: true, validateSchema: false }); // as in middleware/validate.ts
addFormats(ajv);
ajv.addSchema(schemas.get('webhook-decision.json') as object);
const isAcknowledgement = ajv.compile<Acknowledgement>(schemas.get('webhook-acknowledgement.json') as object);

export interface SyncWebhookServices {
  readonly endpoints: Pick<WebhookStore, 'listEndpoints'>;
  readonly accounts: Pick<AccountStore, 'findAccount'>;
  readonly dispatcher: EventDispatcher;
  readonly log: DeliveryLog;
  readonly now: () => number;
  /** @param why a failure, a status or `response`, without details of the response. */
  readonly onFallback: (event: SessionEvent, webhookId: string, why: string) => void;
}

export class SyncWebhookService implements SyncWebhooks {
  constructor(private readonly services: SyncWebhookServices) {}

  async decide(event: SessionEvent): Promise<Decision> {
    const { endpoints, accounts } = this.services;
    const { accountId, eventType } = event;
    const end = this.services.now() + deadlineMs;
    const asked = (await endpoints.listEndpoints(accountId)).filter(
      (endpoint) => endpoint.type === 'sync' && subscribes(endpoint, event),
    );
    if (asked.length === 0) return { decision: 'continue' };
    const account = await accounts.findAccount(accountId);
    if (!account || !includesSync(account.plan)) return { decision: 'continue' };
    const decisions = await Promise.all(asked.map((endpoint) => this.ask(event, endpoint, end)));
    return strongest(decisions, eventType === 'session.started');
  }

  private async ask(event: SessionEvent, endpoint: WebhookEndpoint, end: number): Promise<Decision> {
    const { dispatcher, now, onFallback } = this.services;
    const options = { timeoutMs: Math.max(1, end - now()), withBody: true };
    // Errors count as a missing response, because the user waits for a decision.
    const result = await dispatcher.dispatch(event, endpoint, options).catch(() => undefined);
    const acknowledgement = result && acknowledgementIn(result);
    if (!result || !acknowledgement) {
      onFallback(event, endpoint.id, reasonOf(result));
      return { decision: endpoint.onFailure ?? 'continue' };
    }
    await this.log(event, endpoint, result);
    const { decision = 'continue', redirectUrl } = acknowledgement;
    return { decision, ...(decision === 'redirect' && redirectUrl !== undefined && { redirectUrl }) };
  }

  /** Logs the event as delivered. If that fails, the endpoint gets the event once more under the same id. */
  private async log(event: SessionEvent, { id }: WebhookEndpoint, result: PostResult): Promise<void> {
    const { log, now } = this.services;
    const record = { ...newRecord({ ...event, webhookId: id }), state: 'delivered' } as const;
    await log.write(event.accountId, withAttempt(record, now(), result), 'well').catch(() => {});
  }
}

function reasonOf(result: PostResult | undefined): string {
  if (!result) return 'session';
  return isAccepted(result) ? 'response' : (result.failure ?? String(result.status));
}

function acknowledgementIn(result: PostResult): Acknowledgement | undefined {
  if (!isAccepted(result)) return undefined;
  const value = parsed(result.body);
  return isAcknowledgement(value) ? value : undefined;
}

function parsed(body: Buffer | undefined): unknown {
  try {
    return JSON.parse(body?.toString('utf8') ?? '');
  } catch {
    return undefined;
  }
}

/** `reject` wins over `redirect`; of several redirects, the one of the oldest endpoint wins. */
function strongest(decisions: readonly Decision[], mayReject: boolean): Decision {
  const reject = decisions.find(({ decision }) => decision === 'reject');
  if (mayReject && reject) return reject;
  return decisions.find(({ decision }) => decision === 'redirect') ?? { decision: 'continue' };
}
