import { madeWith } from './key-data';

const key = (keyId: string, madeBy?: string, state: 'active' | 'revoked' = 'active') => ({
  keyId,
  state,
  ...(madeBy !== undefined && { madeBy }),
});
const keys = [
  key('leaked'),
  key('grandchild', 'child'),
  key('child', 'leaked', 'revoked'),
  key('other'),
  key('of-other', 'other'),
];
const webhooks = [
  { webhookId: 'by-grandchild', madeBy: 'grandchild' },
  { webhookId: 'by-other', madeBy: 'other' },
  { webhookId: 'by-a-person' },
];

test.each([
  ['leaked', ['grandchild'], ['by-grandchild']],
  ['other', ['of-other'], ['by-other']],
  ['of-other', [], []],
])('lists everything that the key %s created, also by keys that it created', (keyId, keyIds, webhookIds) => {
  expect(madeWith(keyId, keys, webhooks)).toEqual({ keyIds, webhookIds });
});
