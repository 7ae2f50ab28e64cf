/** The routes that the app serves. */
import { createApp, type Services } from '../src/http/app';

interface Layer {
  readonly handle: { readonly stack?: Layer[] };
  readonly route?: Route;
}

interface Route {
  readonly path: string;
  readonly methods: Readonly<Record<string, boolean>>;
}

/** Each route as often as it is mounted. */
export function mountedRoutes(): Route[] {
  const liveness = { origins: [] as readonly string[] } as Services['liveness'];
  const app = createApp({ draining: () => false, liveness } as Services);
  const { stack } = app.router as unknown as { stack: Layer[] };
  return stack.flatMap(({ handle }) => handle.stack ?? []).flatMap(({ route }) => route ?? []);
}
