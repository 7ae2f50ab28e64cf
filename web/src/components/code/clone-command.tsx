import type { ReactNode } from 'react';
import { cloneCommand } from '../../repository.mjs';
import { useSite } from '../use-site';
import { CodeBlock } from './code-block';

/** The command that clones the repository. A site that was built without REPOSITORY_URL has the children in its place. */
export function CloneCommand({ children = null }: { children?: ReactNode }) {
  const { repositoryUrl } = useSite();
  if (!repositoryUrl) return children;
  return (
    <CodeBlock className="code" tabIndex={0}>
      <code>
        {cloneCommand(repositoryUrl)
          .match(/.+\n?/g)
          ?.map((line) => (
            <Line key={line}>{line}</Line>
          ))}
      </code>
    </CodeBlock>
  );
}

/** A command and its arguments, in the colors of the blocks that the build highlights. */
function Line({ children }: { children: string }) {
  const [command, ...rest] = children.split(' ');
  return (
    <>
      <span className="code-keyword">{command}</span> <span className="code-string">{rest.join(' ')}</span>
    </>
  );
}
