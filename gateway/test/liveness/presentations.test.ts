/** Rendered people and attacks before the real inference tier, the guidance and the verdict. */
import type { DetectReply, FramesReply } from '@presenza/inference/protocol';
import { HttpInferenceClient } from '../../src/services/inference/inference-client';
import type { Evidence } from '../../src/services/liveness/evidence';
import { judge, type Verdict } from '../../src/services/liveness/verdict';
import type { RefusalName } from '../../src/services/liveness/verdict-table';
import { type RunningProcess, startInference } from '../processes';
import { recordAttempt } from './people/attempt';
import { loadPeople, type Person } from './people/people';
import { jpegOf } from './people/picture';
import { room, shoot, straightOn, vga, withShoulders } from './people/scene';
import { attackSpecies, genuineSpecies } from './people/species';

let tier: RunningProcess;
let client: HttpInferenceClient;
let people: Person[];

beforeAll(async () => {
  [tier, people] = await Promise.all([startInference(), loadPeople()]);
  client = new HttpInferenceClient(tier.url);
});
afterAll(async () => {
  client?.close();
  await tier?.stop();
});

const call = {
  requestId: 'req_test',
  field: 'image',
  deadline: { signal: new AbortController().signal, leftMs: () => 60_000 },
};
const look = async (image: Buffer): Promise<DetectReply['faces']> =>
  (await client.detect(image, { ...call, attributes: ['pose'] })).faces;

const faceOf = (frame: FramesReply['frames'][number] | undefined) => {
  if (!frame?.ok || !frame.face) throw new Error('no face');
  return frame.face;
};

const views = [
  { yaw: 0, pitch: 0 },
  { yaw: 20, pitch: 0 },
  { yaw: 35, pitch: 0 },
  { yaw: -20, pitch: 0 },
  { yaw: -35, pitch: 0 },
  { yaw: 0, pitch: 18 },
  { yaw: 0, pitch: -18 },
  { yaw: 18, pitch: 8 },
];

test('rendered heads are seen as they are turned: as one person, and round', async () => {
  for (const [i, person] of people.slice(0, 3).entries()) {
    const backdrop = await withShoulders(await room(vga, i), person, straightOn);
    const images = await Promise.all(
      views.map(async (view, at) =>
        jpegOf(await shoot(vga, backdrop, [{ solid: person.head, at: { ...straightOn, ...view } }], at)),
      ),
    );
    const frames = images.map((image, at) => ({ image, timeMs: 1000 * at }));
    const signals = await client.frames({ frames, challenges: [] }, call);
    const straight = faceOf(signals.frames[0]).pose;
    for (const [at, view] of views.entries()) {
      const frame = signals.frames[at];
      expect(frame).toMatchObject({ ok: true, faceCount: 1 });
      const { pose, similarity } = faceOf(frame);
      expect(Math.abs(pose.yaw - straight.yaw - view.yaw)).toBeLessThan(14);
      expect(Math.abs(pose.pitch - straight.pitch - view.pitch)).toBeLessThan(14);
      expect(similarity.toBest).toBeGreaterThan(0.7);
    }
    // Of portraits that are turned by so much, one in a hundred shows less than 0.4.
    expect(signals.planarity?.parallax).toBeGreaterThan(0.4);
  }
});

/** Films an attempt, has it measured and judged. */
async function verdictOf(name: string, seed: number): Promise<Verdict> {
  const species = [...genuineSpecies, ...attackSpecies].find((one) => one.name === name);
  if (!species) throw new Error(`no species ${name}`);
  const { subject, ...asked } = await species.present(people, seed);
  // An attack that the guidance stops is judged all the same.
  const patienceMs = species.genuine ? 20_000 : 1400;
  const { images, forced, ...books } = await recordAttempt(subject, { ...asked, look, patienceMs });
  if (species.genuine) expect(forced).toBe(0);
  const signals = await client.frames(
    {
      frames: images.map((image, i) => ({
        image,
        timeMs: books.frames.arrivalsMs[books.frames.kept[i] as number] as number,
      })),
      challenges: books.steps.flatMap(({ movement, ...span }) =>
        movement === 'centre' ? [] : [{ kind: movement, ...span }],
      ),
    },
    call,
  );
  return judge({ ...books, signals } satisfies Evidence);
}

test.each(['usual', 'glasses'])('an honest person is live: %s', async (name) => {
  expect(await verdictOf(name, 4)).toMatchObject({ isLive: true, reasons: [] });
});

const expected: Readonly<Record<string, RefusalName>> = {
  'still print': 'notAnswered',
  'replay into the browser': 'notAnswered',
  'wrong movements': 'unaskedTurn',
  'swapped midway': 'otherPerson',
  'two faces': 'severalFaces',
  'black frames': 'faceAway',
  stuttering: 'repeatedPictures',
};

test.each(Object.entries(expected))('%s is refused: %s', async (name, reason) => {
  const { isLive, confidence, reasons } = await verdictOf(name, 5);
  expect(reasons).toContain(reason);
  expect(isLive).toBe(false);
  expect(confidence).toBeLessThan(0.02);
});
