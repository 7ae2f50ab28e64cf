/** The API reference: the contract's operations (by gatsby/reference) and the words around them. */
export const reference = `
  type ContractField @dontInfer {
    path: String!, name: String!, depth: Int!, type: String!, required: Boolean!
    extension: Boolean!, description: String!, bounds: [String!]!, values: [String!]!
    # The location of a parameter: query, header or path. Fields of bodies have none.
    place: String
    example: String
  }

  type ContractExample @dontInfer { label: String!, code: String!, html: String! }

  type ContractBody @dontInfer {
    type: String!, extension: Boolean!, description: String, fields: [ContractField!]!
    examples: [ContractExample!]!
  }

  type ContractStatus @dontInfer { status: String!, description: String!, codes: [String!]! }
  type CodeSample @dontInfer { language: String!, label: String!, code: String!, html: String! }

  type ContractOperation implements Node @dontInfer {
    operationId: String!, position: Int!, anchor: String!, method: String!, path: String!
    summary: String!, description: String!, extension: Boolean!, auth: [String!]!
    isSessionCall: Boolean!, maxBody: String, parameters: [ContractField!]!
    requestDescription: String, request: [ContractBody!]!, response: [ContractBody!]!
    statuses: [ContractStatus!]!, samples: [CodeSample!]!
  }

  type ContractWebhook implements Node @dontInfer {
    eventType: String!, position: Int!, label: String!, when: String!, finalStatus: String
    carriesResult: Boolean!, statuses: [ContractStatus!]!, examples: [ContractExample!]!
  }

  type ContractHeader implements Node @dontInfer {
    position: Int!, name: String!, type: String!, required: Boolean!, extension: Boolean!
    description: String!, bounds: [String!]!, values: [String!]!, example: String
  }

  type ContractWebhookHeader implements Node @dontInfer {
    position: Int!, name: String!, type: String!, required: Boolean!, extension: Boolean!
    description: String!, bounds: [String!]!, values: [String!]!, example: String
  }

  type ContractSchema implements Node @dontInfer {
    name: String!, title: String!, members: [ContractField!]!
  }

  # A webhook handler as a complete program.
  type WebhookReceiver implements Node @dontInfer {
    position: Int!, language: String!, label: String!, code: String!, html: String!
  }

  # content/samples/recipes.json, the requests of the samples. No page queries it.
  type ContentSamples implements Node @dontInfer { id: ID! }

  type ContentReference implements Node @dontInfer {
    required: String!, optional: String!, extension: String!, extensionNote: String!
    values: String!, constant: String!, moreFields: String!, retryable: String!
    notRetryable: String!, headings: ReferenceHeadings!, auth: ReferenceAuth!
    plans: ReferencePlans!, events: ReferenceEvents!
  }

  type ReferenceHeadings @dontInfer {
    operations: String!, parameters: String!, request: String!, response: String!, statuses: String!
    examples: String!, responses: String!, reasons: String!, example: String!
  }

  type ReferenceAuth @dontInfer { label: String! }

  type ReferencePlans @dontInfer {
    plan: String!, burst: String!, concurrency: String!, burstValue: String!
  }

  type ReferenceEvents @dontInfer {
    event: String!, when: String!, finalStatus: String!, none: String!
  }
`;
