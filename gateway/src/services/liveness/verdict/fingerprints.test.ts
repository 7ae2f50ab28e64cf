import { evidenceWith } from '../../../../test/liveness/genuine-evidence';
import { keySecret } from '../../../../test/services';
import { fingerprinter } from './fingerprints';

const session = { accountId: 'acc_1', mode: 'live' } as const;
const images = ['first', 'second', 'third'].map((text) => Buffer.from(text));
const fingerprint = fingerprinter(keySecret);

/** Signals of three frames with these fingerprints; without a face where there is none. */
const signalsOf = (parts: readonly (readonly string[] | null | undefined)[]) =>
  evidenceWith(({ signals }) => {
    signals.frames = signals.frames.slice(0, 3);
    for (const [i, frame] of signals.frames.entries()) {
      if (!frame.ok) continue;
      const given = parts[i];
      if (given === null) frame.face = null;
      else Object.assign(frame.face as object, given && { fingerprint: given });
    }
  }).signals;

const signals = signalsOf([
  ['a', 'b', 'c', 'd'],
  ['x', 'b', 'c', 'd'],
  ['b', 'a', 'd', 'c'],
]);
const text = ({ all }: { all: readonly Buffer[] }) => all.map((bytes) => bytes.toString('hex'));

test('makes one of the bytes and one of each part of a frame, each once', () => {
  const { all } = fingerprint(session, images, signals);
  // Three of bytes, and the four, one and four parts that are new at their positions.
  expect(all).toHaveLength(3 + 4 + 1 + 4);
  expect(new Set(all.map(({ length }) => length))).toEqual(new Set([8]));
});

test('makes others for another account, another mode and another secret', () => {
  const same = text(fingerprint(session, images, signals));
  expect(text(fingerprint(session, images, signals))).toEqual(same);
  const others = [
    fingerprint({ ...session, accountId: 'acc_2' }, images, signals),
    fingerprint({ ...session, mode: 'test' }, images, signals),
    fingerprinter('00'.repeat(32))(session, images, signals),
  ];
  for (const other of others) expect(text(other).filter((each) => same.includes(each))).toEqual([]);
});

test('counts frames with known bytes, and frames with three known parts, apart', () => {
  const { all, reuse } = fingerprint(session, images, signals);
  const known = (...at: readonly number[]) => reuse(all.map((_, i) => at.includes(i)));
  expect(known()).toEqual({ identical: 0, alike: 0 });
  // The bytes of the first frame come first, and its parts after them.
  expect(known(0)).toEqual({ identical: 1, alike: 0 });
  expect(known(1, 2, 4)).toEqual({ identical: 0, alike: 1 });
  expect(known(2, 3)).toEqual({ identical: 0, alike: 0 });
  // The second frame has the same last three.
  expect(known(2, 3, 4)).toEqual({ identical: 0, alike: 2 });
});

test('leaves out frames without a face, and compares only bytes with a tier that sends no fingerprints', () => {
  const { all, reuse } = fingerprint(session, images, signalsOf([null, undefined, undefined]));
  expect(all).toHaveLength(2);
  expect(reuse([true, false])).toEqual({ identical: 1, alike: 0 });
});
