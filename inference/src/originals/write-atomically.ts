import { rename, rm, writeFile } from 'node:fs/promises';

/**
 * Writes a file under another name and renames it, so that nobody ever reads half of it.
 * @param check looks at the written file before it gets its name; if it throws, nothing stays.
 */
export async function writeAtomically(
  path: string,
  bytes: Uint8Array,
  check?: (partial: string) => Promise<void>,
): Promise<void> {
  const partial = `${path}.${process.pid}.partial`;
  try {
    await writeFile(partial, bytes);
    await check?.(partial);
    await rename(partial, path);
  } finally {
    await rm(partial, { force: true });
  }
}
