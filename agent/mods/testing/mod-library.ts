import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { copyFile, mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { ModFile, ModItem } from '#contracts/servers/agent-mods.ts';
import { ModFileError, type ModFiles } from '../mod-files.ts';

/** Stands in for the sources of mods: files in a folder, each named by its sha512. */
export const modFilesFrom = (folder: string): ModFiles => ({
  async fetch(file, { signal, onProgress }) {
    signal.throwIfAborted();
    const path = join(folder, file.hashes.sha512 ?? file.name);
    const facts = await stat(path).catch(() => null);
    if (!facts) throw new ModFileError('gone', `${file.name} is gone.`);
    const content = await readFile(path);
    const sha512 = createHash('sha512').update(content).digest('hex');
    onProgress(facts.size, facts.size);
    return {
      path,
      bytes: facts.size,
      sha512,
      sha1: createHash('sha1').update(content).digest('hex'),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  },
});

export interface ModLibrary {
  readonly folder: string;
  /** A Fabric jar with this text in it, as an item. */
  jar(id: string, version: string, padBytes?: number): Promise<ModItem>;
  /** An archive with these files. */
  archive(
    id: string,
    version: string,
    form: 'folders' | 'pack',
    files: Readonly<Record<string, string>>,
  ): Promise<ModItem>;
}

export const openModLibrary = async (folder: string): Promise<ModLibrary> => {
  await mkdir(folder, { recursive: true });
  const put = async (path: string): Promise<Pick<ModFile, 'bytes' | 'hashes'>> => {
    const content = await readFile(path);
    const sha512 = createHash('sha512').update(content).digest('hex');
    await copyFile(path, join(folder, sha512));
    return { bytes: content.length, hashes: { sha512 } };
  };
  const zipped = async (name: string, files: Readonly<Record<string, string | Buffer>>) => {
    const zip = new ZipFile();
    for (const [path, text] of Object.entries(files))
      zip.addBuffer(Buffer.from(text), path, { mtime: new Date(0) });
    zip.end();
    const path = join(folder, name);
    await pipeline(zip.outputStream, createWriteStream(path));
    return put(path);
  };
  const itemOf = (
    id: string,
    version: string,
    form: ModItem['form'],
    name: string,
    file: Pick<ModFile, 'bytes' | 'hashes'>,
  ): ModItem => ({
    key: `modrinth:${id}`,
    source: 'modrinth',
    project: id,
    version,
    name: id,
    versionName: version,
    form,
    folder: form === 'file' ? 'mods' : null,
    byName: 'Ada',
    file: { name, ...file, from: { kind: 'address', url: 'https://cdn.example/x', key: null } },
  });
  return {
    folder,
    async jar(id, version, padBytes = 0) {
      const name = `${id}-${version}.jar`;
      const mod = { schemaVersion: 1, id: id.toLowerCase(), version, environment: '*' };
      const pad = Buffer.alloc(padBytes, `${id} ${version}`);
      return itemOf(
        id,
        version,
        'file',
        name,
        await zipped(name, { 'fabric.mod.json': JSON.stringify(mod), pad }),
      );
    },
    async archive(id, version, form, files) {
      const name = `${id}-${version}.zip`;
      return itemOf(id, version, form, name, await zipped(name, files));
    },
  };
};
