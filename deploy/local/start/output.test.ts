import { Terminal } from '../../../gateway/harness/cli/terminal.mjs';
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
  const entry = (fields: object) => JSON.stringify({ level: 30, time: 1, ...fields });
  const request = { requestId: 'req_1', method: 'POST', operation: 'detect', status: 200, ms: 190 };
  log('gateway', entry({ ...request, bytesIn: 9, stages: { auth: 1 }, msg: 'request' }));
  log('gateway', entry({ status: 200, msg: 'request' }));
  log('inference', entry({ device: 'cuda', reason: 'it has no provider', msg: 'device passed over' }));
  log('inference', entry({ id: 'arc', license: 'MIT', trainingData: 'photos', msg: 'model in use' }));
  log('inference', entry({ url: 'http://h:1', backend: 'onnx', startMs: 1234, msg: 'inference ready' }));
  const err = { message: 'it failed', stack: 'x' };
  log('inference', entry({ level: 40, err, stages: {}, msg: 'not routine' }));
  log('redis', '15377:M 22 Nov 2026 16:21:48.438 # User requested shutdown...');
  log('redis', '15377:M 22 Nov 2026 16:21:48.438 # Redis is now ready to exit, bye bye...');
  log('redis', '15377:M 22 Nov 2026 16:21:48.438 # WARNING Memory overcommit must be enabled!');
  log('redis', "15377:M 22 Nov 2026 16:21:48.438 # Can't open the append-only file");
  log('redis', '22378:signal-handler (1795368992) Received SIGTERM scheduling shutdown...');
  log('site', '{"broken');
  expect(text.split('\n')).toEqual([
    '09:05:07 gateway    POST detect  200 in 190 ms  requestId=req_1',
    '09:05:07 gateway    request  status=200',
    '09:05:07 inference  does not use cuda: it has no provider',
    '09:05:07 inference  uses the model arc',
    '09:05:07 inference  ready at http://h:1 after 1.2 s',
    '09:05:07 inference  WARNING  not routine  err="it failed"',
    "09:05:07 redis      Can't open the append-only file",
    '09:05:07 redis      Received SIGTERM scheduling shutdown...',
    '09:05:07 site       {"broken',
    '',
  ]);
});

it('quotes the path of a photo for the shell', () => {
  const command = detectCommand({ gatewayUrl: 'http://127.0.0.1:1', key: 'k', photo: "/it's here/a.jpg" });
  expect(command).toContain(String.raw`-F 'image=@"/it'\''s here/a.jpg"'`);
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
