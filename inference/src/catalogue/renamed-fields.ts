/** Renames the two fields that manifests of an earlier release spell the British way. */

type Fields = Record<string, unknown>;

/**
 * @param name the file, for the message.
 * @returns the manifest with the present names; other fields, and values that are no object, stay as they are.
 * @throws Error if a field is there under both names.
 */
export function renameFields(manifest: unknown, name: string): unknown {
  if (!isFields(manifest)) return manifest;
  const renamed = renameField(manifest, 'licence', 'license', name);
  if (!isFields(renamed.source)) return renamed;
  return { ...renamed, source: renameField(renamed.source, 'licenceFile', 'licenseFile', name) };
}

function renameField(fields: Fields, from: string, to: string, name: string): Fields {
  if (!(from in fields)) return fields;
  if (to in fields)
    throw new Error(`Model manifest ${name} has both ${from} and ${to}: remove ${from}, the former name`);
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key === from ? to : key, value]));
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
