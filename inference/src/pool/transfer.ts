/** Transfers bytes to a worker without copying them. */

/** The distinct buffers of all bytes inside plain objects and lists. Parts of one buffer must travel together. */
export function buffersOf(value: unknown): ArrayBuffer[] {
  const found = new Set<ArrayBuffer>();
  collect(value, found);
  return [...found];
}

function collect(value: unknown, found: Set<ArrayBuffer>): void {
  if (ArrayBuffer.isView(value)) found.add(value.buffer as ArrayBuffer);
  else if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) collect(inner, found);
  }
}

/** Bytes that own their whole buffer, so that it can be transferred. Copies small Buffers, which share a pool. */
export function transferable(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : Uint8Array.from(bytes);
}
