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

export interface Pair {
  readonly source: Picture;
  readonly target: Picture;
  /** Whether both show one person. */
  readonly same: boolean;
}

const read = () => JSON.parse(open(settings.picturesFile)) as { pictures: Picture[]; pairs: Pair[] };

export const pictures = new SharedArray<Picture>('pictures', () => read().pictures);
export const pairs = new SharedArray<Pair>('pairs', () => read().pairs);

/** Any of a list. */
export const oneOf = <T>(list: ArrayLike<T>): T => list[Math.floor(Math.random() * list.length)];
