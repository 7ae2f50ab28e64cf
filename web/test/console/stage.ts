/** The set-up of the console's tests: the whole service with its site, Chromium, and people who have signed up. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import {
  mailedLink,
  password,
  type Service,
  signUp,
  startService,
  waitUntil,
} from '../../../gateway/harness/index.mjs';
import { Authenticator } from '../../../gateway/test/console/authenticator';
import { sharedTierUrl } from '../../../gateway/test/shared-tier';
import { launch } from '../chromium';
import { DESKTOP, PHONE, startVisit, type Visit, violations } from '../visit';

export { password };

/** Shared by all tests of a file. */
export let service: Service;
let browser: Browser;

/** Call it once per file. */
export function setUpStage(gatewayEnv: Readonly<NodeJS.ProcessEnv> = {}, siteHost?: string) {
  beforeAll(async () => {
    [browser, service] = await Promise.all([
      launch(),
      startService({
        site: true,
        inferenceUrl: sharedTierUrl(),
        gatewayEnv: { CONSOLE: 'on', ...gatewayEnv },
        ...(siteHost !== undefined && { siteHost }),
      }),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
}

/** Asks the console at intervals, because it limits how often a person may call it. */
export const poll = (what: string, probe: () => Promise<boolean>) =>
  waitUntil(what, probe, { intervalMs: 100 });

/** Somebody who is not signed in. */
export const newVisit = (options: BrowserContextOptions = {}) => startVisit(browser, options);

// biome-ignore lint/suspicious/noExplicitAny: each test says what it expects
type Data = any;

/** Somebody in a browser of their own, who is signed in after `signUp` and `join`. */
export class Person {
  private constructor(
    readonly email: string,
    private readonly visit: Visit,
    /** The account that the pages show. */
    readonly accountId: string,
  ) {}

  get page(): Page {
    return this.visit.page;
  }

  /** Errors of the browser's console, such as violations of the content security policy. */
  get errors(): readonly string[] {
    return this.visit.errors;
  }

  /** Somebody with an account of their own. */
  static async signUp(email: string, options: BrowserContextOptions = {}): Promise<Person> {
    const visit = await newVisit(options);
    await signUp(service, email, visit.context.request);
    return Person.signedIn(email, visit);
  }

  /** Somebody whom the command line makes an operator, signed in with a passkey. */
  static async signUpOperator(email: string): Promise<Person> {
    const person = await Person.signUp(email);
    const authenticator = await person.addPasskey();
    const { ticket, options } = await person.call('POST', '/sign-in/passkey-options', {});
    await person.call('POST', '/sign-in/passkey', { ticket, passkey: authenticator.get(options) });
    await service.admin('operators', 'add', '--email', email);
    return person;
  }

  async addPasskey(): Promise<Authenticator> {
    const authenticator = new Authenticator(service.siteUrl);
    const { ticket, options } = await this.call('POST', '/profile/passkey-options', {});
    await this.call('POST', '/profile/passkeys', { ticket, passkey: authenticator.create(options) });
    return authenticator;
  }

  /** Somebody whom this person invites into the account. */
  async invite(email: string, role: string): Promise<Person> {
    await this.call('POST', this.path('/members'), { email, role });
    const visit = await newVisit();
    await callAs(visit, 'POST', '/join', { ticket: await ticketFor(email), password });
    return Person.signedIn(email, visit);
  }

  private static async signedIn(email: string, visit: Visit): Promise<Person> {
    const { accounts } = await callAs(visit, 'GET', '/profile');
    return new Person(email, visit, accounts[0]?.accountId ?? '');
  }

  /** A path of the account in the console's API. */
  path = (rest: string) => `/accounts/${this.accountId}${rest}`;

  /** The data of a call of the console's API, with the cookie of this person. */
  call = (method: string, path: string, body?: object): Promise<Data> =>
    callAs(this.visit, method, path, body);

  /** Opens a page of the console, and waits for its title. */
  open = async (path: string): Promise<void> => {
    await this.page.goto(`${service.siteUrl}/console${path}`);
    await this.page.getByRole('heading', { level: 1 }).waitFor();
  };

  button = (name: string) => this.page.getByRole('button', { name, exact: true });

  sees = (text: string | RegExp) => this.page.getByText(text).first().waitFor();

  leave = () => this.visit.context.close();
}

async function callAs({ context }: Visit, method: string, path: string, data?: object): Promise<Data> {
  const headers = { origin: service.siteUrl };
  const address = `${service.apiUrl}/console/api${path}`;
  const reply = await context.request.fetch(address, { method, headers, ...(data && { data }) });
  const text = await reply.text();
  if (!reply.ok()) throw new Error(`${method} ${path}: ${reply.status()} ${text}`);
  return JSON.parse(text).data;
}

/** The newest link that was mailed to an address. */
export const linkFor = (email: string): Promise<string> => mailedLink(service, email);

/** The secret of that link. */
export const ticketFor = async (email: string): Promise<string> =>
  new URL(await linkFor(email)).hash.slice(1);

/** Expects no violations of accessibility and no sideways scrolling, on a desktop and on a phone. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const size of [PHONE, DESKTOP]) {
    await page.setViewportSize(size);
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
  }
}
