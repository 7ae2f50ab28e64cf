import { matching } from './matching';

const commands = [
  { label: 'Create API key', keywords: 'new token' },
  { label: 'Invite a person', keywords: 'new member' },
  { label: 'API keys' },
];
const labels = (text: string) => matching(commands, text).map(({ label }) => label);

test.each([
  ['', ['Create API key', 'Invite a person', 'API keys']],
  ['key create', ['Create API key']],
  ['NEW', ['Create API key', 'Invite a person']],
  ['api', ['API keys', 'Create API key']],
  ['nothing', []],
])('"%s" finds the commands with all of its parts, those that begin with it first', (text, expected) => {
  expect(labels(text)).toEqual(expected);
});
