import { checkReturnSchemes, mayReturnTo } from './hosted-page';

test.each([
  'myapp',
  'MyApp',
  'COM.Example.Shop',
  'shop2app',
  'com.example.shop',
  'com.example.my-shop',
  'org.example.shop.4',
])('%s is a scheme of an app', (scheme) => {
  expect(() => checkReturnSchemes([scheme])).not.toThrow();
});

// cspell:disable
/** Schemes of browsers, Windows, macOS, Android and common programs. */
const foreign = `
  about android-app android.resource app-settings blob brave callto chrome chrome-extension content data devtools
  facetime feed file filesystem firefox geo googlechrome hcp http https intent isolated-app itms-services jar javascript
  jnlp ldap mailto market mhtml microsoft-edge mms moz-extension ms-appinstaller ms-settings otpauth package prefs res
  rlogin search-ms shell shortcuts sip sms smb smsto ssh tel telnet tn3270 upi ussd vbscript view-source vnc vscode
  web+pay ws wtai x-apple.systempreferences x-callback-url
`;
// cspell:enable
const malformed = ['', 'app', 'my app', '1app', 'my_app', 'my-app', 'myapp:', 'myapp://', 'example.shop'];

test.each([...foreign.trim().split(/\s+/), ...malformed, 'com..shop', 'com.example.', 'com.exämple.shop'])(
  '"%s" is no scheme of an app',
  (scheme) => {
    expect(() => checkReturnSchemes(['myapp', scheme])).toThrow(`"${scheme}" is no scheme`);
  },
);

test('a session leads to web pages, and to apps whose scheme the account allows', () => {
  expect(mayReturnTo('https://shop.example/done')).toBe(true);
  expect(mayReturnTo('myapp://done', ['com.example.shop', 'myapp'])).toBe(true);
  expect(mayReturnTo('com.example.shop://done', ['com.example.shop'])).toBe(true);
  expect(mayReturnTo('MyApp://done', ['myapp'])).toBe(true);
  expect(mayReturnTo('myapp://done', ['MYAPP'])).toBe(true);
  expect(mayReturnTo('HTTPS://shop.example/done')).toBe(true);
  expect(mayReturnTo('myapp://done')).toBe(false);
  expect(mayReturnTo('yourapp://done', ['myapp'])).toBe(false);
});
