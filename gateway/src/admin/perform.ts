import type { AuditRecord } from '../services/audit/audit';
import { audited, auditedDisclosure } from '../services/audit/audited';
import { checkSet, type Party, readableBy } from '../services/rights/property-grants';
import type { AdminServices, Context, Input, Operation } from './operation';

export interface Asked extends Context {
  /** The caller: see `AuditRecord.actor`. */
  readonly actor: string;
  readonly party: Party;
}

/** Properties that identify the target, and fields of results that identify a new one. */
const idFields = [
  'key',
  'webhook',
  'session',
  'incident',
  'accountId',
  'keyId',
  'webhookId',
  'sessionId',
  'incidentId',
  'userId',
];
/** Replaces the value of a property that may hold a secret. */
const hidden = 'not recorded';

/**
 * Runs an operation with an input that matches its schema. The audit log records operations that change something or
 * show biometric measurements.
 * @throws ConsoleError NOT_ALLOWED for values that the caller may not set
 */
export async function perform(
  operation: Operation,
  services: AdminServices,
  input: Input,
  { actor, party, ...context }: Asked,
): Promise<unknown> {
  const run = async () => {
    const set = await operation.sets?.(services, input);
    if (set) checkSet(party, set.kind, set.values);
    const result = await operation.run(services, input, context);
    return operation.shows ? readableBy(party, operation.shows, result) : result;
  };
  if (!operation.changes && !operation.discloses) return run();
  const entryOf = (result: unknown) => ({
    actor,
    operation: operation.id,
    ...subjectOf(operation, input, result),
  });
  if (!operation.changes) return auditedDisclosure(services.audit, entryOf({}), run);
  return audited(services.audit, entryOf, run);
}

/** The parts of input and result for the audit log: only ids of the result, which may contain a key or a secret. */
function subjectOf(
  { input: { properties } }: Operation,
  { account, key, webhook, session, incident, ...given }: Input,
  result: unknown,
): Pick<AuditRecord, 'accountId' | 'ids' | 'changes'> {
  const named = Object.entries({
    accountId: account,
    key,
    webhook,
    session,
    incident,
    ...(result as object),
  });
  const { accountId, ...ids } = Object.fromEntries(
    named.filter(([name, id]) => idFields.includes(name) && id !== undefined),
  ) as Record<string, string>;
  const changes = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, properties[name]?.writeOnly ? hidden : value]),
  );
  return {
    ...(accountId !== undefined && { accountId }),
    ...(Object.keys(ids).length > 0 && { ids }),
    ...(Object.keys(changes).length > 0 && { changes }),
  };
}
