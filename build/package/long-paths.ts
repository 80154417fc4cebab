import { readFile, writeFile } from 'node:fs/promises';
import { NtExecutable, NtExecutableResource } from 'resedit';

/** RT_MANIFEST of Windows's resources. */
const manifestType = 24;
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
