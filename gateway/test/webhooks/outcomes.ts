/** Every outcome of a session as an event, and whether a sample must accept it as verified. */
import { readContract } from '../../src/services/contract/contract';

// biome-ignore lint/suspicious/noExplicitAny: the tests validate the events
type Event = Record<string, any>;
const example = (name: string) => readContract(`examples/webhook-event--session-${name}.json`) as Event;

const [alone, matching, stranger] = ['completed', 'completed-match', 'completed-no-match'].map(example) as [
  Event,
  Event,
  Event,
];
const { result, ...erased } = alone;

export interface Outcome {
  readonly name: string;
  readonly event: Event;
  /** Whether the session was created with a reference image. */
  readonly withReference: boolean;
  readonly isVerified: boolean;
}

const refused: readonly [string, Event][] = [
  ['live, but another person', stranger],
  ['not live', { ...alone, result: { ...result, isLive: false } }],
  ['not live, but the right face', { ...matching, result: { ...matching.result, isLive: false } }],
  ['completed, erased before delivery', erased],
  ['failed', example('failed')],
  ['expired', example('expired')],
  ['cancelled', example('cancelled')],
  ['started', example('started')],
];

export const outcomes: readonly Outcome[] = [
  { name: 'live, without a reference', event: alone, withReference: false, isVerified: true },
  { name: 'live, the person on the reference', event: matching, withReference: true, isVerified: true },
  { name: 'live, but the match is missing', event: alone, withReference: true, isVerified: false },
  ...refused.flatMap(([name, event]) =>
    [true, false].map((withReference) => ({
      name: `${name}, ${withReference ? 'with' : 'without'} a reference`,
      event,
      withReference,
      isVerified: false,
    })),
  ),
];
