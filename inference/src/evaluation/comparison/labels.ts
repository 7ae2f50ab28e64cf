/**
 * Reads labels.csv: the columns `file` and `person`, and any further ones that divide the images into groups. Every fault
 * names its line and column.
 */
import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, isAbsolute, join, normalize, sep } from 'node:path';
import { type CsvLine, readCsv } from '../input/csv';
import { InputError } from '../input/input-error';

export interface LabeledImage {
  readonly path: string;
  readonly person: string;
  /** Line of the labels that names the image. */
  readonly line: number;
  /** The group in each column, in the order of the columns; empty where none is stated. */
  readonly groups: readonly string[];
}

export interface Labels {
  /** Names of the columns that divide the images into groups. */
  readonly columns: readonly string[];
  readonly images: readonly LabeledImage[];
  /** Positions of the images of each pair to compare; without it, all pairs are compared. */
  readonly pairs?: readonly ImagePair[];
  /** Name of the public set that the pairs are of. */
  readonly set?: string;
}

export type ImagePair = readonly [source: number, target: number];

/** A column with more values holds names or dates rather than groups. */
const maxGroups = 50;
/** Faults that one run reports. */
const maxFaults = 5;

/**
 * @param folder contains the images; the column `file` is relative to it.
 * @throws InputError
 */
export async function readLabels(labelsPath: string, folder: string): Promise<Labels> {
  const text = await readFile(labelsPath, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new InputError(`${labelsPath} cannot be read (${error.code}).`);
  });
  const name = basename(labelsPath);
  const [header, ...lines] = readCsv(text, name);
  if (!header)
    throw new InputError(`${name} is empty. Its first line must name the columns file and person.`);
  const table = new Table(name, header);
  const images = lines.map((line) => table.image(line, folder));
  if (images.length === 0) throw new InputError(`${name} has a header and no images.`);
  table.checkGroups(images);
  table.throwFaults();
  return { columns: table.columns, images };
}

/** The lines as images. Collects faults, so that one run reports several. */
class Table {
  readonly columns: readonly string[];
  private readonly header: readonly string[];
  private readonly fileColumn: number;
  private readonly personColumn: number;
  private readonly groupColumns: readonly number[];
  private readonly lineOfFile = new Map<string, number>();
  private readonly faults: string[] = [];

  constructor(
    private readonly name: string,
    { number, fields }: CsvLine,
  ) {
    this.header = fields;
    this.fileColumn = fields.indexOf('file');
    this.personColumn = fields.indexOf('person');
    const fixedColumns = [this.fileColumn, this.personColumn];
    this.groupColumns = fields.flatMap((_, i) => (fixedColumns.includes(i) ? [] : [i]));
    this.columns = this.groupColumns.map((i) => fields[i] as string);
    const place = `${name}, line ${number}`;
    for (const needed of ['file', 'person']) {
      if (fields.includes(needed)) continue;
      throw new InputError(
        `${place}: the column ${needed} is missing; the columns, separated by commas, are ${fields.join(', ')}.`,
      );
    }
    fields.forEach((column, i) => {
      if (column === '') throw new InputError(`${place}, column ${i + 1}: the column has no name.`);
      if (fields.indexOf(column) < i)
        throw new InputError(`${place}, column ${column}: the name occurs twice.`);
    });
  }

  image({ number, fields }: CsvLine, folder: string): LabeledImage {
    const file = fields[this.fileColumn] ?? '';
    const person = fields[this.personColumn] ?? '';
    if (fields.length !== this.header.length) {
      this.faults.push(
        `${this.name}, line ${number}: ${fields.length} fields for ${this.header.length} columns.`,
      );
    } else {
      const fileFault = this.faultOfFile(file, folder, number);
      if (fileFault) this.faults.push(`${this.name}, line ${number}, column file: ${fileFault}`);
      if (person === '') this.faults.push(`${this.name}, line ${number}, column person: the field is empty.`);
    }
    return {
      path: join(folder, file),
      person,
      line: number,
      groups: this.groupColumns.map((column) => fields[column] ?? ''),
    };
  }

  private faultOfFile(file: string, folder: string, line: number): string | undefined {
    if (file === '') return 'the field is empty.';
    const path = normalize(file);
    if (isAbsolute(path) || path.split(sep)[0] === '..') return `"${file}" is outside the folder of images.`;
    const first = this.lineOfFile.get(path);
    if (first !== undefined) return `"${file}" is on line ${first} already.`;
    this.lineOfFile.set(path, line);
    return isFile(join(folder, path)) ? undefined : `"${file}" is not a file in ${folder}.`;
  }

  checkGroups(images: readonly LabeledImage[]): void {
    this.columns.forEach((column, i) => {
      const values = new Set(images.map(({ groups }) => groups[i]));
      if (values.size <= maxGroups) return;
      this.faults.push(
        `${this.name}, column ${column}: ${values.size} different values are not groups, ${maxGroups} are the maximum. Use bands, such as 20-29, or remove the column.`,
      );
    });
  }

  throwFaults(): void {
    if (this.faults.length === 0) return;
    const more = this.faults.length - maxFaults;
    const shown = this.faults.slice(0, maxFaults);
    throw new InputError([...shown, ...(more > 0 ? [`${more} more faults follow.`] : [])].join('\n'));
  }
}

export function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
