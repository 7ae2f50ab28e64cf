/** The 404 page. */
export const notFound = `
  type ContentNotFound implements Node & ContentPage @dontInfer {
    path: String!, template: String!, layout: String, title: String!, description: String!
    keywords: [String!], noindex: Boolean, heading: String!, lead: String!, links: [DescribedLink!]!
  }

  type DescribedLink @dontInfer { label: String!, to: String!, text: String! }
`;
