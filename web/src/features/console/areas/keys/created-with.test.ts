import { createdWith } from './key-data';

const key = (keyId: string, createdByKey?: string, state: 'active' | 'revoked' = 'active') => ({
  keyId,
  state,
  ...(createdByKey !== undefined && { createdByKey }),
});
const keys = [
  key('leaked'),
  key('grandchild', 'child'),
  key('child', 'leaked', 'revoked'),
  key('other'),
  key('of-other', 'other'),
];
const webhooks = [
  { webhookId: 'by-grandchild', createdByKey: 'grandchild' },
  { webhookId: 'by-other', createdByKey: 'other' },
  { webhookId: 'by-a-person' },
];

test.each([
  ['leaked', ['grandchild'], ['by-grandchild']],
  ['other', ['of-other'], ['by-other']],
  ['of-other', [], []],
])('lists everything that the key %s created, also by keys that it created', (keyId, keyIds, webhookIds) => {
  expect(createdWith(keyId, keys, webhooks)).toEqual({ keyIds, webhookIds });
});
