/** Transfers bytes to a worker without copying them. */

/** The distinct buffers of all bytes inside plain objects and lists. Parts of one buffer must travel together. */
export function buffersOf(value: unknown): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  collect(value, buffers);
  return [...buffers];
}

function collect(value: unknown, buffers: Set<ArrayBuffer>): void {
  if (ArrayBuffer.isView(value)) buffers.add(value.buffer as ArrayBuffer);
  else if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) collect(inner, buffers);
  }
}

/** Values that own their whole buffer, so that it can be transferred. Copies parts, such as small Buffers, which share a pool. */
export function transferable<Values extends Uint8Array | Float32Array>(values: Values): Values {
  if (values.byteLength === values.buffer.byteLength) return values;
  const Typed = values instanceof Float32Array ? Float32Array : Uint8Array;
  return new Typed(values as Float32Array) as Values;
}
