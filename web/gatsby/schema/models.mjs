/** The default models from their manifests, and the texts of their cards. */
export const models = `
  # position: from the order of the roles.
  type DefaultModel implements Node @dontInfer {
    position: Int!, role: String!, modelId: String!, description: String!, license: String!
    trainingData: String!
    # The package with its version.
    source: String!
    # The size of the image that the model sees.
    input: String!
    files: [ModelFile!]!
  }

  type ModelFile @dontInfer { path: String!, sha256: String! }

  type ContentModelCards implements Node @dontInfer { labels: ModelCardLabels!, cards: [ModelCard!]! }

  type ModelCardLabels @dontInfer {
    use: String!, outOfScope: String!, limits: String!, role: String!, trainingData: String!
    license: String!, source: String!, input: String!, files: String!, figures: String!
    measured: String!
  }

  type ModelCard @dontInfer {
    part: String!, roles: [String!]!, use: String! @filled, outOfScope: String! @filled
    limits: [String!]! @filled
    # Names of measurements.
    measurements: [String!]!
    # The relation of the figures to these models, or why there are none.
    conditions: String! @filled
  }
`;
