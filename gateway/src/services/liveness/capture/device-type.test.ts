import { checkDevice, deviceTypeOf } from './device-type';

const like = (system: string, browser: string) => `Mozilla/5.0 (${system}) ${browser}`;

test.each([
  [like('iPhone; CPU iPhone OS 17_4 like Mac OS X', 'Version/17.4 Mobile/15E148 Safari/604.1'), 'phone'],
  [like('Linux; Android 10; K', 'Chrome/124.0.0.0 Mobile Safari/537.36'), 'phone'],
  [like('Android 14; Mobile; rv:125.0', 'Gecko/125.0 Firefox/125.0'), 'phone'],
  [like('Linux; Android 10; K', 'Chrome/124.0.0.0 Safari/537.36'), 'tablet'],
  [like('Android 14; Tablet; rv:125.0', 'Gecko/125.0 Firefox/125.0'), 'tablet'],
  [like('iPad; CPU OS 12_5 like Mac OS X', 'Version/12.1 Mobile/15E148 Safari/604.1'), 'tablet'],
  [like('Macintosh; Intel Mac OS X 10_15_7', 'Version/17.4 Safari/605.1.15'), 'desktop'],
  [like('Windows NT 10.0; Win64; x64', 'Chrome/124.0.0.0 Safari/537.36'), 'desktop'],
  [undefined, 'desktop'],
])('the user agent %s is that of a %s', (agent, type) => {
  expect(deviceTypeOf({ agent })).toBe(type);
});

test('a report takes precedence over the headers, and the hint of the client over its user agent', () => {
  const agent = like('Macintosh; Intel Mac OS X 10_15_7', 'Version/17.4 Safari/605.1.15');
  expect(deviceTypeOf({ agent, type: 'tablet' })).toBe('tablet');
  expect(deviceTypeOf({ agent: 'okhttp/4.12.0', mobile: '?1' })).toBe('phone');
  expect(deviceTypeOf({ agent, mobile: '?0' })).toBe('desktop');
});

test('a policy refuses the kinds of device that it leaves out', () => {
  expect(() => checkDevice({ devices: ['phone', 'tablet'] }, { type: 'tablet' })).not.toThrow();
  expect(() => checkDevice({ devices: ['phone', 'tablet'] }, {})).toThrow('PERMISSION_DENIED');
});
