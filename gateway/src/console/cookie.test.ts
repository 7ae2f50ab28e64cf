import type { Request, Response } from 'express';
import { ConsoleCookie } from './cookie';

/** The Set-Cookie header that a sign-in writes. */
function written(origin: string, value: string | null = 'secret'): string {
  const headers: string[] = [];
  const response = { append: (_name: string, header: string) => headers.push(header) };
  ConsoleCookie.ofSignIn(origin).write(response as unknown as Response, value);
  return headers.join();
}

test('the cookie of a console with encryption is Secure, and no other host can set it', () => {
  expect(written('https://console.example')).toMatch(
    /^__Host-presenza-console=secret; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
});

test.each(['http://localhost:8000', 'http://127.0.0.1:8000'])(
  'the cookie of a console at %s is not Secure, because WebKit would not store it',
  (origin) => {
    expect(written(origin)).toMatch(/^presenza-console=secret; /);
    expect(written(origin)).not.toContain('Secure');
  },
);

test('a cookie is read under its name, and removed with its attributes', () => {
  const cookie = ConsoleCookie.ofSignIn('https://console.example');
  const request = (text: string) => ({ headers: { cookie: text } }) as Request;
  expect(cookie.read(request('a=b; __Host-presenza-console=secret'))).toBe('secret');
  expect(cookie.read(request('presenza-console=secret'))).toBeUndefined();
  expect(written('https://console.example', null)).toMatch(/^__Host-presenza-console=; Max-Age=0; .*Secure/);
});
