/** Matches a number as JSON writes it. The bounds on its length admit every valid number. */
const number = /^-?\d{1,32}(\.\d{1,32})?(e[+-]?\d{1,3})?$/i;

/** The number that the text of a form or query string stands for; any other text stays as it is. */
export const numberOr = (text: string): number | string => (number.test(text) ? Number(text) : text);
