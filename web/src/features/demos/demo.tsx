/** The demos of products with real results of the engine, without calls to the API. */
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

/** A demo is a static image with its result until its script has loaded. @param product id in the contract */
export function Demo({ product }: { product: string }) {
  const Widget = DEMOS[product as keyof typeof DEMOS];
  return <Widget />;
}
