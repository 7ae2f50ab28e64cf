import { bundleOf, ENTRY, filesOf } from './bundle.mjs';

test('the pod gets the program with everything that it imports, in the same folders', () => {
  const { configMap, volume } = bundleOf({ name: 'load', namespace: 'test' });
  const paths = volume.configMap.items.map(({ path }) => path);
  expect(paths).toEqual(filesOf());
  expect(paths).toEqual(expect.arrayContaining([ENTRY, 'gateway/harness/client.mjs']));
  for (const { key } of volume.configMap.items) {
    expect(key).toMatch(/^[-._a-zA-Z0-9]+$/);
    expect(configMap.data[key]?.length).toBeGreaterThan(0);
  }
});

test('a program that needs a package, which the pod does not have, is refused', () => {
  expect(() => filesOf('gateway/harness/small-images.mjs')).toThrow('imports sharp');
});
