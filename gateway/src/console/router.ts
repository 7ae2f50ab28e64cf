/** The console's API as a router: its own cookie, its own errors, and nothing that a key of the public API opens. */
import { type ErrorRequestHandler, type Request, type RequestHandler, Router } from 'express';
import { inputOf, maxBytesOf, plainBodyBytes } from '../admin/http-input';
import { checkerOf } from '../admin/input';
import type { Operation } from '../admin/operation';
import { type Asked, perform } from '../admin/perform';
import { registry } from '../admin/registry';
import { isTextStream, writeLines } from '../admin/text-stream';
import { Lanes } from '../async/lanes';
import { bounds } from '../bounds';
import { Refusal } from '../errors/refusal';
import { admit, claimVisitorShare } from '../middleware/admit';
import { readBody } from '../middleware/body';
import { methodNotAllowed, notFound, respondWithRefusal } from '../middleware/errors';
import { operation as nameOperation } from '../middleware/observe';
import { audited } from '../services/audit/audited';
import type { SignedIn } from '../services/identity/sign-ins';
import { hasSecondFactor } from '../services/identity/users';
import { Admission } from '../services/limits/admission';
import { Refused } from '../services/rights/refused';
import type { Role } from '../services/rights/roles';
import { accountCalls } from './accounts';
import { billingCalls } from './billing';
import type { Access, Call, ConsoleServices, Result } from './call';
import { ConsoleCookie } from './cookie';
import { formerAccessCalls } from './former-access';
import { grants, recentGrants } from './grants';
import { invitationCalls } from './invitations';
import { memberCalls } from './members';
import { consoleOpenapi } from './openapi';
import { onlyFrom } from './origin';
import { peopleCalls } from './people';
import { type PlaygroundServices, playground, playgroundPath, playgroundRoles } from './playground';
import { stripeRoute } from './stripe';

export interface ConsoleRouterServices {
  readonly console: ConsoleServices;
  /** Capacity of the API, which the console's calls with large bodies use, too. */
  readonly admission: Admission;
  readonly analyses: PlaygroundServices;
}

/** How long the reader of a streamed response may pause. */
const unreadMs = 60_000;

/** All calls of the console. */
export const consoleCalls: readonly Call[] = [
  ...peopleCalls,
  ...memberCalls,
  ...invitationCalls,
  ...formerAccessCalls,
  ...accountCalls,
  ...billingCalls,
  ...registry.flatMap((operation) => {
    const access = grants[operation.words];
    const recent = recentGrants.has(operation.words);
    return access ? [{ ...callOf(operation, access, 'user'), recent }] : [];
  }),
  ...registry.map((operation) => {
    const { words, http } = operation;
    const there = { words: `operator ${words}`, http: [http[0], `/operator${http[1]}`] as const };
    // Operators change and read the data of other people, which a browser left open must not do for long.
    return { ...callOf(operation, 'operator', 'operator'), ...there, recent: true };
  }),
];

/** An operators' operation as a call. @param actor its kind in the audit log */
function callOf(operation: Operation, access: Access, actor: 'user' | 'operator'): Call {
  const { words, summary, http, input, images, isSearch } = operation;
  return {
    ...{
      words,
      summary,
      http,
      input,
      access,
      ...(images !== undefined && { images }),
      ...(isSearch && { isSearch }),
    },
    // `perform` records it.
    changes: false,
    run: async ({ admin }, given, { requestId, images, role }, signedIn) => {
      const userId = signedIn?.user.id;
      const asked: Asked = {
        requestId,
        images,
        actor: `${actor}:${userId}`,
        party: role ?? 'operator',
        memberId: actor === 'user' ? userId : undefined,
      };
      return { data: await perform(operation, admin, given as Record<string, unknown>, asked) };
    },
  };
}

