import { type ReactNode, useState, useSyncExternalStore } from 'react';

interface StaticProps {
  className?: string | undefined;
  children: ReactNode;
}

/**
 * A part of the contract, which never changes once it is built. On the page that was loaded the HTML is left as it came: React walks through
 * thousands of elements less before the page answers. After a change of page within the site it is rendered as usual.
 */
export function Static({ className, children }: StaticProps) {
  const [isBuilt] = useState(useIsHydrating());
  if (!isBuilt || typeof window === 'undefined')
    return (
      <div className={className} data-source="contract">
        {children}
      </div>
    );
  // React takes the content of such an element as it finds it.
  return (
    <div
      className={className}
      data-source="contract"
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: empty, and never written.
      dangerouslySetInnerHTML={{ __html: '' }}
    />
  );
}

/** True where React renders what the build rendered before, as it does there. */
const useIsHydrating = () =>
  useSyncExternalStore(
    () => () => {},
    () => false,
    () => true,
  );
