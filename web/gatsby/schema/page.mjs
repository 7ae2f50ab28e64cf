/** The fields of every page, from JSON or from the frontmatter of MDX. */
export const PAGE = `
    path: String!, template: String!, layout: String, title: String! @filled
    description: String! @filled, keywords: [String!], noindex: Boolean`;
