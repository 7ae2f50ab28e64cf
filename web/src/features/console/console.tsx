/** The console: one script for all addresses below /console. */
import { Router } from '@gatsbyjs/reach-router';
import { ConsoleProvider } from './context';
import { Frame } from './frame/frame';
import { Guarded, pages } from './pages';
import { Loading, Message } from './parts/message';
import { Missing } from './parts/missing';
import type { Words } from './words';

export const basePath = '/console';

export function Console({ words }: { words: Words }) {
  const { loading, unreachable, retry, noScript } = words.shell;
  return (
    <ConsoleProvider
      words={words}
      loading={
        <main>
          <noscript>
            <p>{noScript}</p>
          </noscript>
          <Loading label={loading} />
        </main>
      }
      failed={(again) => (
        <main>
          <Message text={unreachable} action={retry} onAction={again} />
        </main>
      )}
    >
      <Frame>
        <Router basepath={basePath} primary={false}>
          {pages.map((page) => (
            <Guarded key={page.path} {...page} />
          ))}
          <Missing default />
        </Router>
      </Frame>
    </ConsoleProvider>
  );
}
