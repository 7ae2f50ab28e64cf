/**
 * Reads the boxes of a HEIC file without decoding it, so that its size is known before (ISO/IEC 23008-12). Only still
 * images in HEVC are read, whole or as a grid of tiles, which is what phones write.
 */
import { ImageError } from './image-error';

export interface HeifFile {
  /** Width as stored, before the image is turned. */
  readonly width: number;
  readonly height: number;
  /** Pixels of all tiles, which may exceed the image, or of an image without tiles; with those of their transparency. */
  readonly storedPixels: number;
  /** Pixels of the image or its largest tile, whichever are more. */
  readonly largestPixels: number;
  /** An ICC profile. */
  readonly profile: Buffer | undefined;
}

interface Box {
  readonly type: string;
  /** Start and end of the content. */
  readonly start: number;
  readonly end: number;
}

/**
 * The first brand says what viewers show. Still images: in HEVC, of 8 bits or more, also with layers, of which the first one
 * is read, or of any coding. The type of the item says which one it has.
 */
const stillBrands = new Set(['heic', 'heix', 'heim', 'heis', 'mif1', 'mif2', 'miaf']);
/** Sequences, which may also hold a still image that viewers do not show. */
const sequenceBrands = new Set(['hevc', 'hevx', 'hevm', 'hevs', 'msf1']);
// cspell:ignore auxid cicp
/** Types of auxiliary images that libheif decodes as transparency. Phones also write depth maps, mattes and gain maps. */
const transparencies = new Set([
  'urn:mpeg:avc:2015:auxid:1',
  'urn:mpeg:hevc:2015:auxid:1',
  'urn:mpeg:mpegB:cicp:systems:auxiliary:alpha',
]);
const longestUrn = Math.max(...[...transparencies].map(({ length }) => length));
const box = (file: Buffer, at: number) => file.toString('latin1', at, at + 4);

/** Whether a file begins like HEIF; others than HEIC do, too. */
export const isHeif = (file: Buffer): boolean => box(file, 4) === 'ftyp';

/** @throws ImageError if the file is no HEIC, a sequence, cut short or damaged */
export function readHeif(file: Buffer): HeifFile {
  try {
    return new HeifReader(file).read();
  } catch (error) {
    // A read past the end of the file throws this: a count or a length is wrong.
    if (error instanceof RangeError) throw new ImageError('corrupt', {}, { cause: error });
    throw error;
  }
}

/** The largest image has 6,000 tiles of 64 x 64 pixels. A file of 5 MB could have millions. */
const maxReferences = 20_000;

/** The properties of an item. */
type Properties = readonly Box[];

/** References of items, by the item that they start from. */
interface References {
  /** The items that it is made from (`dimg`). */
  readonly madeFrom: ReadonlyMap<number, readonly number[]>;
  /** The items that it has further data about (`auxl`), such as their transparency. */
  readonly describes: ReadonlyMap<number, readonly number[]>;
}

class HeifReader {
  constructor(private readonly file: Buffer) {}

  read(): HeifFile {
    const top = this.boxes(0, this.file.length, ['meta', 'mdat']);
    const [type] = top;
    if (type?.type !== 'ftyp') throw new ImageError('format');
    const brand = box(this.file, type.start);
    if (sequenceBrands.has(brand)) throw new ImageError('sequence');
    if (!stillBrands.has(brand)) throw new ImageError('format');
    const meta = this.find(top, 'meta');
    const parts = this.boxes(meta.start + 4, meta.end);
    const primary = this.primaryOf(this.find(parts, 'pitm'));
    const typeOf = this.typesOf(this.find(parts, 'iinf'));
    const propertiesOf = this.propertiesOf(this.find(parts, 'iprp'));
    const primaryProperties = propertiesOf(primary);
    const { width, height } = this.sizeOf(primaryProperties);
    const isGrid = typeOf.get(primary) === 'grid';
    const references = this.referencesOf(parts);
    const tiles = isGrid ? this.tilesOf(references, primary) : [primary];
    const isTransparency = (item: number) => transparencies.has(this.auxiliaryTypeOf(propertiesOf(item)));
    const shown = new Set([primary, ...tiles]);
    const transparency = [...references.describes]
      .filter(([item, to]) => isTransparency(item) && to.some((described) => shown.has(described)))
      .flatMap(([item]) => (typeOf.get(item) === 'grid' ? this.tilesOf(references, item) : [item]));
    const decoded = [...tiles, ...transparency];
    // Other types may be made from any number of images.
    if (decoded.some((item) => typeOf.get(item) !== 'hvc1')) throw new ImageError('format');
    const pixels = decoded.map((item) => {
      const size = this.sizeOf(propertiesOf(item));
      return size.width * size.height;
    });
    return {
      width,
      height,
      storedPixels: pixels.reduce((sum, count) => sum + count, 0),
      largestPixels: pixels.reduce((most, count) => Math.max(most, count), width * height),
      // A grid may have its profile only at its tiles.
      profile: this.profileOf(primaryProperties) ?? this.profileOf(propertiesOf(tiles[0] as number)),
    };
  }

  private primaryOf({ start }: Box): number {
    return this.file[start] === 0 ? this.file.readUInt16BE(start + 4) : this.file.readUInt32BE(start + 4);
  }

