/** Words around code: its tabs and its copy button. */
export const code = `
  type ContentCode implements Node @dontInfer {
    tabs: String!, copy: String!, copied: String!, copyFailed: String!
  }
`;
