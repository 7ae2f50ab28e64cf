import { Terminal } from '../cli/terminal.mjs';
import { logLines } from './log-lines.mjs';
import { detectCommand, summary } from './summary.mjs';

let text: string;
beforeEach(() => {
  text = '';
});
const write = (part: string) => {
  text += part;
};
const pipe = new Terminal({ write });

it('prints a tier’s log for a program as JSON after the tier’s name', () => {
  const screen = new Terminal({ write, isTTY: true });
  logLines(pipe, { format: 'json', colored: false })('gateway', '{"level":30,"msg":"up"}');
  logLines(screen, { format: 'json', colored: true })('gateway', '{"level":30,"msg":"up"}');
  expect(text).toBe('[gateway] {"level":30,"msg":"up"}\n\x1b[36m[gateway]\x1b[0m {"level":30,"msg":"up"}\n');
});

it('prints a tier’s log for a person in words', () => {
  const now = () => new Date(2026, 10, 22, 9, 5, 7);
  const log = logLines(pipe, { format: 'text', colored: false, now });
  const request = { level: 30, time: 1, method: 'GET', status: 200, stages: {}, msg: 'request' };
  log('gateway', JSON.stringify(request));
  const err = { message: 'it failed', stack: 'x' };
  log('inference', JSON.stringify({ level: 40, reason: 'no GPU', err, msg: 'device passed over' }));
  log('redis', '15377:M 22 Nov 2026 16:21:48.438 # User requested shutdown...');
  log('redis', '15377:M 22 Nov 2026 16:21:48.438 # WARNING Memory overcommit must be enabled!');
  log('redis', '22378:signal-handler (1795368992) Received SIGTERM scheduling shutdown...');
  log('site', '{"broken');
  expect(text.split('\n')).toEqual([
    '09:05:07 gateway    request  method=GET  status=200',
    '09:05:07 inference  WARNING  device passed over  reason="no GPU"  err="it failed"',
    '09:05:07 redis      User requested shutdown...',
    '09:05:07 redis      Received SIGTERM scheduling shutdown...',
    '09:05:07 site       {"broken',
    '',
  ]);
});

it('quotes the path of a photo for the shell', () => {
  const command = detectCommand({ gatewayUrl: 'http://127.0.0.1:1', key: 'k', photo: "/it's here/a.jpg" });
  expect(command).toContain(String.raw`base64 < '/it'\''s here/a.jpg' |`);
});

it('shows the development key and the link to the mailbox only on a terminal', () => {
  const urls = {
    gateway: 'http://127.0.0.1:1',
    site: '',
    metrics: '',
    inference: '',
    admin: 'http://127.0.0.1:3',
  };
  const shown = {
    urls: urls as never,
    keyFile: '/data/dev-api-key',
    adminTokenFile: undefined,
    consoleUrl: 'http://127.0.0.1:2/console',
    hasMailbox: true,
    nameOf: String,
  };
  const onTerminal = summary({ ...shown, key: 'pres_test_1', adminToken: 'abc' });
  expect(onTerminal).toMatch(/API key {3}pres_test_1\n {12}kept in \/data\/dev-api-key/);
  expect(onTerminal).toContain("-H 'Authorization: Bearer pres_test_1'");
  const mailbox = 'http://127.0.0.1:3/mailbox';
  expect(onTerminal).toContain(
    `Console   ${shown.consoleUrl}\n            its mails arrive at ${mailbox}#abc\n`,
  );
  const inLog = summary(shown);
  expect(inLog).toContain(`${mailbox}\n`);
  expect(inLog).toMatch(/API key {3}kept in \/data\/dev-api-key/);
  expect(inLog).toContain('-H "Authorization: Bearer $(cat /data/dev-api-key)"');
  expect(summary({ ...shown, consoleUrl: undefined })).not.toMatch(/Console|mailbox/);
  expect(summary({ ...shown, hasMailbox: false })).not.toContain('mailbox');
});
