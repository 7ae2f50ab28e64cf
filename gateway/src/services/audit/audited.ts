import { RequestError } from '../../errors';
import type { AuditLog, AuditRecord } from './audit';

/**
 * Runs an operation between two records of the audit log: when it begins and when it ends. If the first record fails, the
 * operation does not run. If only the second fails, the result is still returned, because a new key that is never shown
 * is useless.
 * @param entryOf the record, without a result while there is none.
 */
export async function audited<T>(
  audit: Pick<AuditLog, 'record'>,
  entryOf: (result?: T) => Omit<AuditRecord, 'outcome'>,
  run: () => Promise<T>,
): Promise<T> {
  const record = (outcome: AuditRecord['outcome'], result?: T) =>
    audit.record({ ...entryOf(result), outcome });
  await record('begun');
  const result = await run().catch(async (error) => {
    // Report the error of the operation, not that of the audit log.
    await record(codeOf(error)).catch(() => {});
    throw error;
  });
  await record('done', result).catch(() => {});
  return result;
}

/**
 * Runs an operation that changes nothing but discloses data, with one record of its outcome.
 * @throws the error of the operation, or that of the audit log: nothing is disclosed without a record
 */
export async function auditedDisclosure<T>(
  audit: Pick<AuditLog, 'record'>,
  entry: Omit<AuditRecord, 'outcome'>,
  run: () => Promise<T>,
): Promise<T> {
  const result = await run().catch(async (error) => {
    await audit.record({ ...entry, outcome: codeOf(error) }).catch(() => {});
    throw error;
  });
  await audit.record({ ...entry, outcome: 'done' });
  return result;
}

const codeOf = (error: unknown) => (error instanceof RequestError ? error.code : 'INTERNAL_ERROR');
