/** The part of the API contract that pages use, the API reference (gatsby/reference) and the configuration. */
export const contract = `
  type ContractBrand implements Node @dontInfer { name: String!, slug: String! }

  type ContractLimits implements Node @dontInfer {
    liveness: ContractLivenessLimits!, thresholds: ContractThresholds!, image: ContractImageLimits!
    health: ContractHealthLimits!, incidents: ContractIncidentLimits!
  }

  type ContractImageLimits @dontInfer { formats: [ContractImageFormat!]! }
  type ContractImageFormat @dontInfer { label: String!, mediaType: String!, signature: String! }
  type ContractHealthLimits @dontInfer { historyDays: Int! }
  type ContractIncidentLimits @dontInfer { retentionDays: Int! }

  type ContractLivenessLimits @dontInfer {
    typicalDurationSeconds: ContractRange!, attempt: ContractAttempt!
  }

  type ContractAttempt @dontInfer { turns: Int! }
  type ContractRange @dontInfer { from: Int!, to: Int! }

  type ContractThresholds @dontInfer {
    minimum: Float!, maximum: Float!, similarityDefault: Float!, moderationConfidenceDefault: Float!
    guidance: [ContractGuidance!]!
  }

  type ContractGuidance @dontInfer { label: String!, from: Float!, to: Float! }

  # name: from its page in content/products.
  type ContractProduct implements Node @dontInfer {
    name: String!, productId: String!, position: Int!, label: String!, description: String!
    unit: String!
  }

  type ContractPlan implements Node @dontInfer {
    tier: String!, position: Int!, displayName: String!, description: String!, quota: ContractQuota!
    pricing: ContractPricing!, isFree: Boolean!, allowBranding: Boolean!, allowSyncWebhook: Boolean!
    limits: ContractPlanLimits!, display: ContractPlanDisplay!
  }

  type ContractQuota @dontInfer { productGroups: ContractUnits! }
  type ContractUnits @dontInfer { livenessDetection: Float!, imageAnalysis: Float! }

  type ContractPricing @dontInfer {
    currency: String!, basePrice: Float!, isCustom: Boolean!, overage: ContractUnits
  }

  type ContractPlanLimits @dontInfer { burst: ContractBurst!, concurrency: Int! }
  type ContractBurst @dontInfer { limit: Int!, windowSeconds: Int! }

  type ContractPlanDisplay @dontInfer {
    price: String!, priceDetail: String!, icon: String!, recommended: Boolean!, buttonText: String!
    buttonStyle: String!, features: [String!]!
  }

  type ContractEvent implements Node @dontInfer { eventType: String!, position: Int! }
  type ContractAccountEvent implements Node @dontInfer { eventType: String!, position: Int! }

  type ContractError implements Node @dontInfer {
    code: String!, position: Int!, status: Int!, title: String!, message: String!
    retryable: Boolean!, extension: Boolean, advice: String!, reasons: [ContractErrorReason!]!
  }

  # A more specific cause with its message.
  type ContractErrorReason @dontInfer { name: String!, message: String! }

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

  # places: the addresses of the pages that show it, here and in the types below.
  type ContractOperation implements Node @dontInfer {
    operationId: String!, position: Int!, anchor: String!, method: String!, path: String!
    summary: String!, description: String!, extension: Boolean!, auth: [String!]!
    isSessionCall: Boolean!, maxBody: String, parameters: [ContractField!]!
    requestDescription: String, request: [ContractBody!]!, response: [ContractBody!]!
    statuses: [ContractStatus!]!, samples: [CodeSample!]!, places: [String!]!
  }

  type ContractWebhook implements Node @dontInfer {
    eventType: String!, position: Int!, label: String!, when: String!, finalStatus: String
    carriesResult: Boolean!, statuses: [ContractStatus!]!, examples: [ContractExample!]!
    places: [String!]!
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
    name: String!, title: String!, members: [ContractField!]!, places: [String!]!
  }

  # A webhook handler as a complete program.
  type WebhookReceiver implements Node @dontInfer {
    position: Int!, language: String!, label: String!, code: String!, html: String!
    places: [String!]!
  }

  # The first program of a client library.
  type ClientProgram implements Node @dontInfer {
    position: Int!, client: String!, language: String!, code: String!, html: String!
    places: [String!]!
  }

  # A page of the reference for one resource, and what its anchors lead to.
  type ReferencePage implements Node @dontInfer {
    position: Int!, path: String!, slug: String!, title: String!, description: String!
    contents: [ReferenceContent!]!
  }

  # kind: heading, operation, call, error or event. endpoint: method and path of an operation.
  type ReferenceContent @dontInfer {
    anchor: String!, title: String!, kind: String!, endpoint: String
  }

  # content/samples/recipes.json, the requests of the samples. No page queries it.
  type ContentSamples implements Node @dontInfer { id: ID! }

  type ContentReference implements Node @dontInfer {
    required: String!, optional: String!, extension: String!, extensionNote: String!
    values: String!, constant: String!, moreFields: String!, retryable: String!
    notRetryable: String!, onThisPage: String!, playground: ReferencePlayground!, headings: ReferenceHeadings!, auth: ReferenceAuth!
    plans: ReferencePlans!, events: ReferenceEvents!
  }

  type ReferenceHeadings @dontInfer {
    parameters: String!, request: String!, response: String!, statuses: String!
    examples: String!, responses: String!, reasons: String!, example: String!, sample: String!
  }

  type ReferencePlayground @dontInfer { label: String!, note: String! }
  type ReferenceAuth @dontInfer { label: String! }

  type ReferencePlans @dontInfer {
    plan: String!, burst: String!, concurrency: String!, burstValue: String!
  }

  type ReferenceEvents @dontInfer { finalStatus: String!, none: String! }

  type ConfigurationVariable implements Node @dontInfer {
    tier: String!
    position: Int!
    name: String!
    # The type with its range, or all values.
    values: String!
    # The default, where there is one.
    fallback: String
    required: Boolean!
    # Plain text with code between backticks.
    description: String!
  }

  type ApiVersion implements Node @dontInfer { position: Int!, date: String!, changes: [String!]! }
  # A sentence with code between backticks.
  type ApiAddition implements Node @dontInfer { position: Int!, text: String! }

  type TestImage implements Node @dontInfer {
    position: Int!
    file: String!
    address: String!
    # The table that lists it.
    group: String!
    # Plain text with code between backticks.
    response: String!
  }

  type Download implements Node @dontInfer {
    position: Int!
    file: String!
    address: String!
    # The table that lists it.
    group: String!
    # With its unit.
    size: String!
    sha256: String!
  }

  type GatewayBound implements Node @dontInfer {
    position: Int!
    per: String!
    bound: String!
    # The value with its unit.
    limit: String!
    variable: String
    # An error code or a sentence.
    outcome: String!
  }
`;
