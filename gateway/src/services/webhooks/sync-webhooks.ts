/** Synchronous endpoints: their answer is waited for, and may change what happens to a session. */
import limits from '@presenza/contract/limits.json';
import Ajv2020 from 'ajv/dist/2020';
import { schemas } from '../contract/contract';
import { addFormats } from '../contract/formats';
import type { Account } from '../keys/accounts';
import { type DeliveryLog, newRecord } from './deliveries';
import { includesSync, takes, type WebhookEndpoint, type WebhookStore } from './endpoints';
import { type Envoy, wasTaken } from './envoy';
import type { Decision, SessionEvent, SyncWebhooks } from './events';
import type { PostResult } from './sender';

const deadlineMs = 1000 * limits.webhooks.syncDeadlineSeconds;

interface Acknowledgement {
  readonly status: 'received';
  readonly decision?: Decision['decision'];
  readonly redirectUrl?: string;
}

const ajv = new Ajv2020({ strict: true, validateSchema: false }); // as in middleware/validate.ts
addFormats(ajv);
const isAcknowledgement = ajv.compile<Acknowledgement>(schemas.get('webhook-acknowledgement.json') as object);

export interface SyncWebhookServices {
  readonly endpoints: Pick<WebhookStore, 'listEndpoints'>;
  readonly accounts: { findAccount(id: string): Promise<Account | undefined> };
  readonly envoy: Envoy;
  readonly log: DeliveryLog;
  readonly now: () => number;
  /** @param why failure, status or `answer`: a word that tells nothing of the answer. */
  readonly onFallback: (event: SessionEvent, webhookId: string, why: string) => void;
}

export class SyncWebhookService implements SyncWebhooks {
  constructor(private readonly services: SyncWebhookServices) {}

  async decide(event: SessionEvent): Promise<Decision> {
    const { endpoints, accounts } = this.services;
    const { accountId, eventType } = event;
    const end = this.services.now() + deadlineMs;
    const asked = (await endpoints.listEndpoints(accountId)).filter(
      (endpoint) => endpoint.type === 'sync' && takes(endpoint, eventType),
    );
    if (asked.length === 0) return { decision: 'continue' };
    const account = await accounts.findAccount(accountId);
    if (!account || !includesSync(account.plan)) return { decision: 'continue' };
    const answers = await Promise.all(asked.map((endpoint) => this.ask(event, endpoint, end)));
    return strongest(answers, eventType === 'session.started');
  }

  private async ask(event: SessionEvent, endpoint: WebhookEndpoint, end: number): Promise<Decision> {
    const { envoy, now, onFallback } = this.services;
    const errand = { timeoutMs: Math.max(1, end - now()), withBody: true };
    // What cannot be read or sent is like an answer that is missing: the user waits for a decision.
    const result = await envoy.send(event, endpoint, errand).catch(() => undefined);
    const answer = result && answerOf(result);
    if (!result || !answer) {
      onFallback(event, endpoint.id, reasonOf(result));
      return { decision: endpoint.onFailure ?? 'continue' };
    }
    await this.enter(event, endpoint, result);
    const { decision = 'continue', redirectUrl } = answer;
    return { decision, ...(decision === 'redirect' && redirectUrl !== undefined && { redirectUrl }) };
  }

  /** As delivered. Where that fails the event is sent once more, under the same id. */
  private async enter(event: SessionEvent, { id }: WebhookEndpoint, result: PostResult): Promise<void> {
    const { log, now } = this.services;
    const { status, tookMs } = result;
    const record = newRecord({ ...event, webhookId: id });
    const told = {
      state: 'delivered',
      attempts: 1,
      lastAttemptAt: now(),
      status: status as number,
      tookMs,
    } as const;
    await log.write(event.accountId, { ...record, ...told }, 'well').catch(() => {});
  }
}

function reasonOf(result: PostResult | undefined): string {
  if (!result) return 'session';
  return wasTaken(result) ? 'answer' : (result.failure ?? String(result.status));
}

function answerOf(result: PostResult): Acknowledgement | undefined {
  if (!wasTaken(result)) return undefined;
  const answer = parsed(result.body);
  return isAcknowledgement(answer) ? answer : undefined;
}

function parsed(body: Buffer | undefined): unknown {
  try {
    return JSON.parse(body?.toString('utf8') ?? '');
  } catch {
    return undefined;
  }
}

/** One that rejects outweighs those that redirect, of which the endpoint that was made first does. */
function strongest(answers: readonly Decision[], begins: boolean): Decision {
  const reject = answers.find(({ decision }) => decision === 'reject');
  if (begins && reject) return reject;
  return answers.find(({ decision }) => decision === 'redirect') ?? { decision: 'continue' };
}
