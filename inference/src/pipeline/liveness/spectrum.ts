/** Power spectra of small gray images: a two-dimensional fast Fourier transform, radix 2, after a Hann window. */

/** A gray image, square, row-major. */
export interface Grey {
  readonly values: Float64Array;
  /** Pixels per side; a power of two for spectra. */
  readonly size: number;
}

/**
 * Power at every frequency, divided by the number of pixels and by the window's mean power, so that white noise has
 * its variance everywhere. The mean is removed first.
 * @returns size * size values; row v and column u hold the frequency of v and u cycles per image, those above half
 *   of the size being negative.
 * @throws RangeError when the size is not a power of two.
 */
export function powerSpectrum({ values, size }: Grey): Float64Array {
  if (size < 2 || (size & (size - 1)) !== 0) throw new RangeError(`${size} is not a power of two`);
  const window = hann(size);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const re = values.map(
    (value, i) => (value - mean) * (window[i % size] as number) * (window[Math.floor(i / size)] as number),
  );
  const im = new Float64Array(values.length);
  const turn = twiddles(size);
  for (let row = 0; row < size; row++) transform(re, im, turn, { start: row * size, step: 1 });
  for (let column = 0; column < size; column++) transform(re, im, turn, { start: column, step: size });
  const windowPower = window.reduce((sum, w) => sum + w * w, 0) ** 2;
  return re.map((value, i) => (value * value + (im[i] as number) ** 2) / windowPower);
}

const hann = (size: number) =>
  Float64Array.from({ length: size }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / size));

interface Twiddles {
  readonly cos: Float64Array;
  readonly sin: Float64Array;
}

function twiddles(size: number): Twiddles {
  const angle = (_: unknown, i: number) => (-2 * Math.PI * i) / size;
  return {
    cos: Float64Array.from({ length: size / 2 }, (_, i) => Math.cos(angle(_, i))),
    sin: Float64Array.from({ length: size / 2 }, (_, i) => Math.sin(angle(_, i))),
  };
}

/** Transforms one row or column in place: Cooley and Tukey, "An algorithm for the machine calculation of complex
 * Fourier series", 1965, decimation in time. */
function transform(
  re: Float64Array,
  im: Float64Array,
  { cos, sin }: Twiddles,
  { start, step }: { start: number; step: number },
): void {
  const size = 2 * cos.length;
  const place = (i: number) => start + i * step;
  for (let i = 1, reversed = 0; i < size; i++) {
    let bit = size >> 1;
    for (; reversed & bit; bit >>= 1) reversed ^= bit;
    reversed ^= bit;
    if (i < reversed) {
      swap(re, place(i), place(reversed));
      swap(im, place(i), place(reversed));
    }
  }
  for (let half = 1; half < size; half *= 2) {
    const stride = size / (2 * half);
    for (let first = 0; first < size; first += 2 * half) {
      for (let k = 0; k < half; k++) {
        const a = place(first + k);
        const b = place(first + k + half);
        const c = cos[k * stride] as number;
        const s = sin[k * stride] as number;
        const real = (re[b] as number) * c - (im[b] as number) * s;
        const imaginary = (re[b] as number) * s + (im[b] as number) * c;
        re[b] = (re[a] as number) - real;
        im[b] = (im[a] as number) - imaginary;
        re[a] = (re[a] as number) + real;
        im[a] = (im[a] as number) + imaginary;
      }
    }
  }
}

function swap(values: Float64Array, a: number, b: number): void {
  const kept = values[a] as number;
  values[a] = values[b] as number;
  values[b] = kept;
}
