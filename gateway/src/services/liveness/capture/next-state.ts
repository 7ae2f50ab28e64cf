import type { CaptureState, FrameTaken } from './capture-store';
import type { Movement } from './evidence';
import { type Guided, type GuidedFace, guide } from './guidance';
import { keep } from './kept-frames';
import { advance, wantsCentre } from './steps';

/** An attempt with its state opened. */
export interface CaptureNow {
  readonly movements: readonly Movement[];
  readonly state: CaptureState;
}

export interface NextState extends Pick<FrameTaken, 'step' | 'dropped'> {
  readonly state: CaptureState;
  /** Frames after the last step are only counted. */
  readonly isKept: boolean;
}

/**
 * What follows from one more frame.
 * @param faces largest first; undefined where nobody looked: the frame is kept, and all else stays as it was.
 */
export function nextState(
  { movements, state }: CaptureNow,
  number: number,
  faces: readonly GuidedFace[] | undefined,
): NextState {
  const { step } = state.progress;
  const seen = faces ? progressed(movements, state, faces) : { ...state, unseen: state.unseen + 1 };
  if (step >= movements.length) return { step, state: seen, dropped: undefined, isKept: false };
  const { kept, dropped } = keep(state.kept, step, number);
  return { step, state: { ...seen, kept }, dropped, isKept: true };
}

function progressed(
  movements: readonly Movement[],
  state: CaptureState,
  faces: readonly GuidedFace[],
): CaptureState {
  const { progress } = state;
  const guided = guide(faces, {
    before: state.guidance,
    frontal: wantsCentre(progress, movements[progress.step]),
    neutral: progress.neutral,
  });
  return {
    ...state,
    guidance: guided.guidance,
    progress: advance(progress, movements, sightOf(guided)),
  };
}

const sightOf = ({ guidance, pose }: Guided) => pose && { ...pose, good: guidance === 'ok' };
