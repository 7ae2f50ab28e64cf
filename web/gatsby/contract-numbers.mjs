/** Lists every number of the contract's limits with its field, for the claims page. */

/** Fields that Gatsby adds to a node, and comments in the file. */
const NOT_LIMITS = new Set(['id', 'parent', 'children', 'internal', 'position', 'comment']);

export const contractNumberResolvers = {
  ContractLimits: {
    numbers: {
      type: '[ContractNumber!]!',
      resolve: (/** @type {Record<string, unknown>} */ limits) => numbersIn(limits),
    },
  },
};

/** @param {unknown} value @param {string} [field] @returns {{ field: string, value: string }[]} */
function numbersIn(value, field = '') {
  if (typeof value === 'number') return [{ field, value: value.toLocaleString('en-US') }];
  if (Array.isArray(value) && value.every((one) => typeof one === 'number'))
    return [{ field, value: value.map((one) => one.toLocaleString('en-US')).join(', ') }];
  if (typeof value !== 'object' || !value) return [];
  return Object.entries(value)
    .filter(([name]) => !NOT_LIMITS.has(name))
    .flatMap(([name, one]) => numbersIn(one, field ? `${field}.${name}` : name));
}
