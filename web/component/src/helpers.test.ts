import { contrast, paletteOf } from './branding';
import { browserFamily, missingFeature, problemOf } from './camera';
import { deviceId, deviceType } from './device';
import { fill } from './fill';
import { frameSize } from './frames';
import { addressForPhone, isHandedOver } from './handover';
import { parseLink } from './link';
import { pickLocale } from './locale';
import { apiAddress, returnAddress, webAddress } from './return-url';
import { MEANT_MS, STANDS_MS, type Steady, steady } from './steady';

test.each([
  [
    'ses_O8KhR1CUcwkvSelwdNUiB0Z9-CExhGMcmxxOvD2QZZr4t3DfCbpin3h2rNBUoWGp7CvS',
    'ses_O8KhR1CUcwkvSelwdNUiB0Z9',
  ],
  ['', undefined],
  ['ses_O8KhR1CUcwkvSelwdNUiB0Z9', undefined],
  ['-CExhGMcmxxOvD2QZZr4t3DfCbpin3h2rNBUoWGp7CvS', undefined],
  ['ses_O8KhR1CUcwkvSelwdNUiB0Z9-CExhGMcmxxOvD2QZZr4t3DfCbpin3h2rNBUoWGp7CvS/../x', undefined],
  ['ses_O8KhR1CUcwkvSelwdNUiB0Z9-CExhGM', undefined],
])('the access token "%s" contains the session id %s', (token, sessionId) => {
  expect(parseLink(token)?.sessionId).toBe(sessionId);
});

test.each([
  [['de-AT', 'en'], 'de'],
  [['nl', 'pt-PT'], 'pt-BR'],
  [['EN-us'], 'en'],
  [['zh-hans-CN', 'ja'], 'zh-CN'],
  [['nl', 'sv'], undefined],
  [[], undefined],
])('for %j the available language is %s', (wanted, locale) => {
  expect(pickLocale(wanted, ['en', 'de', 'pt-BR', 'zh-CN'])).toBe(locale);
});

test('a text keeps its unknown placeholders and formats numbers', () => {
  expect(fill('{a} of {b} and {c}', { a: 1234, b: 'x' }, 'de')).toBe('1.234 of x and {c}');
});

describe('the device', () => {
  const means = (localStorage: unknown) => ({ localStorage: localStorage as Storage });

  test('keeps its id', () => {
    const kept = new Map<string, string>();
    const storage = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
    };
    const id = deviceId(means(storage));
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(deviceId(means(storage))).toBe(id);
    kept.set('verify-device', 'something else');
    expect(deviceId(means(storage))).not.toBe('something else');
  });

  test('has an id without storage', () => {
    expect(deviceId(means(undefined))).toMatch(/^[0-9a-f]{32}$/);
  });
});

test.each([
  [1280, 960, 640, 480],
  [640, 480, 640, 480],
  [480, 640, 480, 640],
  [1080, 1920, 360, 640],
  [320, 240, 320, 240],
  [160, 120, 320, 240],
  [400, 1000, 320, 800],
])('an image of %d x %d is sent as %d x %d', (width, height, w, h) => {
  expect(frameSize(width, height)).toEqual({ width: w, height: h });
});

describe('guidance that changes', () => {
  const run = (values: [at: number, value: string][]) => {
    let state: Steady<string> | null = null;
    return values.map(([at, value]) => {
      state = steady(state, value, at);
      return state.shown;
    });
  };

  test('with every frame stays constant', () => {
    const flicker = Array.from({ length: 50 }, (_, i): [number, string] => [i * 100, i % 2 ? 'a' : 'b']);
    expect(new Set(run(flicker))).toEqual(new Set(['b']));
  });

  test('persistently is shown after a delay', () => {
    const shown = run([
      [0, 'ok'],
      [STANDS_MS, 'tooFar'],
      [STANDS_MS + MEANT_MS - 1, 'tooFar'],
      [STANDS_MS + MEANT_MS, 'tooFar'],
    ]);
    expect(shown).toEqual(['ok', 'ok', 'ok', 'tooFar']);
  });

  test('is never replaced within a second', () => {
    const slow = Array.from({ length: 400 }, (_, i): [number, string] => [i * 50, String(Math.floor(i / 9))]);
    const shown = run(slow);
    const changes = shown.flatMap((value, i) => (i > 0 && value !== shown[i - 1] ? [i * 50] : []));
    expect(changes.length).toBeGreaterThan(3);
    changes.forEach((at, i) => {
      if (i > 0) expect(at - (changes[i - 1] ?? 0)).toBeGreaterThanOrEqual(STANDS_MS);
    });
  });
});

