/** The claims page, and the claims that other pages show. */
export const claims = `
  type ContentClaims implements Node & ContentPage @dontInfer {
    path: String!, template: String!, layout: String, title: String!, description: String! @filled
    keywords: [String!], noindex: Boolean, heading: String!, lead: String!, labels: ClaimLabels!
    states: [ClaimState!]!, groups: [ClaimGroup!]!, contract: ClaimContract!
    constants: ClaimConstants!, withdrawn: ClaimWithdrawals!, rules: TitledTexts!
  }

  type ClaimLabels @dontInfer {
    target: String!, evidence: String!, evidenceFor: String!, measured: String!, command: String!
    limit: String!
  }

  type ClaimState @dontInfer { name: String!, label: String!, text: String! }
  type ClaimGroup @dontInfer { groupId: String!, heading: String!, claims: [Claim!]! }

  # A claim without a figure is not measured. Its status follows from figure and target unless it has a state.
  type Claim @dontInfer {
    claimId: String!, label: String! @filled
    # Name of a measured figure, see gatsby/measured-figures.mjs.
    figure: String
    headline: String @filled
    # Sample, interval and conditions in one line, or why there is no figure.
    line: String! @filled
    details: String @filled, limit: String @filled
    # Further reading.
    link: Link
    target: ClaimTarget, state: String
    # Names for commitments and estimates in texts.
    facts: [ClaimFact!]
  }

  type ClaimFact @dontInfer { name: String!, value: String! }

  # Compared with the claim's figure, with another figure, or with 100 % minus that figure.
  type ClaimTarget @dontInfer {
    text: String!, value: Float, unit: String, better: String, figure: String, complement: Boolean
  }

  type ClaimContract @dontInfer { heading: String!, lead: String!, label: String!, link: Link! }
  type ClaimConstants @dontInfer { heading: String!, lead: String!, label: String! }

  # Numbers in the words of pages with their source in the code. A test compares them.
  type ContentConstants implements Node @dontInfer { constants: [Constant!]! }

  type Constant @dontInfer {
    says: String!
    # A file of the repository and its text, the id of a claim, or another basis.
    source: String
    text: String, claim: String, basis: String
  }

  type ContractNumber @dontInfer { field: String!, value: String! }
  type ClaimWithdrawals @dontInfer { heading: String!, lead: String!, items: [Withdrawal!]! }

  type Withdrawal @dontInfer {
    said: String!, why: String!
    # A regular expression that no other page may match.
    pattern: String!
  }
`;
