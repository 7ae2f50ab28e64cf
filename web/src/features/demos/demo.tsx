/** A product to play with: real answers of the engine, no call to it. */
import FaceComparison from './face-comparison';
import FaceDetection from './face-detection';
import ImageModeration from './image-moderation';
import LivenessVerification from './liveness-verification';

// Not lazily: what React has to wait for it puts at the end of the HTML, where only a script brings it to its place.
const DEMOS = {
  faceComparison: FaceComparison,
  faceDetection: FaceDetection,
  imageModeration: ImageModeration,
  livenessVerification: LivenessVerification,
};

interface DemoProps {
  /** Its id in the contract. */
  product: keyof typeof DEMOS;
  /** Only the picture and what it stands for, for a page that shows it among other things. */
  compact?: boolean;
}

/** Readable as a still picture with its answer before, or without, its script. */
export function Demo({ product, compact = false }: DemoProps) {
  const Widget = DEMOS[product];
  return <Widget compact={compact} />;
}
