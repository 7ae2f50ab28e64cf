/**
 * Recipes for public sets: each reads the folders and lists of a set as its authors publish them, and yields the labels and
 * pairs that an evaluation takes. Operators check the licenses of the sets.
 */
import { readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { InputError } from '../input/input-error';
import { isFile, type LabeledImage, type Labels } from './labels';

/** A line of a list of pairs. */
interface ListedPair {
  readonly images: readonly [ListedImage, ListedImage];
  readonly isGenuine: boolean;
}

interface ListedImage {
  /** Path relative to the folder of the set. */
  readonly file: string;
  /** Undefined where the set does not say who is shown. */
  readonly person?: string;
  readonly group?: string;
}

interface Recipe {
  readonly set: string;
  readonly layout: string;
  /** Name of the column of groups, if the set has some. */
  readonly column?: string;
  readonly read: (folder: SetFolder) => ListedPair[];
}

export const recipes: Readonly<Record<string, Recipe>> = {
  cfp: {
    set: 'CFP, frontal and profile',
    layout:
      'Protocol/Pair_list_F.txt and Pair_list_P.txt, which number the images of Data/Images, and Protocol/Split/FP/01 to 10 with same.txt and diff.txt',
    column: 'pose',
    read: readCfp,
  },
  'agedb-30': {
    set: 'AgeDB-30',
    layout:
      'agedb_30_ann.txt with lines such as "1 agedb_30_112x112/a.jpg agedb_30_112x112/b.jpg", or agedb_30_pair.txt with lines such as "a.jpg b.jpg 1" about the images of agedb30_align_112',
    read: readAgeDb,
  },
  rfw: {
    set: 'RFW',
    layout:
      'txts/GROUP/GROUP_pairs.txt and data/GROUP/PERSON/PERSON_0001.jpg for the groups African, Asian, Caucasian and Indian',
    column: 'group',
    read: readRfw,
  },
};

/**
 * The labels and pairs of a set.
 * @throws InputError that names the file that is missing and the layout of the set, or the line of a list
 */
export function applyRecipe(name: string, path: string): Labels {
  const recipe = recipes[name] as Recipe;
  const { set, layout, column, read } = recipe;
  const pairs = read(new SetFolder(path, set, layout));
  if (pairs.length === 0) throw new InputError(`The lists of ${set} in ${path} are empty.`);
  const people = peopleOf(pairs);
  const images: LabeledImage[] = [];
  const positions = new Map<string, number>();
  const positionOf = ({ file, group = '' }: ListedImage): number => {
    const known = positions.get(file);
    if (known !== undefined) return known;
    positions.set(file, images.length);
    images.push({
      path: join(path, file),
      person: people(file),
      line: images.length + 1,
      groups: column === undefined ? [] : [group],
    });
    return images.length - 1;
  };
  return {
    columns: column === undefined ? [] : [column],
    pairs: pairs.map(({ images: [a, b] }) => [positionOf(a), positionOf(b)] as const),
    images,
    set,
  };
}

/** The folder of a set, whose faults name the file and the layout. */
class SetFolder {
  constructor(
    private readonly path: string,
    private readonly set: string,
    private readonly layout: string,
  ) {}

  has(file: string): boolean {
    return isFile(join(this.path, file));
  }

  /** The lines of a list that are not empty, each read by `readLine`. @throws InputError */
  list<T>(file: string, readLine: (fields: string[], place: string) => T): T[] {
    const lines = this.read(file).split(/\r?\n/);
    return lines.flatMap((line, i) => {
      const fields = line.split(/[\s,]+/).filter((field) => field !== '');
      return fields.length === 0 ? [] : [readLine(fields, `${file}, line ${i + 1}`)];
    });
  }

  private read(file: string): string {
    try {
      return readFileSync(join(this.path, file), 'utf8');
    } catch {
      throw new InputError(
        `${join(this.path, file)} cannot be read. The recipe for ${this.set} needs ${this.layout}.`,
      );
    }
  }

  /** Checks that an image of a list is there. @param place of the line that names it. @throws InputError */
  image(file: string, place: string): string {
    const path = normalize(file);
    if (this.has(path)) return path;
    throw new InputError(`${place}: ${join(this.path, path)} is missing. The set needs ${this.layout}.`);
  }
}

/** @throws InputError for a line that does not have the form of its list */
function refuse(fields: readonly string[], place: string, form: string): never {
  throw new InputError(`${place}: "${fields.join(' ')}" is not ${form}.`);
}

const poses = { F: 'frontal', P: 'profile' } as const;
const folds = Array.from({ length: 10 }, (_, i) => String(i + 1).padStart(2, '0'));

/** Lists of images number them from 1, and give their paths relative to the list: ../Data/Images/001/frontal/01.jpg. */
function readCfp(folder: SetFolder): ListedPair[] {
  const listOf = (letter: keyof typeof poses) => {
    const file = `Protocol/Pair_list_${letter}.txt`;
    const entries = folder.list(file, ([number, path, ...rest], place) => {
      if (path === undefined || rest.length > 0) return refuse([`${number}`], place, 'a number and a path');
      const image = folder.image(join('Protocol', path), place);
      const person = image.split(/[/\\]/).at(-3) as string;
      return [Number(number), { file: image, person, group: poses[letter] }] as const;
    });
    return new Map<number, ListedImage>(entries);
  };
  const [frontal, profile] = [listOf('F'), listOf('P')];
  return folds.flatMap((fold) =>
    (['same', 'diff'] as const).flatMap((kind) =>
      folder.list(`Protocol/Split/FP/${fold}/${kind}.txt`, (fields, place) => {
        const [a, b] = [frontal.get(Number(fields[0])), profile.get(Number(fields[1]))];
        if (!a || !b || fields.length !== 2)
          return refuse(fields, place, 'a number of each list of images, such as 1,2');
        return { images: [a, b], isGenuine: kind === 'same' };
      }),
    ),
  );
}

/** Lists in circulation: the verdict first, or last with -1 for different people. Neither says who is shown. */
function readAgeDb(folder: SetFolder): ListedPair[] {
  const isOther = !folder.has('agedb_30_ann.txt') && folder.has('agedb_30_pair.txt');
  const [file, images] = isOther ? ['agedb_30_pair.txt', 'agedb30_align_112'] : ['agedb_30_ann.txt', ''];
  return folder.list(file, (fields, place) => {
    const [a, b, verdict] = isOther ? fields : [fields[1], fields[2], fields[0]];
    if (fields.length !== 3 || !a || !b || !['1', '0', '-1'].includes(verdict ?? ''))
      return refuse(fields, place, isOther ? 'two files and 1, 0 or -1' : '1 or 0 and two files');
    const image = (name: string): ListedImage => ({ file: folder.image(join(images, name), place) });
    return { images: [image(a), image(b)], isGenuine: verdict === '1' };
  });
}

const rfwGroups = ['African', 'Asian', 'Caucasian', 'Indian'];

/** Lines as in LFW: a person and two numbers, or two people with a number each. */
function readRfw(folder: SetFolder): ListedPair[] {
  return rfwGroups.flatMap((group) =>
    folder.list(`txts/${group}/${group}_pairs.txt`, (fields, place) => {
      const image = (person: string, number: string): ListedImage => {
        const name = `${person}_${number.padStart(4, '0')}.jpg`;
        return { file: folder.image(join('data', group, person, name), place), person, group };
      };
      const [a = '', b = '', c = '', d = ''] = fields;
      if (fields.length === 3) return { images: [image(a, b), image(a, c)], isGenuine: true };
      if (fields.length === 4) return { images: [image(a, b), image(c, d)], isGenuine: false };
      return refuse(fields, place, 'a person with two numbers, or two people with a number each');
    }),
  );
}

/**
 * The person of each image: as the set says, or else the images that are linked by pairs of one person. Such people may be
 * one in truth, so their number is too high.
 */
function peopleOf(pairs: readonly ListedPair[]): (file: string) => string {
  const parents = new Map<string, string>();
  const rootOf = (file: string): string => {
    const parent = parents.get(file) ?? file;
    return parent === file ? file : rootOf(parent);
  };
  for (const { images, isGenuine } of pairs) {
    for (const { file, person } of images) parents.set(file, person ?? rootOf(file));
    const [a, b] = images.map(({ file }) => rootOf(file)) as [string, string];
    if (isGenuine && a !== b) parents.set(b, a);
  }
  return rootOf;
}
