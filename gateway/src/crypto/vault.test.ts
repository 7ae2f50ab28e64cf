import { Vault } from './vault';

const vault = new Vault('ab'.repeat(32), 'tests');

test('the vault opens what it sealed, and seals the same text differently each time', () => {
  const [first, second] = [vault.seal('whsec_x', 'here'), vault.seal('whsec_x', 'here')];
  expect(first).not.toBe(second);
  expect(first).not.toContain(Buffer.from('whsec_x').toString('base64'));
  expect([first, second].map((sealed) => vault.open(sealed, 'here'))).toEqual(['whsec_x', 'whsec_x']);
});

test('it seals the same text alike on request, but not another text or place', () => {
  const sealed = vault.sealAlike('whsec_x', 'here');
  expect(vault.sealAlike('whsec_x', 'here')).toBe(sealed);
  expect(new Vault('ab'.repeat(32), 'tests').sealAlike('whsec_x', 'here')).toBe(sealed);
  expect(vault.open(sealed, 'here')).toBe('whsec_x');
  const nonceOf = (text: string) => text.slice(0, 16);
  for (const other of [vault.sealAlike('whsec_y', 'here'), vault.sealAlike('whsec_x', 'there')]) {
    expect(nonceOf(other)).not.toBe(nonceOf(sealed));
  }
});

test('it opens nowhere else, under no other secret or purpose, and not when it was changed', () => {
  const sealed = vault.seal('whsec_x', 'here');
  expect(() => vault.open(sealed, 'there')).toThrow();
  expect(() => new Vault('cd'.repeat(32), 'tests').open(sealed, 'here')).toThrow('KEY_SECRET was another');
  expect(() => new Vault('ab'.repeat(32), 'others').open(sealed, 'here')).toThrow();
  for (const place of [0, 12, 28]) {
    const bytes = Buffer.from(sealed, 'base64');
    bytes[place] = (bytes[place] as number) ^ 1;
    expect(() => vault.open(bytes.toString('base64'), 'here')).toThrow();
  }
});
