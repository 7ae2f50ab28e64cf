/** Writes the similarity of every compared pair as CSV, for other programs that compute error rates. */
import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { AcquiredImage } from './acquire';
import type { Evaluation } from './report';

/** Lines that are written at once. */
const batch = 10_000;

/** Only the owner of the file may read it, because scores are personal data like the images. */
export async function openScores(path: string): Promise<FileHandle> {
  const file = await open(path, 'w', 0o600);
  // An existing file keeps its mode.
  await file.chmod(0o600);
  return file;
}

/** Writes the scores and closes the file. Images are named by their lines in the labels. */
export async function writeScores(
  file: FileHandle,
  columns: readonly string[],
  { pairs, compared }: Pick<Evaluation, 'pairs' | 'compared'>,
): Promise<void> {
  const header = ['source_line', 'target_line', 'similarity', 'genuine'];
  const groupHeader = columns.flatMap((column) => [`source_${column}`, `target_${column}`]);
  const lineOf = (pair: number) => {
    const source = compared[pairs.source[pair] as number] as AcquiredImage;
    const target = compared[pairs.target[pair] as number] as AcquiredImage;
    const groups = columns.flatMap((_, i) => [source.groups[i] as string, target.groups[i] as string]);
    const genuine = source.person === target.person ? 1 : 0;
    return csvLine([source.line, target.line, pairs.similarity[pair] as number, genuine, ...groups]);
  };
  function* batches() {
    yield csvLine([...header, ...groupHeader]);
    for (let start = 0; start < pairs.similarity.length; start += batch) {
      const count = Math.min(batch, pairs.similarity.length - start);
      yield Array.from({ length: count }, (_, i) => lineOf(start + i)).join('');
    }
  }
  await pipeline(Readable.from(batches()), file.createWriteStream());
}

/** A line of RFC 4180. */
const csvLine = (fields: readonly (string | number)[]) => `${fields.map(csvField).join(',')}\n`;

function csvField(field: string | number): string {
  // A spreadsheet would run such a group as a formula.
  const text = String(field).replace(/^[=+@\t-]/, "'$&");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
