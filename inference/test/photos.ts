/** Photographs that the installed packages ship, so that tests need nothing else. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../src/catalogue/compiled-path';

const folder = join(packageFolder('@vladmandic/face-api'), 'demo');

/** An office photograph, 1 to 6; `facesIn` says how many faces it shows. */
export const photo = (number: number): Buffer => readFileSync(join(folder, `sample${number}.jpg`));

export const facesIn: Readonly<Record<number, number>> = { 1: 3, 2: 3, 3: 3, 4: 4, 5: 5, 6: 4 };
