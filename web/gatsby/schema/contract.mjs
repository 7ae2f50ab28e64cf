/** The part of the API contract that pages use. */
export const contract = `
  type ContractBrand implements Node @dontInfer { name: String!, slug: String! }

  type ContractLimits implements Node @dontInfer {
    liveness: ContractLivenessLimits!, thresholds: ContractThresholds!
  }

  type ContractLivenessLimits @dontInfer {
    typicalDurationSeconds: ContractRange!, attempt: ContractAttempt!
  }

  type ContractAttempt @dontInfer { steps: Int! }
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

  type ContractError implements Node @dontInfer {
    code: String!, position: Int!, status: Int!, title: String!, message: String!
    retryable: Boolean!, extension: Boolean, advice: String!, reasons: [ContractErrorReason!]!
  }

  # A more specific cause with its message.
  type ContractErrorReason @dontInfer { name: String!, message: String! }
`;
