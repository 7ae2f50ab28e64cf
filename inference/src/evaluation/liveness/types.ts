/** Types of the evaluation of recordings. Times are whole milliseconds, rates are 0 to 1. */
import type { Movement } from '../../../../gateway/dist/services/liveness/capture/evidence';
import type { Proportion } from '../report/proportion';

/** A line of the manifest. */
export interface Recording {
  /** Relative to the folder: a folder of frames, an image or a video. */
  readonly path: string;
  readonly label: 'bonaFide' | 'attack';
  /** Type of an attack: in front of the camera, or in its place. */
  readonly type?: 'presentation' | 'injection';
  /** Kind of an attack's instrument, such as `print on matte paper`. */
  readonly species?: string;
  readonly device?: string;
  readonly group?: string;
  /** A code for the person who is shown, never a name. */
  readonly subject?: string;
}

export interface SourceFrame {
  readonly timeMs: number;
  /** The movement that was requested when the frame was taken. */
  readonly prompt?: Movement;
  /** The encoded image as the page sends it. Throws where the image cannot be read. */
  read(): Promise<Buffer>;
}

export interface Source {
  /** One frame or more, in order. Either all have a prompt or none. */
  readonly frames: readonly SourceFrame[];
  readonly camera: { readonly label?: string };
  /** All movements that were to be requested, where the recorder noted them: the recording may end before the last. */
  readonly movements?: readonly Movement[];
}

/** `prompted`: judged by the whole verdict; `unprompted`: only by the rules that need no movement. */
export type Kind = 'prompted' | 'unprompted';

/**
 * The result of one recording. `noResponse` ends without a verdict: `unreadable` (no frame can be decoded), `noFace`
 * (unprompted, no frame shows a face) or `unfinished` (the guidance did not accept every movement).
 */
export interface Row {
  readonly path: string;
  readonly kind: Kind;
  readonly outcome: 'accepted' | 'rejected' | 'noResponse';
  /** The rules that rejected, or why there is no response. */
  readonly reasons: readonly string[];
  /** 0 to 1; null without a response. */
  readonly confidence: number | null;
  readonly frames: number;
}

/** A recording that the kit could not read; it is part of no rate. */
export interface Failure {
  readonly path: string;
  readonly message: string;
}

/** The counts of some recordings with one label. */
export interface Cell {
  readonly name: string;
  readonly recordings: number;
  readonly subjects: number;
  readonly responses: number;
  /** Accepted attacks, or rejected bona fide recordings, among the responses. */
  readonly errors: number;
  /** Errors among the responses; null without any. */
  readonly errorRate: Proportion | null;
  readonly nonResponses: number;
  /** Non-responses among all; null without any recording. */
  readonly nonResponseRate: Proportion | null;
  /** How often each rule rejected, most often first. */
  readonly reasons: readonly (readonly [name: string, count: number])[];
}

export interface Attacks {
  /** Ordered by name. */
  readonly species: readonly Cell[];
  /** The species with the highest error rate, and among equal ones the highest upper bound; null without a response. */
  readonly worst: Cell | null;
}

export interface Section {
  readonly presentation: Attacks;
  readonly injection: Attacks;
  readonly bonaFide: {
    readonly all: Cell;
    readonly groups: readonly Cell[];
    readonly devices: readonly Cell[];
  };
  /** Names of the verdict's rules. */
  readonly rules: { readonly applied: readonly string[]; readonly notApplied: readonly string[] };
}

/** The build and the settings that decide a result. Results of different ones are never mixed. */
export interface Conditions {
  readonly version: string;
  readonly commit: string;
  /** SHA-256 of the compiled rules, which hold all thresholds. */
  readonly rules: string;
  /** Role and model. */
  readonly models: Readonly<Record<string, string>>;
  readonly device: string;
  readonly precision: string;
  readonly policy: Readonly<Record<string, string | number | boolean>> & { readonly minConfidence: number };
}

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly os: string;
  readonly node: string;
  /** One-minute load average before the measurement: far from 0 on a shared machine. */
  readonly loadBefore: number;
}

export interface Report {
  /** Raised by a change that breaks programs. */
  readonly version: 1;
  readonly createdAt: string;
  readonly conditions: Conditions;
  readonly machine: Machine;
  readonly prompted: Section;
  readonly unprompted: Section;
  readonly failures: readonly Failure[];
}
