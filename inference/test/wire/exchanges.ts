/**
 * Recorded exchanges of the wire, one set for both sides. The tier's app must make each response of the request, and the
 * gateway's client must send each request and read the response as recorded.
 */

import { WorkerLostError } from '../../src/device/worker-lost';
import { DeadlineError, OverloadError } from '../../src/scheduling/errors';
import type {
  BuiltInCategory,
  Challenge,
  CompareReply,
  DetectReply,
  FaultReply,
  FramesReply,
  Light,
  ModerateReply,
  PrototypeReply,
  WireHeaders,
} from '../../src/wire';
import type { AttributeName } from '../../src/wire/faces';

/** The gateway's call, without the images. */
export type Call =
  | {
      readonly operation: 'detect';
      readonly attributes?: 'all' | readonly AttributeName[];
      readonly isFrame?: boolean;
    }
  | { readonly operation: 'compare' }
  | {
      readonly operation: 'moderate';
      readonly builtIn: readonly BuiltInCategory[];
      readonly prototypes: readonly Buffer[];
    }
  | { readonly operation: 'prototype' }
  | {
      readonly operation: 'frames';
      readonly timesMs: readonly number[];
      readonly challenges: readonly Challenge[];
      readonly light?: Light;
    };

/** An item that the tier gives its workers, and their result; an error is thrown. */
export interface Item {
  readonly operation: string;
  readonly input: object;
  readonly result: object | Error;
}

export interface Exchange {
  readonly name: string;
  readonly call: Call;
  /** Encoded images, which neither side looks into. */
  readonly images: readonly Buffer[];
  readonly request: { readonly path: string; readonly headers: Partial<WireHeaders>; readonly body: Buffer };
  readonly items: readonly Item[];
  readonly response: {
    readonly status: number;
    readonly retryAfter?: number;
    readonly body: DetectReply | CompareReply | ModerateReply | PrototypeReply | FramesReply | FaultReply;
  };
  /** The error that the gateway's client throws; absent: it returns the body. */
  readonly failure?: object;
}

/** Every exchange has the same, because the tier measures them. */
const timings = { totalMs: 1 };
export const requestId = 'req_recorded';
/** Milliseconds left to the caller. */
export const deadlineMs = 4_321;

const [first, two, three] = ['one', 'second', 'third image'].map((text) => Buffer.from(text)) as [
  Buffer,
  Buffer,
  Buffer,
];
const lengths = (...parts: readonly Buffer[]) => parts.map(({ length }) => length).join();
const refused = { ok: false, code: 'INVALID_IMAGE', reason: 'corrupt', values: {} } as const;

const face = {
  confidence: 0.75,
  boundingBox: { left: 0.25, top: 0.125, width: 0.5, height: 0.5 },
  quality: { brightness: 0.5, sharpness: 0.25 },
};
const occluded = { value: false, confidence: 0.875 };
const plain = { faces: [{ ...face, isConfirmed: false, occluded }] };
const posed = { faces: [{ ...face, occluded, attributes: { pose: { yaw: 1, pitch: -2, roll: 3.5 } } }] };
const embedded = (...embedding: readonly number[]) => ({ ...face, embedding: Float32Array.from(embedding) });

/** A prototype of the background that `tier.test.ts` gives the app: version 7, two features. */
const prototype = Buffer.alloc(20);
prototype.writeUInt32LE(7);
const stale = Buffer.alloc(20);
const elements = [{ type: 'Explicit', confidence: 0.25, subTypes: [{ type: 'Porn', confidence: 0.25 }] }];
const violence = { type: 'Violence', confidence: 0.75, subTypes: [{ type: 'Knife', confidence: 0.75 }] };
const probabilities = { Drawing: 0.25, Hentai: 0, Neutral: 0.5, Porn: 0.25, Sexy: 0 };

const signals: Omit<FramesReply, 'timings'> = {
  frames: [
    { timeMs: 0, ok: true, change: null, faceCount: 0, face: null },
    { timeMs: 66, ok: false, code: 'INVALID_IMAGE', reason: 'format', values: {} },
  ],
  best: null,
  planarity: null,
  foreshortening: null,
  smear: null,
  motion: { challenges: [] },
  duplicates: [],
  screen: null,
  light: null,
  reference: { ok: true, faceCount: 1, similarity: null },
};
const challenge: Challenge = { kind: 'left', fromMs: 0, toMs: 500 };
const light: Light = {
  colors: [
    [255, 176, 64],
    [64, 160, 255],
  ],
  shown: [
    { index: 0, sinceMs: 120 },
    { index: 1, sinceMs: 40 },
  ],
};

