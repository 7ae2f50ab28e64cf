// The bills of the accounts whose requests are counted.

/**
 * @typedef {object} Billed
 * @property {import('./operator.mjs').Operator} operator
 * @property {Readonly<Record<string, import('./operator.mjs').Account>>} accounts by kind
 *
 * @typedef {Readonly<Record<string, number>>} Units by the kind of account
 */

/** Units in the ledger. @param {Billed} billed @returns {Promise<Units>} */
export async function ledgersOf({ operator, accounts }) {
  /** @type {Record<string, number>} */
  const units = {};
  for (const [kind, { accountId }] of Object.entries(accounts)) {
    units[kind] = (await operator.verify(accountId)).ledger;
  }
  return units;
}

/**
 * Units that were billed since, once the bills contain all requests, or after a while.
 * @param {Billed} billed
 * @param {Units} before
 * @param {import('../load/pod.mjs').Result} result
 * @returns {Promise<Units>}
 */
export async function settledBills({ operator, accounts }, before, { requests }) {
  /** @type {Record<string, number>} */
  const billed = {};
  for (const [kind, { accountId }] of Object.entries(accounts)) {
    const ownRequests = requests.filter(({ account }) => account === kind);
    const units = ownRequests.reduce((sum, request) => sum + request.units, 0);
    const base = Number(before[kind]);
    billed[kind] = (await operator.settledBill(accountId, base + units)) - base;
  }
  return billed;
}
