import { chooseScenarios } from '../scenarios/index.mjs';
import { readOptions } from './options.mjs';
import { imagesOf } from './overlay.mjs';

test('without options, a run has a random namespace and the images of the manifests', () => {
  const options = readOptions([]);
  expect(options.namespace).toMatch(/^presenza-test-[0-9a-f]{6}$/);
  expect(readOptions([]).namespace).not.toBe(options.namespace);
  expect(imagesOf(options, '1.2.3')).toEqual({
    gateway: 'presenza/gateway:1.2.3',
    inference: 'presenza/inference:1.2.3',
    web: 'presenza/web:1.2.3',
  });
});

test('a registry, a version and full names replace those of the manifests', () => {
  const options = readOptions([
    '--registry',
    'example.com:5000/team/',
    '--version',
    '2.0.0',
    '--image',
    'web=example.org/site@sha256:ab',
    '--image',
    'redis=valkey:8',
  ]);
  expect(options.redis).toBe('valkey:8');
  expect(imagesOf(options, '1.2.3')).toEqual({
    gateway: 'example.com:5000/team/gateway:2.0.0',
    inference: 'example.com:5000/team/inference:2.0.0',
    web: 'example.org/site@sha256:ab',
  });
});

test('a tier has another version during an upgrade, in the same repository', () => {
  const options = readOptions(['--image', 'gateway=example.com:5000/gate:7@sha256:ab', '--version', '2.0.0']);
  const images = imagesOf(options, '1.2.3', { gateway: '1.9.0', web: '1.8.0' });
  expect(images).toEqual({
    gateway: 'example.com:5000/gate:1.9.0',
    inference: 'presenza/inference:2.0.0',
    web: 'presenza/web:1.8.0',
  });
});

test('scenarios are chosen, and required, by name', () => {
  const options = readOptions(['--only', 'network,drain', '--require', 'drain']);
  expect(chooseScenarios(options).map(({ name }) => name)).toEqual(['network', 'drain']);
  expect(chooseScenarios(readOptions(['--require', 'drain'])).length).toBeGreaterThan(20);
});

test.each([
  [['--only', 'drains'], 'There is no scenario drains. See --list.'],
  [['--require', 'drains'], 'There is no scenario drains. See --list.'],
  [['--only', 'network', '--require', 'drain'], '--only leaves out drain, which --require names.'],
])('%j is refused, because no such scenario would run', (args, message) => {
  expect(() => chooseScenarios(readOptions(args))).toThrow(message);
});

test.each([
  [['--namespace', 'Upper'], /--namespace takes/],
  [['--image', 'mail=x'], /--image takes/],
  [['--per-second', '0'], /--per-second takes/],
  [['--unknown'], /--help/],
])('%j is refused with a sentence', (args, message) => {
  expect(() => readOptions(args)).toThrow(message);
});
