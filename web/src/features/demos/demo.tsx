/** The demo of a product with real results of the engine, without calls to the API. */
import FaceComparison from './face-comparison';
import FaceDetection from './face-detection';
import ImageModeration from './image-moderation';
import LivenessVerification from './liveness-verification';

// Static imports: React renders lazy components at the end of the HTML, where only a script moves them into place.
const DEMOS = {
  faceComparison: FaceComparison,
  faceDetection: FaceDetection,
  imageModeration: ImageModeration,
  livenessVerification: LivenessVerification,
};

interface DemoProps {
  /** The product's id in the contract. */
  product: keyof typeof DEMOS;
  /** Shows only the image and its result, for use within another figure. */
  compact?: boolean;
}

/** Without its script, a demo is a static image with its result. */
export function Demo({ product, compact = false }: DemoProps) {
  const Widget = DEMOS[product];
  return <Widget compact={compact} />;
}
