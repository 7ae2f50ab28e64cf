import { emailOf } from './email';

const written = (text: string) =>
  JSON.stringify(text).replace(/[^ -~]/g, (c) => `U+${c.charCodeAt(0).toString(16)}`);

describe('spellings of a mailbox are one address', () => {
  const spellings = [
    'v@gmail.com',
    ' V@GMAIL.com ',
    'v@gmail\u3002com',
    `v@gmail${'\uff0e'}com`,
    'v@gmail\uff61com',
    'v@\uff47mail.com',
    'v@\u24d6mail.com',
    'v@gm\u034fail.com',
    'v@gm\ufe0fail.com',
    'v@gmail.\u{1d41c}om',
  ];
  test.each(spellings.map((text) => [written(text), text]))('%s', (_, text) => {
    expect(emailOf(text)).toBe('v@gmail.com');
  });
});

test('no character of a domain becomes one that the form of an address keeps out', () => {
  const formOf = (text: string) => {
    try {
      return emailOf(text);
    } catch {
      return undefined;
    }
  };
  const changed: string[] = [];
  for (let code = 0x21; code < 0x1_0000; code++) {
    const email = formOf(`v@a${String.fromCharCode(code)}b.example`);
    if (email !== undefined && formOf(email) !== email) changed.push(written(email));
  }
  expect(changed).toEqual([]);
});

describe('refused', () => {
  const refused = [
    // Mail programs read a list of addresses, of which the first one gets the mail.
    'v@gmail.com\uff0cx.example',
    'v@gmail.com\uff1bx.example',
    'v@x\uff02.example',
    'v@x\u207d.example',
    'v@gmail.com.',
    'v@gmail..com',
    'v@.gmail.com',
    'v@.',
    'v@\u3002gmail.com',
    'v@gmail.com\u3002',
    'v@%67mail.com',
    'v@gmail.com/x',
    'v@gmail.com?x',
    'v@gmail.com#x',
    'v@gmail.com:25',
    'v@[127.0.0.1]',
    'v@gma\u00adil.com',
    'v@gma\u200bil.com',
    'v@xn--a',
    'v@a|b',
    'v@\ufe0f',
    'v@',
    '@gmail.com',
    'v',
    'v@a@b',
    `v@${'a'.repeat(253)}`,
  ];
  test.each(refused.map((text) => [written(text), text]))('%s', (_, text) => {
    expect(() => emailOf(text)).toThrow(expect.objectContaining({ code: 'INVALID_EMAIL' }));
  });
});

test('a domain of other letters and its Punycode are one address, in letters', () => {
  for (const domain of [
    'b\u00fccher.example',
    'bu\u0308cher.example',
    'B\u00dcCHER.example',
    'xn--bcher-kva.example',
  ]) {
    expect(emailOf(`v@${domain}`)).toBe('v@b\u00fccher.example');
  }
});

test('an address in its normal form stays as it is', () => {
  const stored = [
    'v@gmail.com',
    'a.b+tag@sub.example.co.uk',
    "o'neil@a-b.example",
    '\u00e9ve@b\u00fccher.example',
  ];
  for (const email of [...stored, 'v@localhost', 'v@fa\u00df.example', 'v@a_b.example', '\uff56@gmail.com']) {
    expect(emailOf(email)).toBe(email);
  }
});
