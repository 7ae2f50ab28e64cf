import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { mailboxMailer, smtpMailer } from './mailers';

/** The dialogue of a mail server with one mail (RFC 5321). */
async function startMailServer(accepts: boolean) {
  const received: string[] = [];
  let done: (text: string) => void;
  const mail = new Promise<string>((resolve) => {
    done = resolve;
  });
  const serve = (socket: Socket) => {
    let inData = false;
    socket.write('220 ready\r\n');
    socket.on('data', (chunk) => {
      for (const line of chunk.toString().split('\r\n').slice(0, -1)) {
        received.push(line);
        if (inData && line === '.') {
          inData = false;
          socket.write('250 kept\r\n');
          done(received.join('\n'));
        } else if (inData) continue;
        else if (line === 'DATA') {
          inData = true;
          socket.write('354 go on\r\n');
        } else socket.write(line.startsWith('RCPT') && !accepts ? '550 no\r\n' : '250 fine\r\n');
      }
    });
  };
  const server: Server = createServer(serve).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { mail, server, url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const mail = { to: 'person@example.com', subject: 'Confirm', text: 'https://console.example/#the-secret\n' };

test('sends a mail by SMTP from the configured sender', async () => {
  const error = jest.fn();
  const onMail = jest.fn();
  const { url, server, mail: received } = await startMailServer(true);
  const mailer = smtpMailer(url, 'Presenza <no-reply@example.com>', { logger: { error }, onMail });
  mailer.send(mail);
  const text = await received;
  expect(text).toMatch('MAIL FROM:<no-reply@example.com>');
  expect(text).toMatch('RCPT TO:<person@example.com>');
  expect(text).toMatch('https://console.example/#the-secret');
  await mailer.close();
  server.close();
  expect(error).not.toHaveBeenCalled();
  expect(onMail.mock.calls).toEqual([['sent']]);
});

test('logs a refused mail without its address and its link', async () => {
  const { url, server } = await startMailServer(false);
  let log: (given: unknown[]) => void = () => {};
  const logged = new Promise<unknown[]>((resolve) => {
    log = resolve;
  });
  const onMail = jest.fn();
  const logger = { error: (...given: unknown[]) => log(given) };
  const mailer = smtpMailer(url, 'Presenza <no-reply@example.com>', { logger: logger as never, onMail });
  mailer.send(mail);
  const text = JSON.stringify(await logged);
  expect(text).toMatch('a mail could not be sent');
  expect(text).not.toMatch(/person@example|the-secret/);
  await mailer.close();
  server.close();
  expect(onMail.mock.calls).toEqual([['failed']]);
});

/** A mailer whose mails leave when the test ends them. */
function heldMailer() {
  const onMail = jest.fn();
  const ends: (() => void)[] = [];
  const keep = () => new Promise<void>((resolve) => void ends.push(resolve));
  return { mailer: mailboxMailer({ keep }, { logger: { error: jest.fn() } as never, onMail }), onMail, ends };
}

test('lets mails leave before it closes', async () => {
  const { mailer, onMail, ends } = heldMailer();
  for (const name of ['first', 'second']) mailer.send({ ...mail, to: `person@${name}.example` });
  let closed = false;
  const closing = mailer.close().then(() => {
    closed = true;
  });
  // Mails leave after the response to which they belong.
  await new Promise(setImmediate);
  ends[1]?.();
  await new Promise(setImmediate);
  expect(closed).toBe(false);
  ends[0]?.();
  await closing;
  expect(onMail.mock.calls).toEqual([['kept'], ['kept']]);
});

test('drops mails to a domain for which too many wait, and none to another domain', () => {
  const { mailer, onMail } = heldMailer();
  for (let sent = 0; sent < 1_001; sent++) mailer.send(mail);
  const dropped = onMail.mock.calls.length;
  expect(onMail.mock.calls).toEqual(Array(dropped).fill(['dropped']));
  expect(dropped).toBeGreaterThan(0);
  mailer.send({ ...mail, to: 'person@example.org' });
  expect(onMail).toHaveBeenCalledTimes(dropped);
});
