import { type RefObject, useEffect, useState, useSyncExternalStore } from 'react';
import { CropBrackets } from '../../components/drawings/parts';
import type { Camera } from './camera';
import * as styles from './stage.module.css';
import type { Movement } from './wire';
import { useWords } from './words';

interface StageProps {
  camera: Camera;
  video: RefObject<HTMLVideoElement | null>;
  movement: Movement | null;
  /** Progress of the attempt, 0 to 1. */
  progress: number;
}

/** The image and the oval for the face, in drawing units. */
const SHAPES = {
  tall: { width: 300, height: 400, cx: 150, cy: 194, rx: 92, ry: 124 },
  wide: { width: 400, height: 300, cx: 200, cy: 148, rx: 82, ry: 110 },
};

type Shape = (typeof SHAPES)['tall'];

/** The mirrored preview with a veil around the oval, and the instruction drawn around it. */
export function Stage({ camera, video, movement, progress }: StageProps) {
  const { capture } = useWords();
  const [wide, setWide] = useState(false);
  const portrait = usePortrait();
  const shape = wide && !portrait ? 'wide' : 'tall';
  useStream(video, camera.stream);
  const frame = SHAPES[shape];
  return (
    <div className={styles.stage} data-shape={shape}>
      <video
        ref={video}
        className={styles.video}
        aria-label={capture.preview}
        autoPlay
        muted
        playsInline
        onLoadedMetadata={({ currentTarget }) =>
          setWide(currentTarget.videoWidth > currentTarget.videoHeight)
        }
      />
      <svg className={styles.overlay} viewBox={`0 0 ${frame.width} ${frame.height}`} aria-hidden="true">
        <path className={styles.veil} d={veil(frame)} fillRule="evenodd" />
        <path className={styles.track} d={oval(frame)} />
        <path
          className={styles.ring}
          d={oval(frame)}
          pathLength={1}
          strokeDasharray="1 1"
          strokeDashoffset={1 - progress}
        />
        <CropBrackets {...around(frame)} arm={24} />
        {movement && movement !== 'centre' && (
          <g className={styles.arrow} key={movement} data-movement={movement}>
            <path d={chevrons(frame, movement)} />
          </g>
        )}
      </svg>
    </div>
  );
}

function useStream(video: RefObject<HTMLVideoElement | null>, stream: MediaStream) {
  useEffect(() => {
    const element = video.current;
    if (!element) return;
    element.srcObject = stream;
    // Safari plays muted inline video only after a call of play().
    element.play().catch(() => {});
    return () => {
      element.srcObject = null;
    };
  }, [video, stream]);
}

const PORTRAIT = '(orientation: portrait)';

/** Crops wide images in tall windows, since the face is in the center. */
function usePortrait(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const query = window.matchMedia(PORTRAIT);
      // addEventListener came to Safari with version 14.
      query.addListener(onChange);
      return () => query.removeListener(onChange);
    },
    () => window.matchMedia(PORTRAIT).matches,
  );
}

/** An ellipse, clockwise from the top. */
const oval = ({ cx, cy, rx, ry }: Shape) =>
  `M${cx} ${cy - ry}a${rx} ${ry} 0 0 1 0 ${2 * ry}a${rx} ${ry} 0 0 1 0 ${-2 * ry}`;

const veil = (shape: Shape) => `M-2-2H${shape.width + 2}V${shape.height + 2}H-2Z${oval(shape)}Z`;

const around = ({ cx, cy, rx, ry }: Shape) => ({
  x: cx - rx - 16,
  y: cy - ry - 16,
  width: 2 * rx + 32,
  height: 2 * ry + 32,
});

const DIRECTIONS = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] } as const;

/** Two chevrons beside the oval. In the mirrored preview the person's left is on the left. */
function chevrons({ cx, cy, rx, ry }: Shape, movement: Exclude<Movement, 'centre'>): string {
  const [x, y] = DIRECTIONS[movement];
  return [16, 30]
    .map((away) => {
      const tip = { x: cx + x * (rx + away), y: cy + y * (ry + away) };
      const back = { x: tip.x - x * 10, y: tip.y - y * 10 };
      // The arms are perpendicular to the direction.
      return `M${back.x + y * 16} ${back.y + x * 16}L${tip.x} ${tip.y}L${back.x - y * 16} ${back.y - x * 16}`;
    })
    .join('');
}
