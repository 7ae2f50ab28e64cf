/** The run's pictures, kept once for all virtual users: each would hold megabytes of text otherwise. */
import { SharedArray } from 'k6/data';
import { settings } from './settings.ts';

export interface Picture {
  readonly name: string;
  /** People to be seen. */
  readonly faces: number;
  /** Data URI. */
  readonly image: string;
}

const read = () => JSON.parse(open(settings.picturesFile)) as Picture[];

export const pictures = new SharedArray<Picture>('pictures', read);

/** Any of a list. */
export const oneOf = <T>(list: ArrayLike<T>): T => list[Math.floor(Math.random() * list.length)];
