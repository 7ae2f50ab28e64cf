/**
 * Writes HEIC files around one tile that is already encoded: no package of the tests has an encoder for HEVC. The tile has
 * 96 x 64 pixels, one color for each quarter.
 */

// cspell:ignore auxl
/** How to decode the tile, as a box. */
const settings = Buffer.from(
  'AAAAeGh2Y0MBA3AAAACQAAAAAAAe8AD8/fj4AAAPA2AAAQAYQAEMAf//A3AAAAMAkAAAAwAAAwAeugJAYQABACtCAQEDcAAAAwCQAAADAAADAB6gMIEF' +
    'lupJKa5uAhoMCAAAAwDIAAADAAhAYgABAAdEAcFysCJA',
  'base64',
);
const tile = Buffer.from(
  'AAAA4igBrwW471c59c5/jg5//+SjvZf2VVwTytCf7Kn//Kt//56Jl22Pp6vb+pZ+TOdv7E+BIvPxBt4flN5NQ4zo4D2S2kgmYfmJnxkX/aDtGjSURE2j' +
    'seLVUemlm4RAQPtX8/Tl/9u1///mx9vOQvdwh3+hdeyoaTfh/l206UdizDJq+5eGHIGz7KqqKavWVDWi6UgTbPUa7351O6ge/m+E/xKKJF16TnV5fd5e' +
    'WP1rhsk+mhvvXd8SXJtfw/jL2EQbidkkfTSoLV5fHvWPGa9lO8CmbFw9t/ROwY+RRGE5q9+5IfA=',
  'base64',
);
export const tileSize = { width: 96, height: 64 } as const;

export interface HeifSpec {
  /** A grid of the tile, row by row. Default: the tile alone. */
  readonly grid?: { readonly columns: number; readonly rows: number };
  /** The size that the file states. Default: the truth. */
  readonly size?: { readonly width: number; readonly height: number };
  /** The size of a tile that the file states. Default: the truth. */
  readonly tile?: { readonly width: number; readonly height: number };
  /** Quarter turns against the clock. */
  readonly turns?: 0 | 1 | 2 | 3;
  readonly isMirrored?: boolean;
  /** An orientation in EXIF, which repeats that of the file. */
  readonly orientation?: number;
  /** Whether all places of a grid show one item. */
  readonly sharesTile?: boolean;
  /** The type of a second image of the same size, in the tiles of the grid, which describes the first. */
  readonly auxiliary?: string;
  /** Further items without data, of the type that `auxiliary` names, which describe the image. */
  readonly describing?: {
    readonly items: number;
    /** How often each refers to the image. */
    readonly references: number;
    /** How many tiles each is a grid of: the first item again and again. Default: it is no grid. */
    readonly tiles?: number;
  };
  /** How often the item of a tile repeats its image. Default: once. */
  readonly repeats?: number;
  readonly profile?: Uint8Array;
  /** A profile of the tiles of a grid. */
  readonly tileProfile?: Uint8Array;
  readonly brand?: string;
  /** The type of the items with pixels. */
  readonly type?: string;
}

interface Item {
  readonly id: number;
  readonly type: string;
  readonly data: Buffer;
  /** Positions of its properties, from 1. */
  readonly properties: readonly number[];
}

export function writeHeif(spec: HeifSpec = {}): Buffer {
  const { grid, brand = 'heic', type = 'hvc1', orientation } = spec;
  const { properties, ofTile, ofImage, ofAuxiliary } = propertiesOf(spec);
  const places = grid ? grid.columns * grid.rows : 1;
  const count = spec.sharesTile ? 1 : places;
  const data = spec.repeats ? Buffer.concat(Array(spec.repeats).fill(tile)) : tile;
  const tiles = Array.from(
    { length: count },
    (_, i): Item => ({ id: i + 1, type, data, properties: grid ? ofTile : [...ofTile, ...ofImage] }),
  );
  const items = [...tiles];
  const references: Buffer[] = [];
  const primary = grid ? count + 1 : 1;
  if (grid) {
    items.push({ id: primary, type: 'grid', data: gridOf(spec, grid), properties: ofImage });
    references.push(
      reference(
        'dimg',
        primary,
        Array.from({ length: places }, (_, i) => 1 + (i % count)),
      ),
    );
  }
  if (grid && spec.auxiliary !== undefined) {
    const alpha = count + 3;
    items.push({ id: alpha, type: 'grid', data: gridOf(spec, grid), properties: ofAuxiliary });
    references.push(
      reference('auxl', alpha, [primary]),
      reference(
        'dimg',
        alpha,
        tiles.map(({ id }) => id),
      ),
    );
  }
  if (spec.describing) {
    const { items: more, references: times, tiles: shown } = spec.describing;
    for (let id = count + 4; id < count + 4 + more; id++) {
      const kind = shown === undefined ? type : 'grid';
      items.push({ id, type: kind, data: Buffer.alloc(0), properties: ofAuxiliary.slice(-1) });
      const auxiliary = reference('auxl', id, [primary]);
      for (let i = 0; i < times; i++) references.push(auxiliary);
      if (shown !== undefined) references.push(reference('dimg', id, Array(shown).fill(1)));
    }
  }
  if (orientation !== undefined) {
    items.push({ id: count + 2, type: 'Exif', data: exif(orientation), properties: [] });
    references.push(reference('cdsc', count + 2, [primary]));
  }
  const head = box('ftyp', text(brand), uint32(0), text('mif1'), text(brand));
  const meta = (offset: number) =>
    box(
      'meta',
      uint32(0),
      box('hdlr', uint32(0), uint32(0), text('pict'), Buffer.alloc(13)),
      box('pitm', uint32(0), uint16(primary)),
      locations(items, offset),
      box('iinf', uint32(0), uint16(items.length), ...items.map(info)),
      ...(references.length > 0 ? [box('iref', uint32(0), Buffer.concat(references))] : []),
      box('iprp', box('ipco', ...properties), associations(items)),
    );
  const start = head.length + meta(0).length + 8;
  return Buffer.concat([head, meta(start), box('mdat', ...items.map(({ data }) => data))]);
}

