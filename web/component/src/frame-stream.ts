/**
 * Sends the frames of an attempt, watches the camera, and shows the capture. It is a chunk of its own, which loads while the
 * browser asks for the camera, so that the page shows its first view sooner.
 */
import { runCapture } from './capture';
import type { Meaning } from './failures';
import { createGrabber } from './frames';
import type { Gateway } from './gateway';
import { brighten, showLight } from './light';
import type { Event } from './machine';
import { watchPatience } from './patience';
import { rest } from './persist';
import { type Signer, signFrames } from './sign';
import type { Attempt } from './wire';

export { captureScreen } from './capture-screen';
export { createSigner } from './sign';

interface Stream {
  attempt: Attempt;
  preview: HTMLVideoElement;
  gateway: Gateway;
  /** Null in browsers that cannot sign. */
  signer: Signer | null | undefined;
  /** Ends the stream. */
  signal: AbortSignal;
  dispatch(event: Event): void;
  /** Rejections that concern more than this attempt. */
  onRefused(meaning: Meaning): void;
}

/** The element on the page, whose properties color its shadow tree. */
const hostOf = (node: Node) => (node.getRootNode() as ShadowRoot).host as HTMLElement;

export function streamFrames(stream: Stream): void {
  const { attempt, preview, gateway, signer, signal, dispatch, onRefused } = stream;
  const { light } = attempt;
  const sign = signer && signFrames(signer, attempt.attemptId);
  let isBright = light !== undefined;
  const watch = watchPatience((guidance) => {
    // A face that is too dark may not be found.
    if ((guidance === 'tooDark' || guidance === 'noFace') && !isBright) {
      isBright = true;
      brighten(hostOf(preview), signal);
    }
    dispatch({ type: 'stuck', guidance });
  });
  runCapture({
    attempt,
    shownMs: light && showLight(hostOf(preview), light, { signal }),
    grab: createGrabber(preview, attempt.maxFrameBytes),
    send: async (nonce, jpeg, shownMs) => {
      const signature = await sign?.(nonce, jpeg);
      const frame = { attemptId: attempt.attemptId, nonce, jpeg, shownMs, signature };
      return gateway.sendFrame(frame, signal);
    },
    rest: (ms) => rest(ms, signal),
    signal,
    onResult: ({ done, guidance, step, progress }) => {
      watch(`${step.index} ${step.movement}`, guidance);
      dispatch(done ? { type: 'captured' } : { type: 'progressed', guidance, step, progress });
    },
    onTrouble: (trouble) => dispatch({ type: 'troubled', trouble }),
    onInterrupted: (why) => dispatch({ type: 'interrupted', why }),
    onRefused,
  });
}

/** Interrupts a capture when the page is hidden, the phone is rotated or the camera ends. */
export function watchCamera(
  stream: MediaStream,
  { signal, dispatch }: Pick<Stream, 'signal' | 'dispatch'>,
): void {
  const hidden = () => document.hidden && dispatch({ type: 'interrupted', why: 'hidden' });
  const left = () => dispatch({ type: 'interrupted', why: 'hidden' });
  const rotated = () => dispatch({ type: 'interrupted', why: 'rotated' });
  const ended = () => dispatch({ type: 'interrupted', why: 'cameraEnded' });
  const tracks = stream.getVideoTracks();
  document.addEventListener('visibilitychange', hidden);
  window.addEventListener('pagehide', left);
  // Only phones and tablets rotate. Resizing a window does not interrupt.
  window.addEventListener('orientationchange', rotated);
  for (const track of tracks) track.addEventListener('ended', ended);
  signal.addEventListener('abort', () => {
    document.removeEventListener('visibilitychange', hidden);
    window.removeEventListener('pagehide', left);
    window.removeEventListener('orientationchange', rotated);
    for (const track of tracks) track.removeEventListener('ended', ended);
  });
}