describe('colors of an account', () => {
  const [light, dark] = ['#f6f7f4', '#0d131c'];

  test('contrast follows WCAG', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
    expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  });

  test.each(['#00684a', '#ffe600', '#000000', '#ffffff', '#808080', '#ff0000', '#0b57d0'])(
    '%s is readable as text and as background',
    (accent) => {
      for (const paper of [light, dark]) {
        const palette = paletteOf({ accent }, paper);
        expect(contrast(palette['--accent'] ?? '', paper)).toBeGreaterThanOrEqual(4.5);
        expect(contrast(palette['--on-accent'] ?? '', palette['--accent'] ?? '')).toBeGreaterThanOrEqual(4.5);
      }
    },
  );

  test('stay unchanged if they are readable', () => {
    expect(paletteOf({ accent: '#00684a' }, light)).toEqual({
      '--accent': '#00684a',
      '--on-accent': '#ffffff',
    });
    expect(paletteOf(undefined, light)).toEqual({});
  });

  test.each(['#fff8ec', '#ffffff', '#101418', '#002b20'])('text is readable on %s', (background) => {
    const palette = paletteOf({ accent: '#0b57d0', background }, light);
    expect(palette['--paper']).toBe(background);
    for (const text of ['--ink', '--ink-soft', '--accent'] as const)
      expect(contrast(palette[text] ?? '', background)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(palette['--ink-soft'] ?? '', palette['--panel'] ?? '')).toBeGreaterThanOrEqual(4);
  });

  test('a background without readable text is ignored', () => {
    expect(paletteOf({ accent: '#00684a', background: '#808080' }, light)).toEqual(
      paletteOf({ accent: '#00684a' }, light),
    );
  });
});

test.each([
  ['https://api.example.com', 'https://api.example.com'],
  ['https://api.example.com/', 'https://api.example.com'],
  ['https://api.example.com/v1', 'https://api.example.com'],
  ['https://api.example.com/v1/', 'https://api.example.com'],
  ['https://example.com/faces//v1//', 'https://example.com/faces'],
  ['http://localhost:4000', 'http://localhost:4000'],
  ['/api/', '/api'],
  ['api.example.com', null],
  ['ftp://api.example.com', null],
  ['https://', null],
  ['', null],
])('the address %s of the API is read as %s', (address, expected) => {
  expect(apiAddress(address)).toBe(expected);
});

describe('the return address', () => {
  test('has session id and status', () => {
    expect(returnAddress('https://app.example.com/done?a=1&status=x#end', 'ses_1', 'completed')).toBe(
      'https://app.example.com/done?a=1&status=completed&sessionId=ses_1#end',
    );
  });

  test('opens an app', () => {
    expect(returnAddress('myapp://done?a=1', 'ses_1', 'failed')).toBe(
      'myapp://done?a=1&sessionId=ses_1&status=failed',
    );
  });

  test.each(['javascript:alert(1)', ' JavaScript://%0aalert(1)', 'java\nscript:alert(1)', '/relative', ''])(
    'is never %j',
    (address) => {
      expect(webAddress(address)).toBeNull();
      expect(returnAddress(address, 'ses_1', 'completed')).toBeNull();
    },
  );

  test.each(['myapp://done', 'file:///etc', 'data:text/html,x'])('a web page is not %s', (address) => {
    expect(webAddress(address)).toBeNull();
  });
});

