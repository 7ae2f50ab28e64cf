/** Reads CSV files of operators. */
import { CsvError, parse } from 'csv-parse/sync';
import { InputError } from './input-error';

export interface CsvLine {
  /** Number of the line in the file, from 1. */
  readonly number: number;
  readonly fields: readonly string[];
}

/**
 * The lines that are not empty. Their numbers of fields may differ.
 * @param name the file, for the message.
 * @throws InputError for text that is not CSV
 */
export function readCsv(text: string, name: string): CsvLine[] {
  const options = { bom: true, info: true, trim: true, skip_empty_lines: true, relax_column_count: true };
  try {
    const records = parse(text, options) as unknown as { record: string[]; info: { lines: number } }[];
    return records.map(({ record, info }) => ({ number: info.lines, fields: record }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines, column } = error as unknown as { lines: number; column: number };
    const place = `line ${lines}${typeof column === 'number' ? `, column ${column + 1}` : ''}`;
    throw new InputError(`${name}, ${place}: the quotes of a field are not closed or not doubled.`);
  }
}
