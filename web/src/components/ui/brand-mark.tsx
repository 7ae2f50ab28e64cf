/** The brand mark: the same drawing as static/favicon.svg. */
export function BrandMark() {
  return (
    <svg className="brand-mark" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M2 8V2h6M16 2h6v6M22 16v6h-6M8 22H2v-6" />
      <path d="M8 9.5L16 9.5L12 15.5Z" />
    </svg>
  );
}