describe('the camera', () => {
  test.each([
    ['NotAllowedError', 'Permission denied', 'denied', 'denied'],
    ['NotAllowedError', 'Permission denied', undefined, 'denied'],
    ['NotAllowedError', 'Permission dismissed', undefined, 'dismissed'],
    ['NotAllowedError', '', 'prompt', 'dismissed'],
    ['SecurityError', '', undefined, 'denied'],
    ['NotFoundError', '', undefined, 'none'],
    ['OverconstrainedError', '', undefined, 'none'],
    ['NotReadableError', '', undefined, 'inUse'],
    ['AbortError', '', undefined, 'inUse'],
    ['TypeError', '', undefined, 'failed'],
  ] as const)('%s "%s" with the permission %s means %s', (name, message, permission, problem) => {
    expect(problemOf({ name, message, permission })).toBe(problem);
  });

  test('is requested only in capable, secure browsers', () => {
    const capable = {
      isSecureContext: true,
      navigator: { mediaDevices: { getUserMedia() {} } },
    };
    const check = (change: object) =>
      missingFeature({ ...capable, ...change } as unknown as Window & typeof globalThis);
    expect(check({})).toBeNull();
    expect(check({ isSecureContext: false, navigator: {} })).toBe('insecure');
    expect(check({ navigator: {} })).toBe('unsupported');
  });

  const agents = {
    iosSafari:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 13_5 like Mac OS X) Version/13.1 Mobile/15E148 Safari/604.1',
    macSafari:
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/14.0 Safari/605.1.15',
    firefox: 'Mozilla/5.0 (X11; Linux x86_64; rv:75.0) Gecko/20100101 Firefox/75.0',
    androidChrome: 'Mozilla/5.0 (Linux; Android 10) AppleWebKit/537.36 Chrome/80.0 Mobile Safari/537.36',
    desktopChrome: 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/80.0 Safari/537.36 Edg/80.0',
    other: 'Something',
  } as const;

  test.each(Object.entries(agents))('%s', (family, userAgent) => {
    expect(browserFamily({ userAgent, maxTouchPoints: 0 })).toBe(family);
  });

  test('an iPad with the user agent of a Mac is recognized', () => {
    expect(browserFamily({ userAgent: agents.macSafari, maxTouchPoints: 5 })).toBe('iosSafari');
  });
});

const like = (system: string, browser: string) => `Mozilla/5.0 (${system}) ${browser}`;
test.each([
  [like('iPhone; CPU iPhone OS 17_4 like Mac OS X', 'Version/17.4 Mobile/15E148 Safari/604.1'), 'phone'],
  [like('Linux; Android 10; K', 'Chrome/124.0.0.0 Mobile Safari/537.36'), 'phone'],
  [like('Linux; Android 10; K', 'Chrome/124.0.0.0 Safari/537.36'), 'tablet'],
  [like('Android 14; Tablet; rv:125.0', 'Gecko/125.0 Firefox/125.0'), 'tablet'],
  [like('iPad; CPU OS 12_5 like Mac OS X', 'Version/12.1 Mobile/15E148 Safari/604.1'), 'tablet'],
  [like('Windows NT 10.0; Win64; x64', 'Chrome/124.0.0.0 Safari/537.36'), 'desktop'],
])('the browser %s runs on a %s', (userAgent, type) => {
  expect(deviceType({ userAgent, maxTouchPoints: 5 })).toBe(type);
});

test('a Mac with a touch screen is an iPad', () => {
  const userAgent = like('Macintosh; Intel Mac OS X 10_15_7', 'Version/17.4 Safari/605.1.15');
  expect(deviceType({ userAgent, maxTouchPoints: 5 })).toBe('tablet');
  expect(deviceType({ userAgent, maxTouchPoints: 0 })).toBe('desktop');
});

test('the address for a phone keeps query and access token, and marks the phone', () => {
  const address = addressForPhone('https://verify.example/check?tenant=a%20b&handover=0#ses_1-token');
  expect(address).toBe('https://verify.example/check?tenant=a+b&handover=1#ses_1-token');
  expect(isHandedOver(address)).toBe(true);
  expect(addressForPhone(address)).toBe(address);
  expect(isHandedOver('https://verify.example/check#ses_1-token?handover=1')).toBe(false);
  expect(isHandedOver(null)).toBe(false);
});
