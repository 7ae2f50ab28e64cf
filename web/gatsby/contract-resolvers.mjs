/** Fields that the contract's nodes have besides their own. */

/** Fields that Gatsby adds to a node, and comments in the file. */
const NOT_LIMITS = new Set(['id', 'parent', 'children', 'internal', 'position', 'comment']);

export const contractResolvers = {
  // Every number with its field, for the claims page.
  ContractLimits: {
    numbers: {
      type: '[ContractNumber!]!',
      resolve: (/** @type {Record<string, unknown>} */ limits) => numbersIn(limits),
    },
  },
  // The API and its reference use other names than the pages of the products.
  ContractProduct: {
    name: {
      type: 'String!',
      resolve: async (
        /** @type {{ productId: string }} */ { productId },
        /** @type {unknown} */ _,
        /** @type {any} */ context,
      ) => {
        const page = await context.nodeModel.findOne({
          type: 'ContentProducts',
          query: { filter: { product: { productId: { eq: productId } } } },
        });
        if (!page) throw new Error(`content/products has no page for ${productId}.`);
        return page.name;
      },
    },
  },
};

/** @param {unknown} value @param {string} [field] @returns {{ field: string, value: string }[]} */
function numbersIn(value, field = '') {
  if (typeof value === 'number') return [{ field, value: value.toLocaleString('en-US') }];
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'number'))
    return [{ field, value: value.map((entry) => entry.toLocaleString('en-US')).join(', ') }];
  if (typeof value !== 'object' || !value) return [];
  return Object.entries(value)
    .filter(([name]) => !NOT_LIMITS.has(name))
    .flatMap(([name, member]) => numbersIn(member, field ? `${field}.${name}` : name));
}
