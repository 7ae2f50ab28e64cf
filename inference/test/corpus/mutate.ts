/** Ways to break a file, each as a random source decides. */
import { containerOf, join, partsOf } from './containers';
import type { Random } from './random';

export interface Mutation {
  readonly name: string;
  /** @param other another file, for splices. */
  apply(file: Buffer, random: Random, other: Buffer): Buffer;
}

const changed = (file: Buffer, change: (copy: Buffer) => void) => {
  const copy = Buffer.from(file);
  if (copy.length > 0) change(copy);
  return copy;
};

/** Lengths and dimensions that break sums, signs and allocations. */
const liesOf16 = [0, 1, 2, 0x7fff, 0x8000, 0xfffe, 0xffff];
const liesOf32 = [0, 1, 0x7fff, 0x10000, 0x7ffffffe, 0x7fffffff, 0x80000000, 0xfffffff0, 0xffffffff];

export const mutations: readonly Mutation[] = [
  {
    name: 'bits',
    apply: (file, random) =>
      changed(file, (copy) => {
        for (let i = random.below(16); i >= 0; i--) {
          const at = random.below(copy.length);
          copy[at] = (copy[at] as number) ^ (1 << random.below(8));
        }
      }),
  },
  {
    name: 'bits of the header',
    apply: (file, random) =>
      changed(file, (copy) => {
        const at = random.below(Math.min(copy.length, 64));
        copy[at] = (copy[at] as number) ^ (1 << random.below(8));
      }),
  },
  {
    name: 'bytes',
    apply: (file, random) =>
      changed(file, (copy) => {
        const at = random.below(copy.length);
        random.bytes(1 + random.below(32)).copy(copy, at);
      }),
  },
  { name: 'truncation', apply: (file, random) => file.subarray(0, random.below(file.length + 1)) },
  {
    name: 'a hole',
    apply: (file, random) => {
      const at = random.below(file.length + 1);
      return Buffer.concat([file.subarray(0, at), file.subarray(at + 1 + random.below(64))]);
    },
  },
  {
    name: 'zeros',
    apply: (file, random) =>
      changed(file, (copy) => {
        const at = random.below(copy.length);
        copy.fill(random.pick([0, 0xff]), at, Math.min(copy.length, at + 1 + random.below(256)));
      }),
  },
  {
    name: 'a splice',
    apply: (file, random, other) =>
      Buffer.concat([
        file.subarray(0, random.below(file.length + 1)),
        other.subarray(random.below(other.length + 1)),
      ]),
  },
  {
    name: 'bytes behind the end',
    apply: (file, random, other) => Buffer.concat([file, random.pick([other, random.bytes(64)])]),
  },
  {
    name: 'a part twice',
    apply: (file, random) =>
      onParts(file, (parts) => parts.toSpliced(random.below(parts.length), 0, random.pick(parts))),
  },
  {
    name: 'a part less',
    apply: (file, random) => onParts(file, (parts) => parts.toSpliced(random.below(parts.length), 1)),
  },
  {
    name: 'a part of another file',
    apply: (file, random, other) =>
      onParts(file, (parts) =>
        parts.toSpliced(1 + random.below(parts.length), 0, random.pick(partsOf(other))),
      ),
  },
  {
    name: 'parts in another order',
    apply: (file, random) =>
      onParts(file, ([first, ...rest]) => {
        const [moved] = rest.splice(random.below(rest.length), 1);
        if (moved) rest.splice(random.below(rest.length + 1), 0, moved);
        return [first as Buffer, ...rest];
      }),
  },
  { name: 'a length that lies', apply: lieAboutLength },
  { name: 'dimensions that lie', apply: lieAboutDimensions },
];

function onParts(file: Buffer, change: (parts: Buffer[]) => Buffer[]): Buffer {
  const parts = file.length < 16 ? [file] : partsOf(file);
  const joined = change(parts);
  return joined.length > 0 && Buffer.concat(joined).length > 16 ? join(joined) : Buffer.concat(joined);
}

function lieAboutLength(file: Buffer, random: Random): Buffer {
  if (file.length < 16) return file;
  const parts = partsOf(file).map((part) => Buffer.from(part));
  const part = random.pick(parts.slice(1));
  if (part === undefined || part.length < 8) return Buffer.concat(parts);
  const container = containerOf(file);
  if (container === 'jpeg') part.writeUInt16BE(random.pick(liesOf16), 2);
  else if (container === 'png') part.writeUInt32BE(random.pick(liesOf32), 0);
  // The first sub-block of an extension, or of the pixels of a frame.
  else if (container === 'gif') part.writeUInt8(random.below(256), part[0] === 0x2c ? 11 % part.length : 2);
  else part.writeUInt32LE(random.pick(liesOf32), 4);
  return Buffer.concat(parts);
}

function lieAboutDimensions(file: Buffer, random: Random): Buffer {
  const [at, lie] = dimensionLie(file, random);
  if (at + lie.length > file.length) return file;
  return changed(file, (copy) => lie.copy(copy, at));
}

/** Position of a width or height, and values to put there. */
function dimensionLie(file: Buffer, random: Random): readonly [at: number, lie: Buffer] {
  const second = random.below(2);
  const lie = Buffer.alloc(4);
  const container = file.length < 64 ? undefined : containerOf(file);
  if (container === 'png') {
    lie.writeUInt32BE(random.pick([...liesOf32, 20_000, 65_536]));
    return [16 + 4 * second, lie];
  }
  lie.writeUInt16BE(random.pick([...liesOf16, 20_000]));
  const short = lie.subarray(0, 2);
  if (container === 'jpeg') return [frameOf(file) + 5 + 2 * second, short];
  if (container === 'gif') return [gifSize(file, random) + 2 * second, short.reverse()];
  // The three kinds of WebP have theirs at different places.
  return [random.pick([24, 26, 27]) + 2 * second, short.reverse()];
}

/** Position of the width of a GIF's canvas, or of the place or width of one of its frames. */
function gifSize(file: Buffer, random: Random): number {
  const places = [6];
  let at = 0;
  for (const part of partsOf(file)) {
    if (part[0] === 0x2c) places.push(at + 1, at + 5);
    at += part.length;
  }
  return random.pick(places);
}

/** Start of the frame header of a JPEG; the file's end where it has none. */
function frameOf(file: Buffer): number {
  let at = 0;
  for (const part of partsOf(file)) {
    if (part[0] === 0xff && ((part[1] as number) & 0xfd) === 0xc0) return at;
    at += part.length;
  }
  return at;
}

/** Breaks a file in one to three ways; the names say how. */
export function mutate(file: Buffer, random: Random, other: Buffer): { bytes: Buffer; how: string } {
  const ways = Array.from({ length: 1 + random.below(3) }, () => random.pick(mutations));
  const bytes = ways.reduce((broken, way) => way.apply(broken, random, other), file);
  return { bytes, how: ways.map(({ name }) => name).join(', ') };
}
