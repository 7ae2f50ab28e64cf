/** The words of code tabs and copy buttons. */
export const code = `
  type ContentCode implements Node @dontInfer {
    tabs: String!, copy: String!, copied: String!, copyFailed: String!
  }
`;
