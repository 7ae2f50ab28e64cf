/** The name of a product on the pages that present it. The API and its reference have names of their own. */

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
        if (!page) throw new Error(`No page of content/products is about ${productId}.`);
        return page.name;
      },
    },
  },
};
