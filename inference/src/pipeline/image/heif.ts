/**
 * Decodes HEIC by libheif in WebAssembly, because the image library has no HEVC decoder. Each image gets an instance and
 * a memory of its own: a crafted file cannot reach another image, and cannot take more memory than the limit.
 */
import { readFileSync } from 'node:fs';
import createLibheif from 'libheif-js/libheif-wasm/libheif.js';
import { type DecodingBudget, patient } from './decoding-budget';
import { readHeif } from './heif-file';
import { ImageError } from './image-error';
import { checkSize, maxPixelsOf } from './limits';
import { isChain } from './profile';

/** A photo of 24 megapixels with 10 bits takes 244 MiB, which is the most that was measured. */
const maxMemoryBytes = 288 * 1024 * 1024;
const maxPixels = maxPixelsOf('heic');
/** Pixels of all tiles and of the transparency, as a multiple. A photo of 24 megapixels has 1.2 in tiles of 512. */
const maxStored = 1.5;

// Node's types do not have it.
declare namespace WebAssembly {
  type Imports = Readonly<Record<string, unknown>>;
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    constructor(module: Module, imports: Imports);
    readonly exports: Readonly<Record<string, unknown>>;
  }
  class Memory {
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
}

/** An upright image. */
export interface HeifImage {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly channels: 3 | 4;
  /** An ICC profile of the colors. */
  readonly profile: Buffer | undefined;
}

/** The part of the library that is used. A failure is an object with a code. */
interface Libheif {
  heif_context_alloc(): unknown;
  heif_context_read_from_memory(context: unknown, file: Uint8Array): { readonly code: { value: number } };
  heif_js_context_get_primary_image_handle(context: unknown): { readonly code?: unknown } | undefined;
  heif_image_handle_has_alpha_channel(handle: unknown): number;
  heif_js_decode_image2(handle: unknown, colorspace: unknown, chroma: unknown): Decoded | undefined;
  readonly heif_colorspace: { readonly heif_colorspace_RGB: unknown };
  readonly heif_chroma: Readonly<
    Record<'heif_chroma_interleaved_RGB' | 'heif_chroma_interleaved_RGBA', unknown>
  >;
}

interface Decoded {
  readonly code?: unknown;
  readonly channels?: readonly {
    readonly width: number;
    readonly height: number;
    /** Bytes from one row to the next. */
    readonly stride: number;
    readonly data: Uint8Array;
  }[];
}

let compiled: WebAssembly.Module | undefined;

/** Nanoseconds to decode a pixel of one color; one of a photograph takes more. */
const perPixel = 50;

export interface HeifOptions {
  /** The most memory that decoding may take. */
  readonly memoryBytes?: number;
  /** Called with the price in milliseconds before anything is decoded. */
  readonly spend?: DecodingBudget['spend'];
}

/** @throws ImageError */
export function decodeHeif(
  file: Buffer,
  { memoryBytes = maxMemoryBytes, spend = patient.spend }: HeifOptions = {},
): HeifImage {
  const { width, height, storedPixels, largestPixels, profile } = readHeif(file);
  checkSize(width, height, maxPixels);
  // Tiles may exceed the image at its right and bottom, but not by far, and the whole may have transparency.
  const isExcessive = largestPixels > maxPixels || storedPixels > maxStored * maxPixels;
  if (isExcessive || Math.min(width, height) === 0) throw new ImageError('corrupt');
  spend((perPixel * storedPixels) / 1e6);
  const libheif = start(memoryBytes);
  try {
    return { ...decode(libheif, file), profile: profile && isChain(profile) ? undefined : profile };
  } catch (cause) {
    // The library ended: the image made it fail.
    if (!(cause instanceof ImageError)) throw new ImageError('corrupt', {}, { cause });
    throw cause;
  }
}

function decode(libheif: Libheif, file: Buffer): Omit<HeifImage, 'profile'> {
  const context = libheif.heif_context_alloc();
  if (libheif.heif_context_read_from_memory(context, file).code.value !== 0) throw new ImageError('corrupt');
  const handle = libheif.heif_js_context_get_primary_image_handle(context);
  if (!handle || handle.code) throw new ImageError('corrupt');
  const channels = libheif.heif_image_handle_has_alpha_channel(handle) ? 4 : 3;
  const { heif_chroma_interleaved_RGB: rgb, heif_chroma_interleaved_RGBA: rgba } = libheif.heif_chroma;
  const { heif_colorspace_RGB: colorspace } = libheif.heif_colorspace;
  // Turns and mirrors the image as the file says. The orientation in EXIF repeats that, and must not be applied again.
  const decoded = libheif.heif_js_decode_image2(handle, colorspace, channels === 4 ? rgba : rgb);
  const [plane] = decoded?.channels ?? [];
  if (!plane || decoded?.code) throw new ImageError('corrupt');
  const { width, height, stride, data } = plane;
  return { pixels: withoutPadding(data, width * channels, stride, height), width, height, channels };
}

/** Rows one directly behind the other; a view of the library's memory where they are already. */
function withoutPadding(data: Uint8Array, rowBytes: number, stride: number, height: number): Uint8Array {
  if (stride === rowBytes) return data.subarray(0, rowBytes * height);
  const packed = new Uint8Array(rowBytes * height);
  for (let y = 0; y < height; y++) packed.set(data.subarray(y * stride, y * stride + rowBytes), y * rowBytes);
  return packed;
}

/** A new instance of the library. */
function start(memoryBytes: number): Libheif {
  compiled ??= new WebAssembly.Module(readFileSync(require.resolve('libheif-js/libheif-wasm/libheif.wasm')));
  const options = {
    instantiateWasm(imports: WebAssembly.Imports, onDone: (instance: WebAssembly.Instance) => void) {
      const instance = new WebAssembly.Instance(compiled as WebAssembly.Module, imports);
      limitMemory(instance, memoryBytes);
      onDone(instance);
      return instance.exports;
    },
    print() {},
    printErr() {},
  };
  return createLibheif(options) as unknown as Libheif;
}

/** The library reports memory that it does not get as an error of the image. */
function limitMemory({ exports }: WebAssembly.Instance, most: number): void {
  const pageBytes = 65_536;
  for (const memory of Object.values(exports)) {
    if (!(memory instanceof WebAssembly.Memory)) continue;
    const grow = memory.grow.bind(memory);
    memory.grow = (pages) => {
      if (memory.buffer.byteLength + pages * pageBytes > most) throw new RangeError('too much memory');
      return grow(pages);
    };
  }
}
