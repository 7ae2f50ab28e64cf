/**
 * One attempt's stream of frames. A frame leaves every frameIntervalMs while a nonce is at hand: the attempt
 * brings a few, and each answer one more, so that few frames are ever under way. Nonces are used in order.
 *
 * A frame without an answer keeps its nonce: once there is a connection again, another picture is sent with
 * it. Where the gateway had taken it after all, it refuses the nonce, which is then lost; an attempt that has lost
 * all of them cannot go on.
 */
import { type Meaning, meaningOf } from './failures';
import type { Answer } from './gateway';
import type { Pause, Trouble } from './machine';
import { backoffMs } from './persist';
import type { Attempt, FrameAnswer } from './wire';

export interface CaptureMeans {
  attempt: Attempt;
  /** null when there is no picture to be had just now. */
  grab(): Promise<Blob | null>;
  send(nonce: string, jpeg: Blob): Promise<Answer<FrameAnswer>>;
  /** Ends when the connection may be back, or after so many milliseconds. */
  rest(ms: number): Promise<void>;
  signal: AbortSignal;
  onAnswer(answer: FrameAnswer): void;
  onTrouble(trouble: Trouble | null): void;
  onInterrupted(why: Pause): void;
  /** Refusals that concern more than this attempt. */
  onRefused(meaning: Meaning): void;
}

interface Nonce {
  text: string;
  order: number;
}

export function runCapture(means: CaptureMeans): void {
  const { attempt, grab, send, rest, signal, onAnswer, onTrouble, onInterrupted, onRefused } = means;
  const nonces: Nonce[] = attempt.nonces.map((text, order) => ({ text, order }));
  let issued = nonces.length;
  let newest = -1;
  let underWay = 0;
  let failures = 0;
  let grabbing = false;
  let resting = false;

  const timer = setInterval(() => void tick(), attempt.frameIntervalMs);
  const deadline = setTimeout(() => onInterrupted('timeout'), attempt.timeoutSeconds * 1000);
  signal.addEventListener('abort', () => {
    clearInterval(timer);
    clearTimeout(deadline);
  });

  async function tick() {
    // After a failure one frame finds out whether the way is free.
    const free = failures === 0 || underWay === 0;
    if (grabbing || resting || !free || nonces.length === 0) return;
    grabbing = true;
    const jpeg = await grab();
    grabbing = false;
    const nonce = nonces[0];
    if (!jpeg || !nonce || signal.aborted || resting) return;
    nonces.shift();
    await deliver(nonce, jpeg);
  }

  async function deliver(nonce: Nonce, jpeg: Blob) {
    underWay++;
    const answer = await send(nonce.text, jpeg);
    underWay--;
    if (signal.aborted) return;
    if (answer.ok) accept(answer.data, nonce.order);
    else refuse(meaningOf(answer.failure), nonce);
    if (nonces.length === 0 && underWay === 0) onInterrupted('connection');
  }

  function accept(data: FrameAnswer, order: number) {
    nonces.push({ text: data.nonce, order: issued++ });
    if (failures > 0) {
      failures = 0;
      onTrouble(null);
    }
    // Answers may overtake each other; what a later frame showed stands.
    if (order < newest) return;
    newest = order;
    onAnswer(data);
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
    rest(meaning.afterMs ?? backoffMs(failures)).then(() => {
      resting = false;
    });
  }
}
