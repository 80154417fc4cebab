import { readFile, writeFile } from 'node:fs/promises';
import { NtExecutable, NtExecutableResource } from 'resedit';

/** RT_MANIFEST of Windows's resources. */
const manifestType = 24;
/** The manifest of a program; a library has another id. */
const programId = 1;
const american = 1033;
const settingsEnd = /<\/(?:\w+:)?windowsSettings>/;
const longPathAware =
  '<longPathAware xmlns="http://schemas.microsoft.com/SMI/2016/WindowsSettings">true</longPathAware>';

/**
 * Adds to a program's manifest that it accepts paths of more than 260 characters, which a deeply nested data folder has.
 * This would invalidate a signature, so the program must have none.
 * @throws when it has a signature, or no manifest with settings
 */
export const allowLongPaths = async (file: string): Promise<void> => {
  const program = NtExecutable.from(await readFile(file));
  const resources = NtExecutableResource.from(program);
  const manifest = resources.entries.find(({ type }) => type === manifestType);
  const text = Buffer.from(manifest?.bin ?? new ArrayBuffer(0)).toString('utf8');
  if (!manifest || !settingsEnd.test(text)) throw new Error(`${file} has no manifest with settings.`);
  if (text.includes('longPathAware')) return;
  const changed = text.replace(settingsEnd, (end) => `${longPathAware}${end}`);
  manifest.bin = new Uint8Array(Buffer.from(changed)).buffer;
  resources.outputResource(program);
  await writeFile(file, Buffer.from(program.generate()));
};

/** https://learn.microsoft.com/windows/apps/design/globalizing/use-utf8-code-page */
const utf8Manifest = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<assembly xmlns="urn:schemas-microsoft-com:asm.v1" manifestVersion="1.0">
  <application xmlns="urn:schemas-microsoft-com:asm.v3">
    <windowsSettings>
      <activeCodePage xmlns="http://schemas.microsoft.com/SMI/2019/WindowsSettings">UTF-8</activeCodePage>
    </windowsSettings>
  </application>
</assembly>
`;

/**
 * Gives a program without Unicode a manifest, so that Windows from 1903 on passes it paths in UTF-8 instead of in the machine's code
 * page (decision 0113). This would invalidate a signature, so the program must have none.
 * @throws when it has a signature, or a manifest
 */
export const receivePathsInUtf8 = async (file: string): Promise<void> => {
  const program = NtExecutable.from(await readFile(file));
  const resources = NtExecutableResource.from(program);
  if (resources.entries.some(({ type }) => type === manifestType))
    throw new Error(`${file} has a manifest already.`);
  const bin = new Uint8Array(Buffer.from(utf8Manifest)).buffer;
  resources.entries.push({ type: manifestType, id: programId, lang: american, codepage: 0, bin });
  resources.outputResource(program);
  // With a new time: Windows remembers by it that a program has no manifest.
  await writeFile(file, Buffer.from(program.generate()));
};
