/** The line drawing of a head in front of the camera. */

import { useEffect, useRef, useState } from 'react';
import * as drawing from '../../components/drawings/drawings.module.css';
import { CropBrackets, Face } from '../../components/drawings/parts';
import * as styles from './liveness-stage.module.css';
import { between, TURN_MS, type Turn, turnOf } from './liveness-views';

interface LivenessStageProps {
  view: string;
  /** 0 to 1. */
  progress: number;
}

/** Arrows for the requested movement, beside the frame. */
const ARROWS: Readonly<Record<string, string>> = {
  left: 'M150 20h120M258 12l12 8l-12 8',
  right: 'M210 20h-120M102 12l-12 8l12 8',
  up: 'M328 240v-90M320 162l8-12l8 12',
};
const FRAME = { x: 60, y: 40, width: 240, height: 320 };
const TICKS = 32;

export function LivenessStage({ view, progress }: LivenessStageProps) {
  const turn = useTurning(view);
  const framed = view !== 'create';
  const judged = view === 'verdict' || view === 'webhook';
  return (
    <svg className={`${drawing.drawing} ${styles.stage}`} viewBox="0 0 360 420" aria-hidden="true">
      <Face {...turn} x={180} y={204} scale={92} detail={judged ? 'landmarks' : 'mesh'} />
      {framed && <CropBrackets {...FRAME} arm={26} />}
      {turnOf(view) !== turnOf('') && <path className={styles.arrow} d={ARROWS[view]} />}
      {judged && <path className={styles.check} d="M316 340l10 10l20-24" />}
      <path className={styles.tick} d={ruler(progress, 1)} />
      <path className={styles.arrow} d={ruler(0, progress)} />
    </svg>
  );
}

/** Tick marks below the frame, between two proportions of its width. */
function ruler(from: number, to: number): string {
  const ticks = Array.from({ length: TICKS + 1 }, (_, i) => i).filter(
    (i) => i >= from * TICKS && i <= to * TICKS,
  );
  return ticks.map((i) => `M${FRAME.x + (i * FRAME.width) / TICKS} 388v${i % 8 ? 6 : 12}`).join('');
}

/** The pose of the head, animated to that of the view; immediate with reduced motion. */
function useTurning(view: string): Turn {
  const [turn, setTurn] = useState(() => turnOf(view));
  const current = useRef(turn);
  useEffect(() => {
    const [from, to] = [current.current, turnOf(view)];
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    let begin: number | undefined;
    let frame = 0;
    const draw = (now: number) => {
      begin ??= now;
      const progress = still ? 1 : (now - begin) / TURN_MS;
      current.current = between(from, to, progress);
      setTurn(current.current);
      if (progress < 1) frame = requestAnimationFrame(draw);
    };
    frame = requestAnimationFrame(draw);
    return () => cancelAnimationFrame(frame);
  }, [view]);
  return turn;
}
