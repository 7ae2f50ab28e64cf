/** Words of the catalogue for what a value should have been. */
import catalogue from '@presenza/contract/errors.json';
import type { ApiErrorOptions } from './index';

type Values = Readonly<Record<string, string | number>>;

const texts = catalogue.INVALID_PARAMETERS.expectations;
type Expectation = keyof typeof texts;

/** @param values for the text's {placeholders}. */
export const expected = (name: Expectation, values: Values = {}): string =>
  texts[name].replace(/\{(\w+)\}/g, (_, value: string) => String(values[value]));

/** The options of INVALID_PARAMETERS for a field with a wrong value. */
export const wrongValue = (field: string, name: Expectation, values?: Values): ApiErrorOptions => ({
  reason: 'value',
  values: { field, expected: expected(name, values) },
});

/** The options of INVALID_PARAMETERS for a header with a wrong value. */
export const wrongHeader = (field: string, name: Expectation, values?: Values): ApiErrorOptions => ({
  ...wrongValue(field, name, values),
  reason: 'header',
});
