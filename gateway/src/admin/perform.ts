import { AppError } from '../errors';
import { Refusal } from '../errors/refusal';
import type { AuditRecord } from '../services/audit/audit';
import type { AdminServices, Context, Input, Operation } from './operation';

/** The caller: see `AuditRecord.actor`. */
export interface Asked extends Context {
  readonly actor: string;
}

/** Properties that say which thing is meant, and fields of results that name a new one. */
const idFields = ['key', 'webhook', 'session', 'accountId', 'keyId', 'webhookId', 'sessionId'];
/** In place of the value of a property that may hold a secret. */
const hidden = 'not recorded';

/**
 * Runs an operation with an input that fits its schema. Operations that change something or show biometric
 * measurements are recorded twice: as they begin and as they end. If the first record fails, the operation does not
 * run. If only the second fails, the result is still returned, because nobody could use a new key that was never shown.
 */
export async function perform(
  operation: Operation,
  services: AdminServices,
  input: Input,
  { actor, ...context }: Asked,
): Promise<unknown> {
  if (!operation.changes && !operation.discloses) return operation.run(services, input, context);
  const record = (outcome: AuditRecord['outcome'], result: unknown) =>
    services.audit.record({
      actor,
      operation: operation.words,
      outcome,
      ...subjectOf(operation, input, result),
    });
  await record('begun', {});
  const result = await operation.run(services, input, context).catch(async (error) => {
    // The caller needs the first error, not that of the record.
    await record(codeOf(error), {}).catch(() => {});
    throw error;
  });
  await record('done', result).catch(() => {});
  return result;
}

const codeOf = (error: unknown) =>
  error instanceof AppError || error instanceof Refusal ? error.code : 'INTERNAL_ERROR';

/** The parts of input and result in the audit log: of the result only ids, because it may contain a key or a secret. */
function subjectOf(
  { input: { properties } }: Operation,
  { account, key, webhook, session, ...given }: Input,
  result: unknown,
): Pick<AuditRecord, 'accountId' | 'ids' | 'changes'> {
  const named = Object.entries({ accountId: account, key, webhook, session, ...(result as object) });
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
