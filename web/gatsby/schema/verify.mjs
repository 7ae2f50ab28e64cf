/** The words of the hosted verification page. */
export const verify = `
  type ContentVerify implements Node @dontInfer {
    noScript: VerifyMessage!, checkBy: String!, askedBy: String!, askedBySomebody: String!
    sender: String!, leave: String!, consent: VerifyConsent!, light: VerifyPoint!, capture: VerifyCapture!
    movements: [NamedText!]!, guidance: [NamedText!]!, trouble: [NamedText!]!
    attempts: VerifyAttempts!, requestId: String!, copy: VerifyCopy!, return: VerifyReturn!
    allowCamera: [VerifyAllowCamera!]!, messages: [VerifyMessage!]!
  }

  type NamedText @dontInfer { name: String!, text: String! }

  type VerifyMessage @dontInfer {
    name: String, heading: String!, text: String!, action: String, secondary: String
  }

  type VerifyConsent @dontInfer {
    heading: String!, points: [VerifyPoint!]!, agreement: String!, notice: String!, missing: String!
    action: String!, retention: VerifyRetention!
  }

  type VerifyPoint @dontInfer { title: String!, text: String! }
  type VerifyRetention @dontInfer { hours: String!, minutes: String! }

  type VerifyCapture @dontInfer {
    beginning: String!, preview: String!, progress: String!, step: String!, steady: String!
  }

  type VerifyAttempts @dontInfer { one: String!, other: String! }
  type VerifyCopy @dontInfer { label: String!, action: String!, done: String! }
  type VerifyReturn @dontInfer { action: String!, stay: String!, soon: String!, close: String! }
  type VerifyAllowCamera @dontInfer { name: String!, steps: [String!]! }
`;
