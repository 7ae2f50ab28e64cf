import { parseWebUrl } from './web-url';

test.each([
  ['https://app.example.com/done?x=1#part', 'app.example.com'],
  ['HTTPS://App.Example.com', 'app.example.com'],
  ['https://app.example.com.', 'app.example.com.'],
  ['https://app.example.com:/', 'app.example.com'],
  ['https://app.example.com:1/', 'app.example.com'],
  ['https://app.example.com:65535/', 'app.example.com'],
  ['http://localhost:3000/done', 'localhost'],
  ['https://[2606:4700::1111]:8443/', '[2606:4700::1111]'],
  ['https://bücher.example/', 'xn--bcher-kva.example'],
])('%s has the host %s', (text, hostname) => {
  expect(parseWebUrl(text)?.hostname).toBe(hostname);
});

test.each([
  '',
  'app.example.com',
  '/done',
  '//app.example.com',
  'javascript:alert(1)',
  'ftp://app.example.com/',
  // No host.
  'https:',
  'https://',
  'https:///done',
  'https://?x',
  'https://#x',
  'https://:',
  'https://:443/',
  'https:x',
  'https:/app.example.com',
  'https:\\\\app.example.com',
  'https://\\app.example.com',
  'https://[',
  'https://[::1',
  'https://.',
  'https://..',
  'https://.example.com',
  'https://app..example.com',
  'https://%zz/',
  // No valid port.
  'https://app.example.com:0/',
  'https://app.example.com:65536/',
  'https://app.example.com:99999/',
  'https://app.example.com:-1/',
  'https://app.example.com:http/',
  'https://[::1]x/',
  'https://1.2.3.256/',
  // Credentials, which hide the host from a person who reads it.
  'https://bank.example@app.example.com/',
  'https://user:pass@app.example.com/',
  'https://:p@app.example.com/',
  // Characters that a parser drops or replaces.
  ' https://app.example.com',
  'https://app.example.com ',
  'https://app.exa\nmple.com',
  'https://app\t.example.com',
  'https://app.example.com\\@evil.example',
  'https://app.example.com/\u0000',
  'https://app.example.com/a b',
])('%j is refused', (text) => {
  expect(parseWebUrl(text)).toBeUndefined();
});
