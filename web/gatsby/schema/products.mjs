/** The product pages with their demos. */
import { PAGE } from './page.mjs';

export const products = `
  type ExampleMessage implements Node @dontInfer { name: String!, html: String! }

  type ContentProducts implements Node & ContentPage @dontInfer {
    ${PAGE}, position: Int!, name: String!
    product: ContractProduct! @link(by: "productId"), hero: TitledText!, claims: [String!]!
    howItWorks: [ProductStep!]!, capabilities: ProductTexts!, categories: ProductCategories
    boundaries: TitledTexts!, exchange: ProductExchange!, specifications: [ProductSpecification!]!
    perfectFor: [TitledText!]!, faq: [ProductQuestion!]!, closing: CallToAction!
  }

  type ProductTexts @dontInfer { lead: String! @filled, items: [TitledText!]! }
  type ProductStep @dontInfer { drawing: String!, heading: String! @filled, text: String! @filled }

  type ProductCategories @dontInfer {
    heading: String!, lead: String! @filled, items: [ProductCategory!]!
  }

  type ProductCategory @dontInfer {
    drawing: String!, heading: String!, type: String!, text: String! @filled
  }

  type ProductExchange @dontInfer {
    text: String! @filled, operation: String!, reference: Link!, messages: [ProductMessage!]!
  }

  type ProductMessage @dontInfer { label: String!, example: ExampleMessage! @link(by: "name") }
  type ProductSpecification @dontInfer { term: String!, text: String! @filled }
  type ProductQuestion @dontInfer { question: String! @filled, text: String! @filled }

  type ContentProductPage implements Node @dontInfer {
    back: Link!, sidebar: LinkGroup!, claims: String!, headings: ProductHeadings!
    counted: String!, start: String!
  }

  type ProductHeadings @dontInfer {
    howItWorks: String!, capabilities: String!, exchange: String!, specifications: String!
    perfectFor: String!, faq: String!
  }

  type DemoImage implements Node @dontInfer {
    name: String!
    # portrait, group or object
    kind: String!
    # The portrayed person.
    person: String
    position: Int!, src: String!, thumbnail: String!, width: Int!, height: Int!, faces: [DemoFace!]!
    elements: [DemoElement!]!
    # Of a portrait.
    warnings: [String!]!
  }

  type DemoSimilarity implements Node @dontInfer {
    source: String!, target: String!, similarity: Float!
  }

  type DemoFace @dontInfer {
    confidence: Float!, boundingBox: DemoBox!, quality: DemoQuality!, occluded: DemoOcclusion!
    attributes: DemoAttributes!
  }

  type DemoBox @dontInfer { left: Float!, top: Float!, width: Float!, height: Float! }
  type DemoQuality @dontInfer { brightness: Float!, sharpness: Float! }
  type DemoOcclusion @dontInfer { value: Boolean!, confidence: Float! }

  type DemoAttributes @dontInfer {
    landmarks: [DemoLandmark!]!, pose: DemoPose!, emotions: [DemoElement!]!, ageRange: DemoAgeRange!
  }

  type DemoLandmark @dontInfer { type: String!, x: Float!, y: Float! }
  type DemoPose @dontInfer { yaw: Float!, pitch: Float!, roll: Float! }
  type DemoAgeRange @dontInfer { low: Int!, high: Int! }
  type DemoElement @dontInfer { type: String!, confidence: Float!, subTypes: [DemoElement!] }

  type ContentDemos implements Node @dontInfer {
    note: String! @filled, photoNote: String! @filled, faceComparison: ComparisonTexts!, faceDetection: DetectionTexts!
    imageModeration: ModerationTexts!, livenessVerification: LivenessTexts!
  }

  type ComparisonTexts @dontInfer {
    label: String!, sides: [String!]!, portrait: String!, similarity: String!, threshold: String!
    match: String!, noMatch: String!, same: String!, warned: String!, warnings: [WarningTexts!]!
  }

  type WarningTexts @dontInfer { warning: String!, text: String! }

  type DetectionTexts @dontInfer {
    label: String!, choose: String!, images: [DemoImageTexts!]!, face: String!, faces: String!, layers: String!, boxes: String!
    landmarks: String!, response: String!
  }

  type ModerationTexts @dontInfer {
    label: String!, choose: String!, images: [DemoImageTexts!]!, sensitive: String!
    reason: String!, held: String!, show: String!, hide: String!, shown: String!, clean: String!
    threshold: String!, elements: String!
  }

  type DemoImageTexts @dontInfer { name: String!, label: String!, text: String! }

  type LivenessTexts @dontInfer {
    label: String!, progress: String!, back: String!, next: String!, again: String!
    steps: [LivenessStepTexts!]!
  }

  type LivenessStepTexts @dontInfer {
    # Content of the drawing: frame, left, right, up, verdict; the head alone otherwise.
    view: String!
    heading: String!, text: String!, example: String
  }
`;
