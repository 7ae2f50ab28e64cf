/** The demos: pictures drawn at build time, what the engine answered to them, and their words. */
export const demos = `
  type DemoPicture implements Node @dontInfer {
    name: String!
    # portrait, group or thing
    kind: String!
    # Who is portrayed.
    person: String
    position: Int!
    src: String!
    width: Int!
    height: Int!
    faces: [DemoFace!]!
    elements: [DemoElement!]!
  }

  type DemoSimilarity implements Node @dontInfer {
    source: String!
    target: String!
    similarity: Float!
  }

  type DemoFace @dontInfer {
    confidence: Float!
    boundingBox: DemoBox!
    quality: DemoQuality!
    occluded: DemoOcclusion!
    attributes: DemoAttributes!
  }

  type DemoBox @dontInfer {
    left: Float!
    top: Float!
    width: Float!
    height: Float!
  }

  type DemoQuality @dontInfer {
    brightness: Float!
    sharpness: Float!
  }

  type DemoOcclusion @dontInfer {
    value: Boolean!
    confidence: Float!
  }

  type DemoAttributes @dontInfer {
    landmarks: [DemoLandmark!]!
    pose: DemoPose!
    emotions: [DemoElement!]!
    ageRange: DemoAgeRange!
  }

  type DemoLandmark @dontInfer {
    type: String!
    x: Float!
    y: Float!
  }

  type DemoPose @dontInfer {
    yaw: Float!
    pitch: Float!
    roll: Float!
  }

  type DemoAgeRange @dontInfer {
    low: Int!
    high: Int!
  }

  type DemoElement @dontInfer {
    type: String!
    confidence: Float!
    subTypes: [DemoElement!]
  }

  # An example of the contract, coloured.
  type DemoExample implements Node @dontInfer {
    name: String!
    html: String!
  }
`;