/** The properties of the file, and those of a tile and of the image by their positions. */
function propertiesOf(spec: HeifSpec) {
  const { grid, size, tile: said = tileSize, turns, isMirrored, profile, tileProfile } = spec;
  const properties = [settings, extent(grid ? said : (size ?? said))];
  const ofTile = [1, 2];
  const ofImage: number[] = [];
  const add = (property: Buffer) => ofImage.push(properties.push(property));
  if (grid) add(extent(size ?? wholeOf(grid)));
  if (profile) add(box('colr', text('prof'), Buffer.from(profile)));
  if (tileProfile) ofTile.push(properties.push(box('colr', text('prof'), Buffer.from(tileProfile))));
  if (turns !== undefined) add(box('irot', Buffer.from([turns])));
  if (isMirrored) add(box('imir', Buffer.from([1])));
  // The size of the tile is the last of its properties.
  if (spec.describing?.tiles !== undefined) ofTile.unshift(...Array(250).fill(1));
  const ofAuxiliary = [...ofImage];
  if (spec.auxiliary !== undefined)
    ofAuxiliary.push(properties.push(box('auxC', uint32(0), text(`${spec.auxiliary}\0`))));
  return { properties, ofTile, ofImage, ofAuxiliary };
}

const wholeOf = ({ columns, rows }: { columns: number; rows: number }) => ({
  width: columns * tileSize.width,
  height: rows * tileSize.height,
});

function gridOf({ size }: HeifSpec, grid: { columns: number; rows: number }): Buffer {
  const { width, height } = size ?? wholeOf(grid);
  // Long numbers, as the flags say.
  return Buffer.concat([Buffer.from([0, 1, grid.rows - 1, grid.columns - 1]), uint32(width), uint32(height)]);
}

const extent = ({ width, height }: { width: number; height: number }) =>
  box('ispe', uint32(0), uint32(width), uint32(height));

const info = ({ id, type }: Item) =>
  box('infe', uint32(0x02000000), uint16(id), uint16(0), text(type), Buffer.alloc(1));

const reference = (type: string, from: number, to: readonly number[]) =>
  box(type, uint16(from), uint16(to.length), ...to.map(uint16));

/** Byte ranges of the items, back to back from `offset`. */
function locations(items: readonly Item[], offset: number): Buffer {
  let at = offset;
  const entries = items.map(({ id, data }) => {
    const entry = [uint16(id), uint16(0), uint16(1), uint32(at), uint32(data.length)];
    at += data.length;
    return Buffer.concat(entry);
  });
  return box('iloc', uint32(0), uint16(0x4400), uint16(items.length), ...entries);
}

function associations(items: readonly Item[]): Buffer {
  const some = items.filter(({ properties }) => properties.length > 0);
  const entries = some.map(({ id, properties }) =>
    Buffer.concat([
      uint16(id),
      Buffer.from([properties.length, ...properties.map((position) => 0x80 | position)]),
    ]),
  );
  return box('ipma', uint32(0), uint32(some.length), ...entries);
}

/** An offset to the TIFF header, and one entry. */
const exif = (orientation: number) =>
  Buffer.concat([
    uint32(0),
    Buffer.from('MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01', 'latin1'),
    uint16(orientation),
    Buffer.alloc(6),
  ]);

const text = (value: string) => Buffer.from(value, 'latin1');

function box(type: string, ...content: Buffer[]): Buffer {
  const data = Buffer.concat(content);
  return Buffer.concat([uint32(data.length + 8), text(type), data]);
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