export function consoleRouter({ console, admission, analyses }: ConsoleRouterServices): Router {
  const router = Router();
  // Each may take up to half a second of the gateway's only thread.
  const searches = new Lanes(Number.POSITIVE_INFINITY, bounds.consoleSearches);
  // Anybody may make some of the calls, so none of them takes capacity from the API.
  const visitors = new Admission({
    maxRequests: bounds.consoleRequests,
    maxBodyBytes: bounds.consoleRequests * plainBodyBytes,
    share: bounds.consoleShare,
  });
  const { origin } = console.identity;
  const cookie = ConsoleCookie.ofSignIn(origin);
  const device = ConsoleCookie.ofDevice(origin);
  stripeRoute(router, console.billing, visitors);
  router.use(onlyFrom(origin));
  const description = consoleOpenapi(consoleCalls);
  router.get('/openapi.json', nameOperation('console openapi'), admit(visitors, 0), (_req, res) => {
    res.json(description);
  });
  for (const path of new Set(consoleCalls.map(({ http }) => http[1]))) {
    const here = consoleCalls.filter(({ http }) => http[1] === path);
    const route = router.route(path);
    for (const one of here) {
      const method = one.http[0].toLowerCase() as 'get' | 'post' | 'patch' | 'delete';
      route[method](
        nameOperation(`console ${one.words}`),
        admit(one.images === undefined ? visitors : admission, maxBytesOf(one)),
        signInOf(one, console, cookie),
        claimVisitorShare(maxBytesOf(one)),
        bodyOf(one),
        handlerOf(one, console, { cookie, device, searches }),
      );
    }
    route.all(methodNotAllowed(here.map(({ http: [method] }) => method)));
  }
  const member = signInOf({ access: playgroundRoles }, console, cookie);
  router.use(playgroundPath, playground(analyses, console.keys, member));
  router.use(notFound());
  router.use(refusals());
  return router;
}

/** Before the body, which may be large, is read. */
function signInOf(
  { access, recent = access === 'recent' }: Pick<Call, 'access' | 'recent'>,
  services: ConsoleServices,
  cookie: ConsoleCookie,
): RequestHandler {
  return async (req, res, next) => {
    const signedIn = await signedInOf(access, services, cookie.read(req));
    // Set the cookie even if the call fails: the old secret no longer works.
    if (signedIn?.cookie !== undefined) cookie.write(res, signedIn.cookie);
    res.locals.role = await roleIn(access, services, signedIn, req);
    const isChange = req.method !== 'GET' && req.method !== 'HEAD';
    const isWeak = signedIn && hasSecondFactor(signedIn.user) && !signedIn.signIn.isTwoFactor;
    // A stolen password alone must not change the accounts of a person who protects them with more.
    const isProtected = recent || (isChange && typeof access !== 'string');
    if (isProtected && isWeak) throw new Refused('SECOND_FACTOR_NEEDED');
    const isStale = signedIn && !services.identity.signIns.isRecent(signedIn.signIn);
    if (recent && isStale) throw new Refused('RECENT_SIGN_IN_NEEDED');
    if (signedIn) {
      const { limits } = services.identity;
      const { id } = signedIn.user;
      await (isChange ? limits.countChange(id) : limits.countRead(id));
      res.locals.signedIn = signedIn;
    }
    next();
  };
}

function bodyOf(one: Call): RequestHandler {
  if (one.http[0] !== 'GET') return readBody({ maxBytes: maxBytesOf(one), forms: 'json', optional: true });
  return (req, _res, next) => {
    req.body = {};
    next();
  };
}

interface HandlerParts {
  readonly cookie: ConsoleCookie;
  readonly device: ConsoleCookie;
  /** Searches by user id. */
  readonly searches: Lanes;
}

