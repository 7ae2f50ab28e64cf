/** The texts of the verification element that the site itself shows. The package of the element has the others. */
export const verify = `
  type ContentVerify implements Node @dontInfer {
    locale: String!, noScript: VerifyNoScript!, movements: [NamedText!]!
  }

  type VerifyNoScript @dontInfer { heading: String!, text: String! }
  type NamedText @dontInfer { name: String!, text: String! }
`;
