import { type ReactNode, useState } from 'react';
import { useHasScript } from '../../use-has-script';

interface StaticProps {
  className?: string | undefined;
  children: ReactNode;
}

/**
 * A part of the contract, which is constant after the build. React leaves its HTML untouched on the page that was
 * loaded, which saves hydrating thousands of elements. After navigation within the site React renders it as usual.
 */
export function Static({ className, children }: StaticProps) {
  const [isBuilt] = useState(!useHasScript());
  if (!isBuilt || typeof window === 'undefined')
    return (
      <div className={className} data-source="contract">
        {children}
      </div>
    );
  // React leaves the content of such an element as it is.
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
