/** The product pages and their shared words. */
export const products = `
  type ExampleMessage implements Node @dontInfer { name: String!, html: String! }

  type ContentProducts implements Node & ContentPage @dontInfer {
    path: String!, template: String!, layout: String, title: String!, description: String! @filled
    keywords: [String!], noindex: Boolean, position: Int!, name: String!
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
    back: Link!, sidebar: ProductSidebar!, claims: String!, headings: ProductHeadings!
    counted: String!, start: String!
  }

  type ProductSidebar @dontInfer { label: String!, links: [Link!]! }

  type ProductHeadings @dontInfer {
    howItWorks: String!, capabilities: String!, exchange: String!, specifications: String!
    perfectFor: String!, faq: String!
  }
`;
