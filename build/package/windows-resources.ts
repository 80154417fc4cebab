import { readFile, writeFile } from 'node:fs/promises';
import { NtExecutable, NtExecutableResource } from 'resedit';

/** A resource of a program; types and ids are Windows's numbers, or names. */
interface WindowsResource {
  readonly type: number | string;
  readonly id: number | string;
  readonly bytes: Buffer;
}

/** @throws when it is no program for Windows, or has a signature */
export const resourcesOf = async (file: string): Promise<readonly WindowsResource[]> =>
  NtExecutableResource.from(NtExecutable.from(await readFile(file))).entries.map(({ type, id, bin }) => ({
    type,
    id,
    bytes: Buffer.from(bin),
  }));

/** Writes a program that does nothing, with these resources alone. */
export const writeEmptyProgram = async (file: string, entries: readonly WindowsResource[]): Promise<void> => {
  const program = NtExecutable.createEmpty(false, false);
  const resources = NtExecutableResource.from(program);
  for (const { type, id, bytes } of entries)
    resources.entries.push({ type, id, lang: 1033, codepage: 0, bin: new Uint8Array(bytes).buffer });
  resources.outputResource(program);
  await writeFile(file, Buffer.from(program.generate()));
};
