/** The console: one script for all addresses below /console. */
import { Router } from '@gatsbyjs/reach-router';
import { useEffect } from 'react';
import { Frame } from './frame/frame';
import { Guarded, pages, prepare } from './pages/routes';
import { Loading, Message } from './parts/message';
import { Missing } from './parts/missing';
import { ConsoleProvider } from './state/context';
import type { Texts } from './state/texts';

export const basePath = '/console';

export function Console({ texts }: { texts: Texts }) {
  const { title, loading, unreachable, retry, noScript } = texts.shell;
  useEffect(() => prepare(window.location.pathname), []);
  return (
    <ConsoleProvider
      texts={texts}
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
          <Message title={title} text={unreachable} action={retry} onAction={again} />
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
