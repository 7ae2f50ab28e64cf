/** Takes forms apart (multipart/form-data, RFC 7578). */
import { Busboy, type BusboyFileStream, type BusboyHeaders } from '@fastify/busboy';
import limits from '@presenza/contract/limits.json';
import { AppError } from '../../errors';
import type { FormField } from './fields';

/** More than any operation has fields and its lists entries. */
const maxParts = 64;
/** A part may hold an image as a data URI; one byte more tells that it is too large. */
const maxTextBytes = limits.image.maxBase64Length + 65;

/**
 * @returns the parts in their order; of an image more than 5 MB, one byte beyond them is kept.
 * @throws AppError INVALID_PARAMETERS when the form is broken or has too many parts.
 */
export function readForm(body: Buffer, contentType: string): Promise<FormField[]> {
  return new Promise((resolve, reject) => {
    const broken = () => reject(new AppError('INVALID_PARAMETERS', { reason: 'form' }));
    const fields: [string, string | Buffer][] = [];
    try {
      const form = new Busboy({
        headers: { 'content-type': contentType } as BusboyHeaders,
        isPartAFile: (_name, type, fileName) => fileName !== undefined || type?.startsWith('image/') === true,
        limits: {
          parts: maxParts,
          fieldSize: maxTextBytes,
          fileSize: limits.image.maxBytes + 1,
          headerPairs: 32,
          headerSize: 8 * 1024,
        },
      });
      form.on('field', (name, value) => {
        if (name === undefined) broken();
        else fields.push([name, value]);
      });
      form.on('file', (name, file) => {
        if (name === undefined) broken();
        file.on('error', broken);
        const field: [string, string | Buffer] = [name, ''];
        fields.push(field);
        collect(file, (bytes) => {
          field[1] = bytes;
        });
      });
      form.once('partsLimit', () =>
        reject(new AppError('INVALID_PARAMETERS', { reason: 'parts', values: { limit: maxParts } })),
      );
      form.on('error', broken);
      form.once('finish', () => resolve(fields));
      form.end(body);
    } catch {
      broken();
    }
  });
}

function collect(file: BusboyFileStream, done: (bytes: Buffer) => void): void {
  const chunks: Buffer[] = [];
  file.on('data', (chunk: Buffer) => chunks.push(chunk));
  // Most files arrive in one piece, which needs no copy.
  file.once('end', () => done(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
}
