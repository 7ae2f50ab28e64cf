import { faultsOf } from './check-images.mjs';

const image = { size: 190e6, user: '10001:10001', unwanted: [], writable: false, uid: 10_001 };

test('an image within its limit that runs as the user and has no shell passes', () => {
  expect(faultsOf('web', image)).toEqual([]);
});

test.each([
  ['its size', { size: 201e6 }, 'has 201 MB, more than 200 MB'],
  ['no user', { user: '', uid: 0 }, 'runs as root (0), not as 10001:10001'],
  ['a user by name', { user: 'node' }, 'runs as node (10001), not as 10001:10001'],
  ['a shell', { unwanted: ['/bin/sh'] }, 'contains /bin/sh'],
  ['files that the process can change', { writable: true }, 'lets its process write to /app'],
])('an image is refused for %s', (_, change, fault) => {
  expect(faultsOf('web', { ...image, ...change })).toEqual([fault]);
});
