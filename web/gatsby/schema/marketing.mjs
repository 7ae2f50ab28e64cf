/** Measurements and claims, and the pages that present the product. */
import { PAGE } from './page.mjs';

export const marketing = `
  type BenchmarkResult implements Node @dontInfer {
    name: String!, variant: String, question: String!, measuredAt: Date! @dateformat, commit: String!
    # The measurement that replaced this one, or why it is no longer taken.
    retired: String
    staleBuild: Boolean, note: String, machine: BenchmarkMachine!, figures: [BenchmarkFigure!]!
  }

  type BenchmarkMachine @dontInfer { cpu: String!, cores: Int!, memoryGiB: Int!, node: String! }

  type BenchmarkFigure @dontInfer {
    what: String!, value: Float!, unit: String!, target: Float!, better: String!, sample: FigureSample
  }

  type FigureSample @dontInfer { n: Int!, items: String!, hits: Int, interval: [Float!], range: [Float!] }

  # The basis of a figure as text. Low and high bound a confidence interval or the range of the rounds.
  type SampleText @dontInfer { count: String!, isInterval: Boolean!, low: String, high: String }

  type ProductExample implements Node @dontInfer {
    productId: String!, operation: String!, html: String!
  }

  type TitledText @dontInfer { heading: String! @filled, text: String! @filled }

  type TitledTexts @dontInfer {
    heading: String! @filled, lead: String @filled, items: [TitledText!]!
  }

  type CallToAction @dontInfer {
    heading: String!, text: String! @filled, start: String, actions: [Link!]!
  }

  type ContentHome implements Node @dontInfer {
    hero: HomeHero!, measured: HomeMeasured!, features: [HomeFeature!]!, figureLabel: String!
    why: HomeWhy!, quickStart: SectionIntro!, closing: CallToAction!
  }

  type HomeHero @dontInfer {
    # The phrases between which the heading may break.
    heading: [String!]!
    lead: String!, start: String!, documentation: Link!
    image: String!, credit: String! @filled, ways: [HomeWay!]!
  }

  # A way to use the product: on the visitor's own servers, or by a plan.
  type HomeWay @dontInfer { heading: String!, text: String! @filled, command: String, link: Link! }

  type HomeMeasured @dontInfer { heading: String!, figures: [HomeFact!]!, link: Link! }

  type HomeFeature @dontInfer {
    productId: String!, anchor: String!, heading: String! @filled, text: String! @filled
    points: [String!]! @filled, link: Link!, images: [String!]!, response: String!, credit: String @filled
  }

  type HomeWhy @dontInfer { heading: String! @filled, items: [HomeReason!]! }

  type HomeReason @dontInfer {
    heading: String!, text: String! @filled, facts: [HomeFact!]!
  }

  type HomeFact @dontInfer {
    label: String!, headline: String! @filled, line: String! @filled, link: Link
  }

  type ContentPricing implements Node & ContentPage @dontInfer {
    ${PAGE}, heading: String!, note: String!, lead: String!
    labels: PricingLabels!, trust: PricingTrust!, calculator: PricingCalculator!
    comparison: PricingComparison!, faq: PricingFaq!, closing: CallToAction!
  }

  type PricingLabels @dontInfer {
    recommended: String!, group: String!, included: String!, overage: String!, liveness: String!
    analyses: String!
  }

  type PricingTrust @dontInfer { label: String!, badges: [Link!]!, behind: Link! }

  type PricingCalculator @dontInfer {
    heading: String!, lead: String!, liveness: String!, analyses: String!, exampleLiveness: Int!
    exampleAnalyses: Int!, caption: String!, plan: String!, base: String!, overage: String!
    total: String!, cheapest: String!, tooSmall: String!, byAgreement: String!
  }

  type PricingComparison @dontInfer {
    heading: String!, lead: String!, label: String!, plan: String!, price: String!, custom: String!
    liveness: String!, analyses: String!, livenessOverage: String!, analysisOverage: String!
    overQuota: String!, refused: String!, billed: String!, burst: String!, burstValue: String!
    concurrency: String!, webhooks: String!, syncWebhooks: String!, branding: String!, yes: String!
    no: String!
  }

  type PricingFaq @dontInfer { heading: String!, units: PricingQuestion!, items: [PricingQuestion!]! }
  type PricingQuestion @dontInfer { question: String!, text: String! }

  type ContentCatalogue implements Node & ContentPage @dontInfer {
    ${PAGE}, heading: String!, lead: String!, unit: String!
    learnMore: String!, cards: [CatalogueCard!]!, why: TitledTexts!, closing: CallToAction!
  }

  type CatalogueCard @dontInfer {
    productId: String!, to: String!, text: String! @filled, uses: String!, images: [String!]!
  }

  type ContentAbout implements Node & ContentPage @dontInfer {
    ${PAGE}, heading: String! @filled
    lead: String! @filled, drawing: String!, mission: TitledText!, vision: TitledText!
    values: TitledTexts!, what: TitledTexts!, why: TitledTexts!, closing: CallToAction!
  }

  type ContentBenchmarks implements Node & ContentPage @dontInfer {
    ${PAGE}, heading: String!, lead: String!, claims: Link!
    summary: String!, results: BenchmarkResults!, repeat: BenchmarkRepeat!
  }

  type BenchmarkResults @dontInfer {
    heading: String!, lead: String!, label: String!, what: String!, seen: String!, interval: String!
    range: String!, bar: String!, reached: String!, yes: String!, no: String!, higher: String!
    lower: String!, machine: String!, stale: String!, retired: String!, noBars: String!
  }

  type BenchmarkRepeat @dontInfer {
    heading: String!, lead: String!, commands: [BenchmarkCommand!]!, material: String!
    report: String!
  }

  type BenchmarkCommand @dontInfer { text: String!, command: String! }

  type ContentClaims implements Node & ContentPage @dontInfer {
    ${PAGE}, heading: String!, lead: String!, labels: ClaimLabels!
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

  # Numbers in the texts of pages with their source in the code. A test compares them.
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
