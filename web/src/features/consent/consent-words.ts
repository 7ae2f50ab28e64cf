/** The words of banner and dialog, with the durations of the rules. */
import words from '../../../content/consent.json';
import { COOKIE_DAYS, VALID_MONTHS } from './consent';

const fillTimes = (text: string) =>
  text.replace('{months}', String(VALID_MONTHS)).replace('{days}', String(COOKIE_DAYS));

export const WORDS = {
  ...words,
  dialog: { ...words.dialog, lead: fillTimes(words.dialog.lead) },
  categories: words.categories.map((category) => ({
    ...category,
    retention: fillTimes(category.retention),
    items: category.items.map((item) => ({ ...item, kept: fillTimes(item.kept) })),
  })),
};
