/** The figure of a product: its drawing, and the answer that the drawing shows. */
// Not through <Demo>, which loads it later: here it is to be in the page's own HTML, for who has no JavaScript.
import ImageModeration from '../../../features/demos/image-moderation';
import { Answer, Plate } from '../plate';
import type { AnswerFace } from './answer-face';
import { ComparisonMockup } from './comparison-mockup';
import { DetectionMockup } from './detection-mockup';
import { LivenessMockup } from './liveness-mockup';
import { Movements } from './movements';

interface MockupProps {
  productId: string;
  number: string;
  title: string;
  operation: string;
  html: string;
  faces: AnswerFace[];
  /** What the drawing shows, in words. */
  label: string;
  answerLabel: string;
  threshold: number;
  /** Steps of an attempt. */
  steps: number;
  movements: { name: string; text: string }[];
}

export function Mockup({ html, answerLabel, movements, number, title, operation, ...drawn }: MockupProps) {
  const drawing = draw(drawn);
  return (
    drawing && (
      <Plate number={number} title={title} operation={operation} drawing={drawing}>
        {movements.length > 0 && <Movements movements={movements} />}
        <Answer html={html} label={answerLabel} />
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
