import { domainToASCII, domainToUnicode } from 'node:url';
import { ConsoleError } from '../../errors';

/** RFC 5321, section 4.5.3.1.3. */
export const maxEmailLength = 254;
/**
 * Only a mail shows whether the address exists. This form keeps out separators of mail headers and of lists of addresses,
 * and invisible characters.
 */
const form = /^([^\s@<>(),;:"\\[\]\p{C}]+)@([^\s@<>(),;:"\\[\]\p{C}/?#%]+)$/u;
const emptyLabel = /^\.|\.\.|\.$/;

/**
 * The address in the form in which addresses are compared: providers ignore case, and mail programs read every spelling of
 * a domain, such as one with full-width letters. Otherwise, limits per address would count each spelling of a mailbox anew.
 * @returns undefined if the text is not an address
 */
export function parseEmail(text: string): string | undefined {
  const [, local = '', spelled = ''] = form.exec(text.trim().normalize('NFC').toLowerCase()) ?? [];
  // The domain stays in letters, not in Punycode: people read the address, and an erasure looks for it in texts.
  const domain = domainToUnicode(domainToASCII(spelled)).normalize('NFC');
  const email = `${local}@${domain}`;
  // The form is checked again because a full-width comma has become one that separates addresses.
  const isValid = form.test(email) && !emptyLabel.test(domain) && email.length <= maxEmailLength;
  return isValid ? email : undefined;
}

/** The address of a person in the console, parsed. @throws ConsoleError INVALID_EMAIL */
export function emailOf(text: string): string {
  const email = parseEmail(text);
  if (email === undefined) throw new ConsoleError('INVALID_EMAIL');
  return email;
}

/** Characters that would make an address part of a longer address. */
const before = '(?<![\\p{L}\\p{N}._%+-])';
const after = '(?![\\p{L}\\p{N}-]|\\.[\\p{L}\\p{N}])';
/** A name has at most this many characters, so it may hold the beginning of a longer address. */
const nameLength = 64;

/** Stands in texts in place of an erased address. */
const erased = '(erased)';

/**
 * Finds an address in texts, in any case, but not within another address.
 * @param email in the form of `emailOf`
 */
export function finderOf(email: string): (text: string) => boolean {
  const pattern = patternOf(email, 'iu');
  return (text) => pattern.test(text.normalize('NFC'));
}

/** Replaces what `finderOf` finds, and returns other texts as they are. @param email in the form of `emailOf` */
export function eraserOf(email: string): (text: string) => string {
  const isNamed = finderOf(email);
  const pattern = patternOf(email, 'giu');
  return (text) => (isNamed(text) ? text.normalize('NFC').replace(pattern, erased) : text);
}

function patternOf(email: string, flags: string): RegExp {
  const whole = `${before}${escaped(email)}${after}`;
  const cut = email.length > nameLength ? `|${before}${escaped(email.slice(0, nameLength))}(?="|$)` : '';
  return new RegExp(whole + cut, flags);
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
