/** The words of the cookie banner and its dialog. */
export const consent = `
  type ContentConsent implements Node @dontInfer {
    banner: ConsentBanner!, dialog: ConsentDialog!, necessaryOnly: String!, signal: String!
    categories: [ConsentCategory!]!
  }

  type ConsentBanner @dontInfer {
    label: String!, text: String!, policies: [Link!]!, acceptAll: String!, preferences: String!
  }

  type ConsentDialog @dontInfer {
    heading: String!, lead: String!, close: String!, alwaysActive: String!, details: String!
    confirm: String!
  }

  type ConsentCategory @dontInfer {
    name: String!, label: String!, text: String!, retention: String!, items: [ConsentItem!]!
  }

  type ConsentItem @dontInfer { name: String!, purpose: String!, kept: String! }
`;
