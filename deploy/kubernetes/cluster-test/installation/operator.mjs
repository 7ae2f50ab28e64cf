// Creates accounts and keys and reads bills, with the admin command of a gateway, as an operator does.

import { unlimited } from '../../../../gateway/harness/operator.mjs';
import { waitUntil } from '../../../../gateway/harness/wait.mjs';

/**
 * @typedef {import('../../../../gateway/harness/kubectl.mjs').Kubectl} Kubectl
 * @typedef {{ accountId: string, apiKey: string }} Account
 */

/** Journals are replayed and leases swept by then. */
const SETTLE_MS = 90_000;

export class Operator {
  /** @param {Kubectl} kubectl @param {string} namespace */
  constructor(kubectl, namespace) {
    this.kubectl = kubectl;
    this.namespace = namespace;
  }

  /** @param {readonly string[]} args of the admin command @returns {Promise<{ code: number | null, result: any }>} */
  async #admin(args) {
    const at = ['--namespace', this.namespace, 'exec', 'gateway-0', '--container', 'gateway', '--'];
    const command = [...at, 'node', 'dist/admin/cli.js', ...args, '--json'];
    const { code, stdout, stderr } = await this.kubectl.attempt(command);
    if (!stdout.startsWith('{') && !stdout.startsWith('[')) {
      throw new Error(`admin ${args.slice(0, 2).join(' ')} failed: ${stderr.trim()}`);
    }
    return { code, result: JSON.parse(stdout) };
  }

  /** @param {readonly string[]} args @returns {Promise<any>} */
  async admin(args) {
    return (await this.#admin(args)).result;
  }

  /** @param {string} plan @returns {Promise<Account>} an account whose limits no load reaches, with a key */
  async createAccount(plan) {
    const { accountId } = await this.admin(['accounts', 'create', '--name', `Test ${plan}`, '--plan', plan]);
    const account = ['--account', accountId];
    await this.admin(['accounts', 'update', ...account, '--overrides', JSON.stringify(unlimited)]);
    const { apiKey } = await this.admin(['keys', 'create', ...account, '--mode', 'live']);
    return { accountId, apiKey };
  }

  /**
   * The bill of this month, by the counters and by the ledger.
   * @param {string} accountId
   * @returns {Promise<{ counted: number, ledger: number, matches: boolean }>}
   */
  async verify(accountId) {
    const { result } = await this.#admin(['usage', 'verify', '--account', accountId]);
    return {
      counted: result.counters.imageAnalysis,
      ledger: result.ledger.imageAnalysis,
      matches: result.matches,
    };
  }

  /**
   * Waits until an account is billed for what it got; after a while the difference is the result.
   * @param {string} accountId
   * @param {number} expected units in all
   * @returns {Promise<number>} units in the ledger, not a number where it differs from the counters
   */
  async settledBill(accountId, expected) {
    /** @type {Awaited<ReturnType<Operator['verify']>> | undefined} */
    let seen;
    const settled = async () => {
      seen = await this.verify(accountId);
      return seen.matches && seen.ledger === expected;
    };
    await waitUntil('the bill is complete', settled, { timeoutMs: SETTLE_MS, intervalMs: 1_000 }).catch(
      () => {},
    );
    return seen?.matches && seen.counted === seen.ledger ? seen.ledger : Number.NaN;
  }
}
