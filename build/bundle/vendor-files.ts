import { copyFile, readFile, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ifAbsent } from '#runtime/absent-file.ts';

const resources = resolve(import.meta.dirname, '../../resources');
/** Where a build's updates come from and which keys sign them; a checkout has no such file and does not update itself. */
export const updateSourceFile = join(resources, 'update-source.json');

/** The vendor's portal and its public key, and the source of updates; a checkout lacks both, and its `.env` names a portal. */
const names = ['license-server.json', 'update-source.json'];

/** Makes the vendor's files in a folder of programs those of the checkout. */
export const copyVendorFiles = async (root: string, programs: string, half: string): Promise<void> => {
  for (const name of names) {
    const [from, to] = [join(root, 'resources', name), join(programs, name)];
    const content = await readFile(from).catch(ifAbsent(null));
    if (content === null) await rm(to, { force: true });
    else if (!(await readFile(to).catch(ifAbsent(null)))?.equals(content)) {
      await copyFile(from, join(half, name));
      await rename(join(half, name), to);
    }
  }
};
