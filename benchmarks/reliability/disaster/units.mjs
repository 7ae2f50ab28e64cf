/** Accounts for every unit after the loss of Redis. */

/**
 * @typedef {object} Late a line of a journal
 * @property {string} accountId
 * @property {string} operation
 * @property {{ key: string }} [idempotency]
 * @property {{ index: number }} reservation
 */

/**
 * The ids of the items in journals, together where a client repeated one with its idempotency key: one of them is billed.
 * @param {readonly Late[]} lines of one account
 * @returns {string[][]}
 */
export function journaledUnits(lines) {
  /** @type {Map<string, string[]>} */
  const units = new Map();
  for (const { operation, idempotency, reservation } of lines) {
    const unit = `${idempotency?.key ?? operation}:${reservation.index}`;
    units.set(unit, [...(units.get(unit) ?? []), `${operation}:${reservation.index}`]);
  }
  return [...units.values()];
}

/**
 * @param {object} items ids of items
 * @param {readonly string[]} items.atBackup in the ledger of the backup
 * @param {readonly string[]} items.atLoss in the ledger of the lost Redis
 * @param {readonly (readonly string[])[]} items.journaled in the journals before Redis was back
 * @param {readonly string[]} items.billed in the ledger in the end
 * @param {number} items.succeeded successful responses, or parts of them
 */
export function balanceOf({ atBackup, atLoss, journaled, billed, succeeded }) {
  const kept = new Set(billed);
  const known = new Set([...atBackup, ...journaled.flat()]);
  const lost = atLoss.filter((item) => !kept.has(item)).length;
  const timesBilled = [...atBackup.map((item) => [item]), ...journaled].map(
    (unit) => unit.filter((item) => kept.has(item)).length,
  );
  return {
    atBackup: atBackup.length,
    journaled: journaled.length,
    since: [...kept].filter((item) => !known.has(item)).length,
    lost,
    twice: billed.length - kept.size + timesBilled.filter((times) => times > 1).length,
    unbilled: timesBilled.filter((times) => times === 0).length,
    deviation: succeeded - kept.size - lost,
  };
}