/** A detection that fails in the tier. */
function failing(name: string, error: Error, response: Exchange['response'], failure: object): Exchange {
  return {
    name,
    call: { operation: 'detect' },
    images: [first],
    request: { path: '/detect', headers: {}, body: first },
    items: [{ operation: 'detect', input: { image: first, attributes: [], isFrame: false }, result: error }],
    response,
    failure,
  };
}

export const exchanges: readonly Exchange[] = [
  {
    name: 'detect',
    call: { operation: 'detect' },
    images: [first],
    request: { path: '/detect', headers: {}, body: first },
    items: [
      {
        operation: 'detect',
        input: { image: first, attributes: [], isFrame: false },
        result: { ok: true, value: plain },
      },
    ],
    response: { status: 200, body: { ...plain, timings } },
  },
  {
    name: 'detect with an attribute, on a frame of a capture',
    call: { operation: 'detect', attributes: ['pose'], isFrame: true },
    images: [first],
    request: { path: '/detect', headers: { 'x-attributes': 'pose', 'x-limits': 'frame' }, body: first },
    items: [
      {
        operation: 'detect',
        input: { image: first, attributes: ['pose'], isFrame: true },
        result: { ok: true, value: posed },
      },
    ],
    response: { status: 200, body: { ...posed, timings } },
  },
  {
    name: 'detect with every attribute, on a damaged image',
    call: { operation: 'detect', attributes: 'all' },
    images: [first],
    request: { path: '/detect', headers: { 'x-attributes': 'all' }, body: first },
    items: [
      {
        operation: 'detect',
        input: {
          image: first,
          attributes: ['landmarks', 'pose', 'emotions', 'ageRange', 'gender', 'accessories'],
          isFrame: false,
        },
        result: refused,
      },
    ],
    response: { status: 422, body: { error: { code: 'INVALID_IMAGE', reason: 'corrupt', values: {} } } },
    failure: { body: { code: 'INVALID_IMAGE', reason: 'corrupt' } },
  },
  {
    name: 'compare',
    call: { operation: 'compare' },
    images: [first, two],
    request: {
      path: '/compare',
      headers: { 'x-part-lengths': lengths(first, two) },
      body: Buffer.concat([first, two]),
    },
    items: [
      {
        operation: 'describe',
        input: { image: first, faces: 'largest' },
        result: { ok: true, value: { faces: [{ ...embedded(1, 0), warnings: [] }] } },
      },
      {
        operation: 'describe',
        input: { image: two, faces: 'all' },
        result: {
          ok: true,
          value: {
            faces: [
              { ...embedded(0.5, 0), warnings: [] },
              { ...embedded(1, 0), warnings: ['blur', 'dark'] },
            ],
          },
        },
      },
    ],
    response: {
      status: 200,
      body: {
        source: { ...face, warnings: [] },
        targets: [
          { ...face, warnings: ['blur', 'dark'], similarity: 1 },
          { ...face, warnings: [], similarity: 0.5 },
        ],
        timings,
      },
    },
  },
  {
    name: 'compare without a face in the target',
    call: { operation: 'compare' },
    images: [first, two],
    request: {
      path: '/compare',
      headers: { 'x-part-lengths': lengths(first, two) },
      body: Buffer.concat([first, two]),
    },
    items: [
      {
        operation: 'describe',
        input: { image: first, faces: 'largest' },
        result: { ok: true, value: { faces: [embedded(1, 0)] } },
      },
      {
        operation: 'describe',
        input: { image: two, faces: 'all' },
        result: { ok: true, value: { faces: [] } },
      },
    ],
    response: {
      status: 422,
      body: { error: { code: 'NO_FACE_DETECTED', reason: 'target', part: 'target' } },
    },
    failure: { body: { code: 'NO_FACE_DETECTED', reason: 'target' } },
  },
  {
    name: 'moderate with built-in and custom categories',
    call: { operation: 'moderate', builtIn: ['Explicit', 'Violence'], prototypes: [prototype, prototype] },
    images: [first],
    request: {
      path: '/moderate?categories=Explicit,Violence',
      headers: { 'x-part-lengths': `${first.length},40` },
      body: Buffer.concat([first, prototype, prototype]),
    },
    items: [
      {
        operation: 'moderate',
        input: {
          image: first,
          categories: ['Explicit', 'Violence'],
          prototypes: Buffer.concat([prototype, prototype]),
        },
        result: {
          ok: true,
          value: { elements: [violence, ...elements], probabilities, custom: [0.25, 0.5] },
        },
      },
    ],
    response: {
      status: 200,
      body: { elements: [violence, ...elements], probabilities, custom: [0.25, 0.5], timings },
    },
  },
  {
    name: 'moderate for violence alone',
    call: { operation: 'moderate', builtIn: ['Violence'], prototypes: [] },
    images: [first],
    request: { path: '/moderate?categories=Violence', headers: {}, body: first },
    items: [
      {
        operation: 'moderate',
        input: { image: first, categories: ['Violence'] },
        result: { ok: true, value: { elements: [violence], custom: [] } },
      },
    ],
    response: { status: 200, body: { elements: [violence], custom: [], timings } },
  },
  {
    name: 'moderate with a prototype of another model',
    call: { operation: 'moderate', builtIn: [], prototypes: [stale] },
    images: [first],
    request: {
      path: '/moderate?categories=',
      headers: { 'x-part-lengths': `${first.length},20` },
      body: Buffer.concat([first, stale]),
    },
    items: [],
    response: { status: 400, body: { error: { code: 'INVALID_PARAMETERS', reason: 'prototypes' } } },
    failure: { name: 'StalePrototypes' },
  },
  {
    name: 'make a prototype',
    call: { operation: 'prototype' },
    images: [first, two, three, first, two],
    request: {
      path: '/prototype',
      headers: { 'x-part-lengths': lengths(first, two, three, first, two) },
      body: Buffer.concat([first, two, three, first, two]),
    },
    items: [
      {
        operation: 'prototype',
        input: { images: [first, two, three, first, two] },
        result: { ok: true, value: { prototype: 'AAAA', outliers: [3] } },
      },
    ],
    response: { status: 200, body: { prototype: 'AAAA', outliers: [3], timings } },
  },
  {
    name: 'make a prototype of images that have nothing in common',
    call: { operation: 'prototype' },
    images: [first, two, three, first, two],
    request: {
      path: '/prototype',
      headers: { 'x-part-lengths': lengths(first, two, three, first, two) },
      body: Buffer.concat([first, two, three, first, two]),
    },
    items: [
      {
        operation: 'prototype',
        input: { images: [first, two, three, first, two] },
        result: {
          ok: false,
          code: 'INVALID_PARAMETERS',
          reason: 'contradictory',
          values: { outliers: 2, examples: 5 },
        },
      },
    ],
    response: {
      status: 422,
      body: {
        error: {
          code: 'INVALID_PARAMETERS',
          reason: 'contradictory',
          values: { outliers: 2, examples: 5 },
        },
      },
    },
    failure: { name: 'ExamplesRefused', fault: { reason: 'contradictory' } },
  },
  {
    name: 'frames with a challenge, the light of the page and a reference',
    call: { operation: 'frames', timesMs: [0, 66], challenges: [challenge], light },
    images: [first, two, three],
    request: {
      path: '/frames',
      headers: {
        'x-part-lengths': lengths(first, two, three),
        'x-frame-times': '0,66',
        'x-challenges': 'left@0-500',
        'x-light-colors': 'ffb040,40a0ff',
        'x-frame-lights': '0+120,1+40',
      },
      body: Buffer.concat([first, two, three]),
    },
    items: [
      {
        operation: 'frames',
        input: {
          frames: [
            { image: first, timeMs: 0 },
            { image: two, timeMs: 66 },
          ],
          challenges: [challenge],
          light,
          reference: three,
        },
        result: { ok: true, value: signals },
      },
    ],
    response: { status: 200, body: { ...signals, timings } },
  },
  failing(
    'an overloaded tier',
    new OverloadError('full', 3),
    { status: 503, retryAfter: 3, body: { error: { code: 'SERVICE_UNAVAILABLE', reason: 'overload' } } },
    { body: { code: 'SERVICE_UNAVAILABLE', reason: 'overload' }, retryAfterSeconds: 3 },
  ),
  failing(
    'a worker that dies',
    new WorkerLostError(new Error('signal 11')),
    { status: 503, retryAfter: 1, body: { error: { code: 'SERVICE_UNAVAILABLE', reason: 'inference' } } },
    { body: { code: 'SERVICE_UNAVAILABLE', reason: 'inference' }, retryAfterSeconds: 1 },
  ),
  failing(
    'a missed deadline',
    new DeadlineError(),
    { status: 504, body: { error: { code: 'DEADLINE_EXCEEDED' } } },
    { body: { code: 'DEADLINE_EXCEEDED' } },
  ),
  failing(
    'a defect of the tier',
    new Error('a tensor of another shape'),
    { status: 500, body: { error: { code: 'INTERNAL_ERROR' } } },
    { body: { code: 'INTERNAL_ERROR' } },
  ),
];
