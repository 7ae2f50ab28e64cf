import { Refused } from './refused';

/** RFC 5321, section 4.5.3.1.3. */
export const maxEmailLength = 254;
/**
 * Only a mail shows whether the address exists. This form keeps out separators of mail headers and of lists of addresses,
 * and invisible characters.
 */
const form = /^[^\s@<>(),;:"\\[\]\p{C}]+@[^\s@<>(),;:"\\[\]\p{C}]+$/u;

/**
 * The address in the form in which addresses are compared: providers ignore case.
 * @throws Refused INVALID_EMAIL
 */
export function emailOf(text: string): string {
  const email = text.trim().normalize('NFC').toLowerCase();
  if (email.length > maxEmailLength || !form.test(email)) throw new Refused('INVALID_EMAIL');
  return email;
}
