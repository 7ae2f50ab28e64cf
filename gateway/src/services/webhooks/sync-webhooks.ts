/** Asks synchronous endpoints for a decision, which may change the course of a session. */
import limits from '@presenza/contract/limits.json';
import Ajv2020 from 'ajv/dist/2020';
import { schemas } from '../contract/contract';
import { addFormats } from '../contract/formats';
import type { AccountStore } from '../keys/accounts';
import type { Decision, SessionEvent, SyncWebhooks } from '../liveness/session/events';
import {
  type DecisionFailure,
  type DecisionRecord,
  type DeliveryLog,
  lastingPartsOf,
  newRecord,
  type ResponseFault,
  withAttempt,
} from './delivery-log';
import { type EventDispatcher, isAccepted } from './dispatcher';
import { decides, fallbackOf, includesSync, type WebhookEndpoint, type WebhookStore } from './endpoints';
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
  /** @param why a failure, or a status, without details of the response. */
  readonly onFallback: (event: SessionEvent, webhookId: string, why: string) => void;
}

export class SyncWebhookService implements SyncWebhooks {
  constructor(private readonly services: SyncWebhookServices) {}

  async decide(event: SessionEvent): Promise<Decision> {
    const { endpoints, accounts } = this.services;
    const { accountId } = event;
    const end = this.services.now() + deadlineMs;
    const asked = (await endpoints.listEndpoints(accountId)).filter((endpoint) => decides(endpoint, event));
    if (asked.length === 0) return { decision: 'continue' };
    const account = await accounts.findAccount(accountId);
    if (!account || !includesSync(account.plan)) return { decision: 'continue' };
    const decisions = await Promise.all(asked.map((endpoint) => this.ask(event, endpoint, end)));
    return strongest(decisions, mayReject(event));
  }

  private async ask(event: SessionEvent, endpoint: WebhookEndpoint, end: number): Promise<Decision> {
    const { now, onFallback } = this.services;
    const at = now();
    const result = endpoint.disabled ? undefined : await this.request(event, endpoint, end - at);
    const reading = result === undefined ? { failure: 'unavailable' as const } : readingOf(result);
    if ('decision' in reading) {
      await this.log(event, endpoint, { at, result, decision: { decision: reading.decision } });
      return reading;
    }
    const failed = endpoint.disabled ? { failure: 'disabled' as const } : reading;
    const decision = mayReject(event) ? fallbackOf(endpoint) : 'continue';
    onFallback(event, endpoint.id, reasonOf(failed));
    await this.log(event, endpoint, { at, result, decision: { decision, ...failed } });
    return { decision };
  }

  /** An error counts as a missing response, because the user waits for a decision. */
  private request(
    event: SessionEvent,
    endpoint: WebhookEndpoint,
    leftMs: number,
  ): Promise<PostResult | undefined> {
    const options = { timeoutMs: Math.max(1, leftMs), withBody: true };
    return this.services.dispatcher.dispatch(event, endpoint, options).catch(() => undefined);
  }

  /**
   * Logs a decision with its request. After a failure, the delivery stays pending, because the endpoint gets the event
   * asynchronously; a disabled one gets nothing. If the log fails after a success, the endpoint gets the event once more
   * under the same id.
   */
  private async log(event: SessionEvent, { id: webhookId }: WebhookEndpoint, asked: Asked): Promise<void> {
    const { log } = this.services;
    const { at, result, decision } = asked;
    const delivery = newRecord({ ...event, webhookId });
    const record = { ...(result ? withAttempt(delivery, at, result) : delivery), decision };
    const write = async () => {
      if (decision.failure === undefined) {
        await log.write(event.accountId, { ...record, state: 'delivered' }, 'well');
      } else if (decision.failure === 'disabled') {
        await log.write(event.accountId, { ...record, state: 'dead', failure: 'disabled' });
      } else if ((await log.find(event.accountId, delivery.id))?.state !== 'delivered') {
        // The same event may be decided twice at once: a user opens the page in two tabs.
        await log.write(event.accountId, { ...delivery, ...lastingPartsOf(record) });
      }
    };
    await write().catch(() => {});
  }
}

interface Asked {
  /** When, in milliseconds since 1970. */
  readonly at: number;
  readonly result: PostResult | undefined;
  readonly decision: DecisionRecord;
}

type Failed = Omit<DecisionRecord, 'decision'> & { readonly failure: DecisionFailure };

/** For the log of the service: a failure, or the status of the response. */
const reasonOf = ({ failure, status }: Failed): string => (failure === 'status' ? String(status) : failure);

/** On other events, it is too late to reject the session. */
const mayReject = ({ eventType }: SessionEvent): boolean => eventType === 'session.started';

/** The decision in a response, or why there is none. */
function readingOf(result: PostResult): Decision | Failed {
  const { status, failure } = result;
  if (status === undefined || failure) return { failure: failure ?? 'connection' };
  if (!isAccepted(result)) return { failure: 'status', status };
  const value = parsed(result.body);
  if (!isAcknowledgement(value))
    return { failure: 'response', status, fault: faultOf(isAcknowledgement.errors) };
  const { decision = 'continue', redirectUrl } = value;
  return { decision, ...(decision === 'redirect' && redirectUrl !== undefined && { redirectUrl }) };
}

/** The field at fault; the body if it is not an object, or no JSON. */
function faultOf(errors: typeof isAcknowledgement.errors): ResponseFault {
  const [{ instancePath = '', params = {} } = {}] = errors ?? [];
  const field = instancePath.split('/')[1] ?? params.missingProperty;
  return field === 'status' || field === 'decision' || field === 'redirectUrl' ? field : 'body';
}

function parsed(body: Buffer | undefined): unknown {
  try {
    return JSON.parse(body?.toString('utf8') ?? '');
  } catch {
    return undefined;
  }
}

/** `reject` wins over `redirect`; of several redirects, the one of the oldest endpoint wins. */
function strongest(decisions: readonly Decision[], canReject: boolean): Decision {
  const reject = decisions.find(({ decision }) => decision === 'reject');
  if (canReject && reject) return reject;
  return decisions.find(({ decision }) => decision === 'redirect') ?? { decision: 'continue' };
}
