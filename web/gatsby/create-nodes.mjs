/**
 * Creates a GraphQL node of a type for each entry, in order.
 * @param {import('gatsby').SourceNodesArgs} api @param {string} type @param {readonly object[]} entries
 */
export const createNodes = ({ actions, createNodeId, createContentDigest }, type, entries) =>
  entries.forEach((entry, position) => {
    actions.createNode({
      ...entry,
      position,
      id: createNodeId(`${type} ${position}`),
      internal: { type, contentDigest: createContentDigest({ entry, position }) },
    });
  });
