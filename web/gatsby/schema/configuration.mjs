/** Environment variables of both tiers and bounds of the gateway (gatsby/configuration.mjs). */
export const configuration = `
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
