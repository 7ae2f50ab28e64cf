import { useEffect, useRef, useState } from 'react';
import { between, TURN_MS, type Turn, turnOf } from './liveness-views';

/** The pose of the head, animated to that of the view; immediate with reduced motion. */
export function useTurning(view: string): Turn {
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
