/** A photo with its detected faces drawn over it, or the part of it around them. */
import { graphql } from 'gatsby';
import type { Box } from '../../components/drawings/parts';
import type { DrawnFace } from './face-geometry';
import { FaceMark, type Layers } from './face-overlay';
import * as overlay from './face-overlay.module.css';
import * as styles from './marked-photo.module.css';

interface MarkedPhotoProps {
  image: { src: string; width: number; height: number; faces: readonly DrawnFace[] };
  /** Text alternative. */
  label: string;
  layers: Layers;
  /** The shown part, in pixels of the image. */
  part?: Box;
  /** Whether the first screen shows it. */
  isFirst?: boolean;
}

/** Radius of a landmark, in proportion to the shown width. */
const POINT = 1 / 130;

export function MarkedPhoto({ image, label, layers, part, isFirst = false }: MarkedPhotoProps) {
  const { src, width, height, faces } = image;
  const shown = part ?? { x: 0, y: 0, width, height };
  const percent = (pixels: number) => `${(100 * pixels) / shown.width}%`;
  return (
    <div className={styles.photo} style={{ aspectRatio: `${shown.width} / ${shown.height}` }}>
      <img
        src={src}
        width={width}
        height={height}
        alt={label}
        loading={isFirst ? 'eager' : 'lazy'}
        fetchPriority={isFirst ? 'high' : 'auto'}
        style={{
          width: percent(width),
          marginLeft: percent(-shown.x),
          marginTop: percent(-shown.y),
        }}
      />
      <svg
        className={overlay.overlay}
        viewBox={`${shown.x} ${shown.y} ${shown.width} ${shown.height}`}
        aria-hidden="true"
      >
        {faces.map((face) => (
          <g key={face.boundingBox.left} data-selected="true">
            <FaceMark face={face} width={width} height={height} layers={layers} point={shown.width * POINT} />
          </g>
        ))}
      </svg>
    </div>
  );
}

export const fragment = graphql`
  fragment MarkedPhoto on DemoImage {
    src width height
    faces {
      confidence
      boundingBox { left top width height }
      quality { brightness sharpness }
      occluded { value confidence }
      attributes {
        landmarks { type x y }
        pose { yaw pitch roll }
        emotions { type confidence }
        ageRange { low high }
      }
    }
  }
`;
