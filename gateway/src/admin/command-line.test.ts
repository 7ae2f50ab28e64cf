import { parseCommand } from './command-line';
import { helpText } from './help';
import { registry } from './registry';

const parse = (text: string) => parseCommand(text.split(' ').filter(Boolean), registry);

test('options become the input, by the type of each', () => {
  expect(
    parse(
      'keys create --account acc_1 --mode live --products faceDetection,imageModeration --cidrs=::1 --json',
    ),
  ).toMatchObject({
    input: {
      account: 'acc_1',
      mode: 'live',
      products: ['faceDetection', 'imageModeration'],
      cidrs: ['::1'],
    },
    json: true,
  });
  expect(parse('keys roll --account a --key k --grace-seconds 0')).toMatchObject({
    input: { graceSeconds: 0 },
    json: false,
  });
  expect(parse('accounts update --account a --suspended false --overrides {"concurrency":3}')).toMatchObject({
    input: { suspended: false, overrides: { concurrency: 3 } },
  });
  expect(parse('accounts update --account a --overrides null')).toMatchObject({ input: { overrides: null } });
  expect(parse('categories create --account a --name b one.png two.png')).toMatchObject({
    files: ['one.png', 'two.png'],
  });
  expect(parse('operators add ana@example.com')).toMatchObject({ input: { email: 'ana@example.com' } });
});

test.each([
  ['', []],
  ['help', []],
  ['--help', []],
  ['help keys create', ['keys', 'create']],
  ['keys create --help', ['keys', 'create']],
  ['keys', ['keys']],
  ['keys create --account a -h', ['keys', 'create']],
])('"%s" asks for help', (text, help) => {
  expect(parse(text)).toEqual({ help });
});

test.each([
  ['acounts create', 'There is no command "acounts create". Did you mean "accounts create"?'],
  ['constructor', 'There is no command "constructor". "help" lists all there are.'],
  ['accounts create', '"accounts create" needs --name and --plan'],
  ['keys create --account a', '"keys create" needs --mode'],
  ['accounts create --nmae x', '"accounts create" has no option --nmae. Did you mean --name?'],
  ['plans list --account x', '"plans list" has no option --account.'],
  [
    'accounts create --name --plan free',
    '--name needs a value; one that begins with a dash is typed --name=-...',
  ],
  [
    'accounts create --plan free --name',
    '--name needs a value; one that begins with a dash is typed --name=-...',
  ],
  ['accounts create --name a --name b', '--name is given twice'],
  ['operators add a@example.com b@example.com', '"operators add" takes no "b@example.com"'],
  ['plans list more', '"plans list" takes no "more"'],
  ['keys create --account a --__proto__ x', '"keys create" has no option --__proto__.'],
])('%s', (text, sentence) => {
  expect(() => parse(text)).toThrow(new Error(sentence));
});

test.each([
  ['accounts create --name a --plan gold', 'plan must be one of free, basic, growth, business, enterprise'],
  [
    'keys create --mode live --account a/b',
    'account must be an id of at most 64 letters, digits, underscores and hyphens',
  ],
  ['keys create --mode live --account a --products faceDetection,x', 'products.1 must be one of'],
  [
    'keys create --mode live --account a --expires-at soon',
    'expiresAt must be a time such as 2027-01-31T12:00:00Z',
  ],
  [
    'keys roll --account a --key k --grace-seconds 2592001',
    'graceSeconds must be a number from 0 to 2592000',
  ],
  ['accounts list --limit 1.5', 'limit must be a whole number'],
  ['accounts update --account a --overrides {', 'overrides must be'],
  ['accounts update --account a --overrides {"quotas":1}', 'no field overrides.quotas'],
  ['accounts update --account a --overrides {"sessionBytes":1}', 'overrides.sessionBytes must be'],
  ['accounts update --account a --suspended maybe', 'suspended must be true or false'],
  [
    'accounts update --account a --api-version 1999-12-31',
    'apiVersion must be one of 2026-11-30, 2026-11-29, 2026-11-23',
  ],
])('%s is refused', (text, expected) => {
  expect.assertions(1);
  try {
    parse(text);
  } catch (error) {
    expect((error as { body: { message: string } }).body.message).toContain(expected);
  }
});

test('the help lists every command, and each has a page with all its options', () => {
  for (const { id, input } of registry) {
    expect(helpText([], registry)).toContain(id);
    const page = helpText(id.split(' '), registry);
    for (const name of Object.keys(input.properties)) {
      expect(page).toContain(`--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} `);
    }
  }
  expect(helpText(['keys'], registry)).not.toContain('accounts list');
  expect(() => helpText(['nothing'], registry)).toThrow('There is no command');
});
