import { type RefObject, useRef } from 'react';
import { fill } from '../../fill';
import * as styles from './capture-screen.module.css';
import type { Trouble, View } from './machine';
import { useHeadingFocus } from './screen';
import { Stage } from './stage';
import { type Steady, steady } from './steady';
import type { Guidance } from './wire';
import { textOf, useWords } from './words';

interface CaptureScreenProps {
  view: Extract<View, { at: 'beginning' | 'capturing' }>;
  video: RefObject<HTMLVideoElement | null>;
  trouble: Trouble | null;
}

/** The preview with one instruction at a time and guidance for better frames. */
export function CaptureScreen({ view, video, trouble }: CaptureScreenProps) {
  const words = useWords();
  const title = useHeadingFocus('capture');
  const live = view.at === 'capturing' ? view : null;
  const steps = live?.attempt.steps ?? 1;
  const index = Math.min(live?.step.index ?? 0, steps - 1);
  const movement = live?.step.movement ?? null;
  const progress = Math.min((index + (live?.progress ?? 0)) / steps, 1);
  const guidance = useSteady<Guidance>(live?.guidance ?? 'ok', index);
  return (
    <div className={styles.capture}>
      <div className={styles.words}>
        {/* Screen readers announce changes; the heading has the focus from the start of the capture. */}
        <h1 ref={title} tabIndex={-1} aria-live="polite" aria-atomic="true">
          {movement ? textOf(words.movements, movement) : words.capture.beginning}
        </h1>
        <p className={styles.step}>
          {live ? fill(words.capture.step, { step: index + 1, steps }) : '\u00a0'}
        </p>
      </div>
      <div className={styles.image}>
        <Stage camera={view.camera} video={video} movement={movement} progress={progress} />
      </div>
      <div className={styles.words}>
        <p className={styles.guidance} data-ok={guidance === 'ok' && !trouble} role="status">
          {trouble && textOf(words.trouble, trouble)}
          {!trouble && (guidance === 'ok' ? live && words.capture.steady : textOf(words.guidance, guidance))}
        </p>
        <progress className="visually-hidden" aria-label={words.capture.progress} max={steps} value={index} />
      </div>
    </div>
  );
}

/** @param step a new step starts with the current value */
function useSteady<T>(value: T, step: number): T {
  const before = useRef<{ step: number; state: Steady<T> } | null>(null);
  const last = before.current?.step === step ? before.current.state : null;
  const state = steady(last, value, performance.now());
  before.current = { step, state };
  return state.shown;
}
