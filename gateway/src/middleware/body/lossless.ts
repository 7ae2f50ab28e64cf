/**
 * Finds what JSON.parse changes silently: of several members with one name it keeps the last, and it rounds numbers that
 * a double cannot hold. Bodies must have neither, as I-JSON requires (RFC 7493, 2.2 and 2.3). It also finds names that
 * change the prototype of an object that they are copied to, because receivers of webhooks copy metadata.
 */
import { ApiError } from '../../errors';
import { quoted } from '../../errors/quoted';

/** An open object or list. */
interface Level {
  /** The names so far; undefined for a list. */
  readonly names?: Set<string>;
  /** The current name or index. */
  at: string | number;
}

const refusedNames: readonly string[] = ['__proto__', 'constructor', 'prototype'];

const number = /-?\d[-+.\deE]*/y;

/**
 * Takes one pass over the text and memory for its names.
 * @param text well-formed JSON.
 * @throws ApiError INVALID_PARAMETERS for the first name that is repeated or refused, or number that is changed
 */
export function checkLossless(text: string): void {
  const open: Level[] = [];
  let nameFollows = false;
  for (let place = 0; place < text.length; place++) {
    switch (text[place]) {
      case '"': {
        const end = endOfString(text, place);
        if (nameFollows) addName(open, text.slice(place, end));
        nameFollows = false;
        place = end - 1;
        break;
      }
      case '{':
        open.push({ names: new Set(), at: '' });
        nameFollows = true;
        break;
      case '[':
        open.push({ at: 0 });
        break;
      case '}':
      case ']':
        open.pop();
        nameFollows = false;
        break;
      case ',':
        nameFollows = nextOf(open.at(-1) as Level);
        break;
      default:
        number.lastIndex = place;
        if (number.test(text)) {
          if (!isKept(text.slice(place, number.lastIndex))) throw refused('number', open);
          place = number.lastIndex - 1;
        }
    }
  }
}

/** @returns the position after the closing quote of the string that begins at `open`. */
function endOfString(text: string, open: number): number {
  for (let end = text.indexOf('"', open + 1); ; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text[before] === '\\') before--;
    if ((end - before) % 2 === 1) return end + 1;
  }
}

function addName(open: readonly Level[], written: string): void {
  const level = open.at(-1) as Level;
  const name = written.includes('\\') ? (JSON.parse(written) as string) : written.slice(1, -1);
  level.at = name;
  if (refusedNames.includes(name)) throw refused('name', open);
  if (level.names?.has(name)) throw refused('repeated', open);
  level.names?.add(name);
}

/** Moves to the next member or entry. @returns whether it begins with a name. */
function nextOf(level: Level): boolean {
  if (level.names) return true;
  level.at = (level.at as number) + 1;
  return false;
}

/** Fractions may be rounded, as everywhere in JSON; integers in any notation, and numbers as a whole, may not. */
function isKept(written: string): boolean {
  const value = Number(written);
  if (!Number.isFinite(value)) return false;
  if (value === 0) return digitsOf(written) === '';
  if (Number.isSafeInteger(value) || !Number.isInteger(value)) return true;
  // A larger integer is meant as a double only if it has a point or an exponent.
  return /[.e]/i.test(written) && digitsOf(written) === digitsOf(String(value));
}

/** The digits of a number, without sign, exponent and the zeros at both ends. */
const digitsOf = (text: string) =>
  (text.split(/e/i, 1)[0] as string).replace(/\D/g, '').replace(/^0+|0+$/g, '');

const refused = (reason: 'name' | 'number' | 'repeated', open: readonly Level[]) =>
  new ApiError('INVALID_PARAMETERS', {
    reason,
    values: { field: quoted(open.map(({ at }) => at).join('.')) },
  });
