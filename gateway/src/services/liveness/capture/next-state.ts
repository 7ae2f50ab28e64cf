import type { CaptureState, NewFrame } from './capture-store';
import type { Movement } from './evidence';
import { selectFrame } from './frame-selection';
import { type Guided, type GuidedFace, guide } from './guidance';
import { advance, shortfall, wantsCenter } from './steps';

/** An attempt with its opened state. */
export interface CaptureNow {
  readonly movements: readonly Movement[];
  readonly state: CaptureState;
}

export interface NextState extends Pick<NewFrame, 'step' | 'dropped'> {
  readonly state: CaptureState;
  /** False for frames after the last step, which are only counted. */
  readonly isKept: boolean;
}

/**
 * Computes the state after one more frame.
 * @param faces largest first; undefined if the frame was not analyzed, which changes only the selection.
 */
export function nextState(
  { movements, state }: CaptureNow,
  number: number,
  faces: readonly GuidedFace[] | undefined,
): NextState {
  const { step } = state.progress;
  const seen = faces ? progressed(movements, state, faces) : { ...state, unseen: state.unseen + 1 };
  if (step >= movements.length) return { step, state: seen, dropped: undefined, isKept: false };
  const { selected, dropped } = selectFrame(state.kept, step, number, movements.length);
  // In the first step, users still find their position.
  const isFaceless = step > 0 && faces !== undefined && seen.guidance === 'noFace';
  const faceless = isFaceless ? { faceless: [...(state.faceless ?? []), number] } : {};
  return { step, state: { ...seen, ...faceless, kept: selected }, dropped, isKept: true };
}

function progressed(
  movements: readonly Movement[],
  state: CaptureState,
  faces: readonly GuidedFace[],
): CaptureState {
  const guided = guide(faces, {
    before: state.guidance,
    frontal: wantsCenter(state.progress, movements[state.progress.step]),
    neutral: state.progress.neutral,
  });
  const progress = advance(state.progress, movements, sightOf(guided));
  const { guidance } = guided;
  return {
    ...state,
    progress,
    guidance: guidance === 'ok' ? shortfall(progress, movements[progress.step]) : guidance,
  };
}

const sightOf = ({ guidance, pose }: Guided) => pose && { ...pose, good: guidance === 'ok' };
