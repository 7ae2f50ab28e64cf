/** Types of the session calls in the contract. */
import type {
  DeviceType,
  LivenessAlternative,
  LivenessAttemptRequest,
  LivenessAttemptResponse,
  LivenessBranding,
  LivenessCompleteResponse,
  LivenessController,
  LivenessFrameResponse,
  LivenessStartResponse,
  LivenessStatus,
  LivenessStep,
} from '@presenza/contract/client/types.d.ts';

export type Start = LivenessStartResponse['data'];
export type AttemptRequest = LivenessAttemptRequest;
export type Attempt = LivenessAttemptResponse['data'];
export type FrameResult = LivenessFrameResponse['data'];
export type Outcome = LivenessCompleteResponse['data'];

export type Alternative = LivenessAlternative;
export type Branding = LivenessBranding;
export type Controller = LivenessController;
export type CameraSettings = NonNullable<AttemptRequest['device']['camera']>;
export type Guidance = FrameResult['guidance'];
export type Hint = NonNullable<Outcome['hint']>;
export type { DeviceType };
export type Status = LivenessStatus;
export type Step = LivenessStep;
export type Movement = Step['movement'];

const FINAL = ['completed', 'failed', 'cancelled', 'expired'] as const satisfies readonly Status[];
export type FinalStatus = (typeof FINAL)[number];

export const isFinal = (status: Status): status is FinalStatus => FINAL.some((final) => final === status);