function handlerOf(
  one: Call,
  services: ConsoleServices,
  { cookie, device: deviceCookie, searches }: HandlerParts,
): RequestHandler {
  const check = checkerOf(one.input);
  return async (req, res) => {
    const { requestId, signedIn, role } = res.locals;
    const { images, ...given } = inputOf(one, req);
    const caller = { requestId, role, address: req.ip ?? '', device: deviceCookie.read(req), images };
    const input = check(given.input);
    const respond = async () => {
      await one.admit?.(services, input);
      const {
        data,
        cookie: value,
        device,
      } = await recorded(one, services, input, signedIn, () => one.run(services, input, caller, signedIn));
      if (value !== undefined) {
        res.removeHeader('Set-Cookie');
        cookie.write(res, value);
      }
      if (device !== undefined) deviceCookie.write(res, device);
      if (isTextStream(data)) {
        res.attachment(data.fileName).set('Content-Type', data.mediaType);
        res.setTimeout(unreadMs, () => res.destroy());
        await writeLines(data, res);
        res.end();
        return;
      }
      res.json({ success: true, data, requestId });
    };
    if (!signedIn || !one.isSearch?.(input)) return respond();
    const { id } = signedIn.user;
    await services.identity.limits.countSearch(id);
    // The client may have disconnected while the search waited.
    await searches.run(id, async () => (res.closed ? undefined : respond()));
  };
}

/** @throws Refused SIGNED_OUT */
async function signedInOf(
  access: Access,
  { identity: { signIns } }: ConsoleServices,
  value: string | undefined,
): Promise<SignedIn | undefined> {
  if (access === 'anyone') return undefined;
  if (access === 'maybe') return value === undefined ? undefined : signIns.of(value).catch(noneIfSignedOut);
  return signIns.of(value);
}

function noneIfSignedOut(error: unknown): undefined {
  if (!(error instanceof Refused)) throw error;
}

/**
 * Members without the role learn that it does not suffice. For others, the account does not exist, nor do the operators'
 * calls for people who are not operators.
 * @returns the role in the account of the path
 * @throws Refused NOT_FOUND, NOT_ALLOWED, SECOND_FACTOR_NEEDED
 */
async function roleIn(
  access: Access,
  { identity: { members }, admin: { operators }, settings }: ConsoleServices,
  signedIn: SignedIn | undefined,
  { params }: Request,
): Promise<Role | undefined> {
  if (access === 'operator') {
    if (!signedIn || !(await operators.has(signedIn.user))) throw new Refused('NOT_FOUND');
    if (!signedIn.signIn.isTwoFactor) throw new Refused('SECOND_FACTOR_NEEDED');
  }
  if (typeof access === 'string') return undefined;
  const role = signedIn && (await members.roleOf(String(params.account), signedIn.user.id));
  if (!role) throw new Refused('NOT_FOUND');
  if (!access.includes(role)) throw new Refused('NOT_ALLOWED');
  const isEnough = settings.secondFactor === 'optional' || signedIn.signIn.isTwoFactor;
  if (!isEnough) throw new Refused('SECOND_FACTOR_NEEDED');
  return role;
}

const actorOf = (signedIn: SignedIn | undefined) => (signedIn ? `user:${signedIn.user.id}` : 'user:new');

/** Runs a call, with entries in the audit log if it changes something. */
function recorded(
  { words, changes, input: { properties } }: Call,
  { admin: { audit } }: ConsoleServices,
  given: Readonly<Record<string, unknown>>,
  signedIn: SignedIn | undefined,
  run: () => Promise<Result>,
): Promise<Result> {
  if (!changes) return run();
  const { account, ...rest } = given;
  const values = Object.entries(rest).filter(([name]) => !properties[name]?.writeOnly);
  const entry = {
    ...{ actor: actorOf(signedIn), operation: words },
    ...(account !== undefined && { accountId: String(account) }),
    ...(values.length > 0 && { changes: Object.fromEntries(values) }),
  };
  return audited(audit, () => entry, run);
}

/** Responds to refusals of the console and of the operators' operations. */
function refusals(): ErrorRequestHandler {
  return (error, _req, res, next) => {
    const { requestId } = res.locals;
    if (error instanceof Refused) {
      const { code, message, status, retryAfterSeconds } = error;
      res.locals.errorCode = code as never;
      if (retryAfterSeconds !== undefined) res.set('Retry-After', String(retryAfterSeconds));
      res.status(status).json({ success: false, error: { code, message }, requestId });
      return;
    }
    if (!(error instanceof Refusal)) return next(error);
    respondWithRefusal(error, res);
  };
}
