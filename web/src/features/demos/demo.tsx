/** A product to play with: real answers of the engine, no call to it. */
import { lazy, Suspense } from 'react';

const DEMOS = {
  faceComparison: lazy(() => import('./face-comparison')),
  faceDetection: lazy(() => import('./face-detection')),
  imageModeration: lazy(() => import('./image-moderation')),
  livenessVerification: lazy(() => import('./liveness-verification')),
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
  return (
    <Suspense>
      <Widget compact={compact} />
    </Suspense>
  );
}
