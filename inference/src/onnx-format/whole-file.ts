/** Recognizes an ONNX file that was cut off, without reading all of it. */
import { open } from 'node:fs/promises';
import { Reader } from 'protobufjs/light';

/** Enough for the tag and the length of a field. */
const headBytes = 20;
const lengthDelimited = 2;
/** Fields of every model: graph and opset_import. */
const required = [7, 8];

/**
 * Checks that a file consists of whole fields. A full disk or a crash of the machine leaves a part of one.
 * @returns false also if the file does not exist.
 */
export async function isWholeOnnx(path: string): Promise<boolean> {
  const file = await open(path).catch(() => undefined);
  if (!file) return false;
  try {
    const { size } = await file.stat();
    const head = Buffer.alloc(headBytes);
    const ids = new Set<number>();
    let position = 0;
    while (position < size) {
      const { bytesRead } = await file.read(head, 0, headBytes, position);
      const reader = Reader.create(head.subarray(0, bytesRead));
      const tag = reader.uint32();
      // A crash often leaves zeros, and no field has the number 0.
      if (tag >>> 3 === 0) return false;
      if ((tag & 7) === lengthDelimited) position += reader.uint32();
      else reader.skipType(tag & 7);
      position += reader.pos;
      ids.add(tag >>> 3);
    }
    return position === size && required.every((id) => ids.has(id));
  } catch (error) {
    // protobufjs reports bytes that are no field with errors of both kinds.
    if ((error as NodeJS.ErrnoException).code === undefined) return false;
    throw error;
  } finally {
    await file.close();
  }
}
