/** Secrets of links and sign-ins. The store has only their hashes, so that reading it opens nothing. */
import { createHash } from 'node:crypto';
import { randomBase62 } from '../../crypto/base62';

/** 256 bits. */
const length = 43;

export const newSecret = (): string => randomBase62(length);

/** A plain hash suffices, because nobody can guess 256 bits. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');
