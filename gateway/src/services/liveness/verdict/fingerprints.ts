/**
 * Fingerprints of judged frames, by which frames of another session are recognized: of their bytes, and the parts of the
 * fingerprint that the inference tier computes from the image. The store gets keyed hashes only, which show no face and
 * which nobody without the operator's secret can compare with an image.
 */
import { createHmac, hkdfSync } from 'node:crypto';
import type { FramesReply } from '@presenza/inference/wire';
import type { FrameReuse } from '../capture/evidence';
import type { Session } from '../session/session';

/** Bytes of a stored fingerprint: among ten million, a new one is known by chance once in two trillion. */
const length = 8;
/** Fingerprints that the store remembers of a session; three attempts have at most 3 * 64 * 9, and usually half. */
export const maxFingerprints = 1_024;
/**
 * Known parts of the eight of a frame from which on it looks like an earlier one. Two moments of one person in the same room
 * share a part now and then, and the same image most.
 */
const alikeParts = 3;

export interface FrameFingerprints {
  /** Without repetitions. */
  readonly all: readonly Buffer[];
  /** @param known whether the store knew each of `all` */
  reuse(known: readonly boolean[]): FrameReuse;
}

/** @param images of the frames, in the order of `signals.frames` */
export type Fingerprinter = (
  session: Pick<Session, 'accountId' | 'mode'>,
  images: readonly Buffer[],
  signals: Pick<FramesReply, 'frames'>,
) => FrameFingerprints;

/** @param secret the operator's, as hex */
export function fingerprinter(secret: string): Fingerprinter {
  const key = Buffer.from(hkdfSync('sha256', Buffer.from(secret, 'hex'), '', 'liveness frames', 32));
  return ({ accountId, mode }, images, signals) => {
    const hash = (kind: string, content: string | Buffer) =>
      createHmac('sha256', key)
        .update(`${accountId} ${mode} ${kind} `)
        .update(content)
        .digest()
        .subarray(0, length)
        .toString('latin1');
    const frames = signals.frames.flatMap((frame, i) => {
      if (!frame.ok || !frame.face) return [];
      const { fingerprint = [] } = frame.face;
      return [
        {
          bytes: hash('bytes', images[i] as Buffer),
          parts: fingerprint.map((part, at) => hash(`part ${at}`, part)),
        },
      ];
    });
    const all = [...new Set(frames.flatMap(({ bytes, parts }) => [bytes, ...parts]))];
    return {
      all: all.map((fingerprint) => Buffer.from(fingerprint, 'latin1')),
      reuse(known) {
        const seen = new Set(all.filter((_, i) => known[i]));
        const seenParts = (parts: readonly string[]) => parts.filter((part) => seen.has(part)).length;
        return {
          identical: frames.filter(({ bytes }) => seen.has(bytes)).length,
          alike: frames.filter(({ parts }) => seenParts(parts) >= alikeParts).length,
        };
      },
    };
  };
}
