/**
 * The stream of frames of one attempt. It sends a frame every frameIntervalMs while it has a nonce. The attempt has a
 * few, and each response adds one, which limits the frames in flight. Nonces are used in order.
 *
 * A frame without a response keeps its nonce for another image when the connection is back. If the gateway accepted the
 * first frame, it rejects the nonce, which is then lost. An attempt that has lost all nonces ends.
 */
import { type Meaning, meaningOf } from './failures';
import type { Result } from './gateway';
import type { Pause, Trouble } from './machine';
import { backoffMs } from './persist';
import type { Attempt, FrameResult } from './wire';

export interface CaptureMeans {
  attempt: Attempt;
  /** null if no image is available now. */
  grab(): Promise<Blob | null>;
  /** @param shownMs of the moment of the image, if there is a light challenge */
  send(nonce: string, jpeg: Blob, shownMs?: number): Promise<Result<FrameResult>>;
  /** Milliseconds since the first color of a light challenge. */
  shownMs?: (() => number) | undefined;
  /** Resolves when the connection may be back, at the latest after `ms` milliseconds. */
  rest(ms: number): Promise<void>;
  signal: AbortSignal;
  onResult(result: FrameResult): void;
  onTrouble(trouble: Trouble | null): void;
  onInterrupted(why: Pause): void;
  /** Rejections that concern more than this attempt. */
  onRefused(meaning: Meaning): void;
}

interface Nonce {
  text: string;
  order: number;
}

export function runCapture(means: CaptureMeans): void {
  const { attempt, grab, send, shownMs, rest, signal, onResult, onTrouble, onInterrupted, onRefused } = means;
  const nonces: Nonce[] = attempt.nonces.map((text, order) => ({ text, order }));
  let issued = nonces.length;
  let newest = -1;
  let underWay = 0;
  let failures = 0;
  let grabbing = false;
  let resting = false;
  let overdue = false;

  const timer = setInterval(() => void tick(), attempt.frameIntervalMs);
  // Without a connection, the person cannot follow the steps: the trouble stays until a call succeeds.
  const deadline = setTimeout(() => {
    overdue = failures > 0;
    if (!overdue) onInterrupted('timeout');
  }, attempt.timeoutSeconds * 1000);
  signal.addEventListener('abort', () => {
    clearInterval(timer);
    clearTimeout(deadline);
  });

  async function tick() {
    // After a failure a single frame probes the connection.
    const free = failures === 0 || underWay === 0;
    if (grabbing || resting || !free || nonces.length === 0) return;
    grabbing = true;
    const takenMs = shownMs?.();
    const jpeg = await grab();
    grabbing = false;
    const nonce = nonces[0];
    if (!jpeg || !nonce || signal.aborted || resting) return;
    nonces.shift();
    await deliver(nonce, jpeg, takenMs);
  }

  async function deliver(nonce: Nonce, jpeg: Blob, takenMs?: number) {
    underWay++;
    const result = await send(nonce.text, jpeg, takenMs);
    underWay--;
    if (signal.aborted) return;
    if (result.ok) accept(result.data, nonce.order);
    else refuse(meaningOf(result.failure), nonce);
    if (nonces.length === 0 && underWay === 0) onInterrupted('connection');
  }

  function accept(data: FrameResult, order: number) {
    nonces.push({ text: data.nonce, order: issued++ });
    if (failures > 0) {
      failures = 0;
      onTrouble(null);
      if (overdue && !data.done) return onInterrupted('connection');
    }
    // Responses may arrive out of order. The result of a later frame takes precedence.
    if (order < newest) return;
    newest = order;
    onResult(data);
  }

  function refuse(meaning: Meaning, nonce: Nonce) {
    if (meaning.kind === 'frameRefused') return;
    if (meaning.kind !== 'wait') return onRefused(meaning);
    const later = nonces.findIndex(({ order }) => order > nonce.order);
    nonces.splice(later < 0 ? nonces.length : later, 0, nonce);
    if (resting) return;
    failures++;
    resting = true;
    onTrouble(meaning.trouble);
    void rest(meaning.afterMs ?? backoffMs(failures)).then(() => {
      resting = false;
    });
  }
}
