/** The marketing name of a product. The API and its reference use other names. */

export const productNameResolvers = {
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