  /** The type of each item. */
  private typesOf({ start, end }: Box): Map<number, string> {
    const entries = this.boxes(start + (this.file[start] === 0 ? 6 : 8), end);
    return new Map(
      entries.map((entry) => {
        const isLong = (this.file[entry.start] as number) > 2;
        const id = isLong ? this.file.readUInt32BE(entry.start + 4) : this.file.readUInt16BE(entry.start + 4);
        return [id, box(this.file, entry.start + (isLong ? 10 : 8))] as const;
      }),
    );
  }

  private propertiesOf({ start, end }: Box): (item: number) => Properties {
    const parts = this.boxes(start, end);
    const { file } = this;
    const container = this.find(parts, 'ipco');
    const properties = this.boxes(container.start, container.end);
    const { start: at } = this.find(parts, 'ipma');
    const idBytes = file[at] === 0 ? 2 : 4;
    const indexBytes = (file.readUInt8(at + 3) & 1) + 1;
    const all = new Map<number, Properties>();
    let next = at + 8;
    for (let left = file.readUInt32BE(at + 4); left > 0; left--) {
      const item = file.readUIntBE(next, idBytes);
      const count = file.readUInt8(next + idBytes);
      next += idBytes + 1;
      const indices = Array.from({ length: count }, (_, i) =>
        file.readUIntBE(next + i * indexBytes, indexBytes),
      );
      next += count * indexBytes;
      // The highest bit says whether the property is essential.
      const mask = indexBytes === 1 ? 0x7f : 0x7fff;
      all.set(
        item,
        indices.flatMap((index) => properties[(index & mask) - 1] ?? []),
      );
    }
    return (item) => all.get(item) ?? [];
  }

  private sizeOf(properties: Properties): { readonly width: number; readonly height: number } {
    const { start } = this.find(properties, 'ispe');
    return { width: this.file.readUInt32BE(start + 4), height: this.file.readUInt32BE(start + 8) };
  }

  /** The items that a grid is made from. */
  private tilesOf({ madeFrom }: References, grid: number): readonly number[] {
    const tiles = madeFrom.get(grid);
    if (!tiles) throw new ImageError('corrupt');
    return tiles;
  }

  private referencesOf(parts: readonly Box[]): References {
    const { file } = this;
    const references = { madeFrom: new Map<number, number[]>(), describes: new Map<number, number[]>() };
    const container = parts.find(({ type }) => type === 'iref');
    if (!container) return references;
    const idBytes = file[container.start] === 0 ? 2 : 4;
    let read = 0;
    for (const { type, start } of this.boxes(container.start + 4, container.end)) {
      if (type !== 'dimg' && type !== 'auxl') continue;
      const from = file.readUIntBE(start, idBytes);
      // libheif makes an item from the first of its `dimg` references alone, and follows each `auxl`.
      if (type === 'dimg' && references.madeFrom.has(from)) continue;
      const count = file.readUInt16BE(start + idBytes);
      read += 1 + count;
      if (read > maxReferences) throw new ImageError('corrupt');
      const to = type === 'dimg' ? [] : (references.describes.get(from) ?? []);
      for (let i = 0; i < count; i++) to.push(file.readUIntBE(start + idBytes + 2 + i * idBytes, idBytes));
      (type === 'dimg' ? references.madeFrom : references.describes).set(from, to);
    }
    return references;
  }

  /** The URN of an auxiliary image: what it describes (ISO/IEC 23008-12, 6.5.8). */
  private auxiliaryTypeOf(properties: Properties): string {
    const property = properties.find(({ type }) => type === 'auxC');
    if (!property) return '';
    // Many items may share a property of megabytes.
    const end = Math.min(property.end, property.start + 4 + longestUrn + 1);
    const [urn = ''] = this.file.toString('latin1', property.start + 4, end).split('\0');
    return urn;
  }

  private profileOf(properties: Properties): Buffer | undefined {
    const color = properties.find(
      ({ type, start }) => type === 'colr' && /prof|rICC/.test(box(this.file, start)),
    );
    return color && this.file.subarray(color.start + 4, color.end);
  }

  private find(boxes: readonly Box[], type: string): Box {
    const match = boxes.find((candidate) => candidate.type === type);
    if (!match) throw new ImageError('corrupt');
    return match;
  }

  /** @param enough types after which bytes that are no boxes end the list, as phones append some. */
  private boxes(from: number, to: number, enough?: readonly string[]): Box[] {
    const { file } = this;
    const boxes: Box[] = [];
    for (let at = from; at + 8 <= to; ) {
      const short = file.readUInt32BE(at);
      // 1: a long size follows the type. 0: up to the end.
      const isLong = short === 1;
      const size = isLong ? Number(file.readBigUInt64BE(at + 8)) : short === 0 ? to - at : short;
      const head = isLong ? 16 : 8;
      if (size < head || at + size > to) {
        if (enough?.every((type) => boxes.some((candidate) => candidate.type === type))) break;
        throw new ImageError(size >= head && to === file.length ? 'truncated' : 'corrupt');
      }
      boxes.push({ type: box(file, at + 4), start: at + head, end: at + size });
      at += size;
    }
    return boxes;
  }
}
