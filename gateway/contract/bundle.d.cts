/** An OpenAPI 3.1 document without external references. */
export interface OpenapiDocument {
  readonly paths: Readonly<Record<string, object>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

/** The document that the service serves at /openapi.json. */
export function bundleOpenapi(): OpenapiDocument;

/** The component with the schema of a file. */
export function componentName(file: string): string;
