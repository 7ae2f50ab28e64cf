import { CategoryService } from '../services/categories/categories';
import { identityVault } from '../services/identity/identity-vault';
import { Operators } from '../services/identity/operators';
import { People } from '../services/identity/people';
import { Incidents } from '../services/incidents/incidents';
import type { HttpInferenceClient } from '../services/inference/inference-client';
import { KeyService } from '../services/keys/keys';
import { AuditImages } from '../services/liveness/audit/audit-images';
import { auditImageVault, sealedParts } from '../services/liveness/liveness';
import { EventDetailsReader } from '../services/liveness/session/event-details';
import { LivenessSessions } from '../services/liveness/session/sessions';
import { AddressGuard, type AddressRules } from '../services/webhooks/address-guard';
import { DeliveryService } from '../services/webhooks/delivery-service';
import { Dispatcher } from '../services/webhooks/dispatcher';
import { WebhookService, webhookVault } from '../services/webhooks/endpoints';
import { HttpSender } from '../services/webhooks/sender';
import { RedisInvoices } from '../stores/billing/redis-invoices';
import { RedisMailbox } from '../stores/identity/redis-mailbox';
import { RedisMembers } from '../stores/identity/redis-members';
import { RedisOperators } from '../stores/identity/redis-operators';
import { RedisSignIns } from '../stores/identity/redis-sign-ins';
import { RedisUsers } from '../stores/identity/redis-users';
import { RedisAuditImages } from '../stores/liveness/redis-audit-images';
import type { RedisSessionKeys } from '../stores/liveness/redis-session-keys';
import { RedisSessionStore } from '../stores/liveness/redis-session-store';
import type { RedisClient } from '../stores/redis';
import { RedisAuditLog } from '../stores/redis-audit-log';
import { RedisCategoryStore } from '../stores/redis-category-store';
import { RedisIncidentStore } from '../stores/redis-incident-store';
import { RedisKeyStore } from '../stores/redis-key-store';
import { RedisRequestLog } from '../stores/redis-request-log';
import { RedisUsage } from '../stores/redis-usage';
import { RedisDeliveryLog } from '../stores/webhooks/redis-delivery-log';
import { RedisOutbox } from '../stores/webhooks/redis-outbox';
import { RedisWebhookStore } from '../stores/webhooks/redis-webhook-store';
import type { AdminServices } from './operation';

/**
 * @param secret KEY_SECRET
 * @param rules of the addresses that webhook endpoints may have
 * @param sessionKeys where the keys of liveness sessions are stored. Default: with the sessions
 */
export function adminServices(
  redis: RedisClient,
  inference: HttpInferenceClient,
  secret: string,
  rules: AddressRules = {},
  sessionKeys?: RedisSessionKeys,
): AdminServices {
  const accounts = new RedisKeyStore(redis);
  const vault = webhookVault(secret);
  const endpoints = new RedisWebhookStore(redis);
  const log = new RedisDeliveryLog(redis);
  const now = Date.now;
  const keys = new KeyService(accounts, secret);
  const guard = new AddressGuard(rules);
  const identities = identityVault(secret);
  const users = new RedisUsers(redis, identities, secret);
  const operators = new RedisOperators(redis);
  const people = new People(users, new RedisSignIns(redis, identities), operators, new RedisMembers(redis));
  const sessions = new RedisSessionStore(redis, { keys: sessionKeys });
  const seals = sealedParts(secret);
  return {
    keys,
    // Events wait in the outbox for a gateway, which looks there every few seconds.
    sessions: new LivenessSessions({
      store: sessions,
      seals,
      accounts: keys,
      now,
      webhooks: { events: { notify: () => {} }, sync: { decide: async () => ({ decision: 'continue' }) } },
      observer: { ended: () => {} },
    }),
    categories: new CategoryService({ store: new RedisCategoryStore(redis), accounts, inference }),
    webhooks: new WebhookService({ store: endpoints, log, accounts, vault, addresses: guard }),
    deliveries: new DeliveryService({
      accounts,
      endpoints,
      log,
      now,
      sessions: new EventDetailsReader(sessions, seals),
      outbox: new RedisOutbox(redis),
      dispatcher: new Dispatcher({ sender: new HttpSender(guard), accounts, vault, now }),
    }),
    auditImages: new AuditImages(new RedisAuditImages(redis, sessionKeys), auditImageVault(secret)),
    usage: new RedisUsage(redis),
    invoices: new RedisInvoices(redis),
    audit: new RedisAuditLog(redis),
    requests: new RedisRequestLog(redis),
    mailbox: new RedisMailbox(redis, identityVault(secret), secret),
    operators: new Operators(operators, people, users),
    people,
    incidents: new Incidents(new RedisIncidentStore(redis), now),
  };
}
