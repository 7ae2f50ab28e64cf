/** The figure of a product: a drawing beside the response that it illustrates. */
import ImageModeration from '../../../features/demos/image-moderation';
import { Plate, ResponseExcerpt } from '../plate';
import { ComparisonMockup } from './comparison-mockup';
import { DetectionMockup } from './detection-mockup';
import { LivenessMockup } from './liveness-mockup';
import { Movements } from './movements';
import type { ResponseFace } from './response-face';

interface MockupProps {
  productId: string;
  number: string;
  title: string;
  operation: string;
  html: string;
  faces: readonly ResponseFace[];
  /** Text alternative of the drawing. */
  label: string;
  responseLabel: string;
  threshold: number;
  /** Number of steps in an attempt. */
  steps: number;
  movements: readonly { name: string; text: string }[];
}

export function Mockup({ html, responseLabel, movements, number, title, operation, ...drawn }: MockupProps) {
  const drawing = draw(drawn);
  return (
    drawing && (
      <Plate number={number} title={title} operation={operation} drawing={drawing}>
        {movements.length > 0 && <Movements movements={movements} />}
        <ResponseExcerpt html={html} label={responseLabel} />
      </Plate>
    )
  );
}

type Drawn = Pick<MockupProps, 'productId' | 'faces' | 'label' | 'threshold' | 'steps'>;

function draw({ productId, faces, label, threshold, steps }: Drawn) {
  switch (productId) {
    case 'livenessVerification':
      return <LivenessMockup steps={steps} label={label} />;
    case 'faceComparison':
      return <ComparisonMockup faces={faces} threshold={threshold} label={label} />;
    case 'faceDetection':
      return <DetectionMockup faces={faces} label={label} />;
    case 'imageModeration':
      return <ImageModeration compact />;
    default:
      return null;
  }
}
