import { chown, lstat, mkdir, readdir, readFile, readlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { type TestAccount, testAccount } from '#harness/test-account.ts';
import { giveFolder } from '../../../configuration/as-owner.ts';
import type { ServerConfig } from '../../../configuration/server-section.ts';
import { holderProgram } from '../../../power/testing/test-power.ts';
import { type ModdedServer, openModdedServer } from '../../testing/modded-server.ts';
import { type FolderWorker, openFolderWorker } from '../folder-worker.ts';

export const isRoot = process.getuid?.() === 0;

export interface OwnedServer {
  readonly account: TestAccount;
  readonly server: ModdedServer;
  readonly config: ServerConfig;
  readonly worker: FolderWorker;
  /** Closed to all but root. */
  readonly secret: string;
  /** Everyone may read it, and only root may write. */
  readonly open: string;
  /** Everything in the two folders: contents, owners, modes and times. */
  outside(): Promise<readonly unknown[]>;
}

export const secretText = 'known to root alone';

/** A server whose folder, and the one around it, belong to a real account; and folders of root's with the same names in them. */
export const ownedServer = async (
  changes: Parameters<typeof openModdedServer>[1] = {},
): Promise<OwnedServer> => {
  const account = await testAccount();
  const outer = await temporaryFolder('owned');
  const root = join(outer.path, 'home/game');
  const stateFolder = join(outer.path, 'state');
  const config: ServerConfig = {
    folder: root,
    start: { by: 'none' },
    allow: { power: true, files: false, mods: true },
  };
  const worker = openFolderWorker({ server: config, stateFolder }, holderProgram);
  onTestFinished(async () => {
    await worker[Symbol.asyncDispose]();
    await account[Symbol.asyncDispose]();
    await outer[Symbol.asyncDispose]();
  });
  const server = await openModdedServer(outer.path, { root: async () => root, worker, ...changes });
  await writeFile(join(root, 'server.properties'), 'server-port=25565\n');
  await chown(join(outer.path, 'home'), account.uid, account.gid);
  await giveFolder(root, account);
  const [secret, open] = [join(outer.path, 'secret'), join(outer.path, 'open')] as const;
  for (const [folder, mode] of [
    [secret, 0o700],
    [open, 0o755],
  ] as const)
    await fill(folder, mode);
  return {
    account,
    server,
    config,
    worker,
    secret,
    open,
    outside: async () => [...(await everything(secret)), ...(await everything(open))],
  };
};

const fill = async (folder: string, mode: number): Promise<void> => {
  const names = [
    ...['mods/One-1.jar', 'mods/hidden.jar', 'config/pack/settings.toml', 'world/level.dat', 'world/hidden'],
    ...['.castellan-mods/x/new/0/file', '.castellan-mods/x/old/0', '.castellan-rehearsal/mods/hidden.jar'],
    ...['.castellan-rehearsal/world/hidden', '.castellan-rehearsal/server.properties', 'server.properties'],
  ];
  await mkdir(folder, { mode });
  await writeFile(join(folder, 'fabric-server-launch.jar'), 'launcher');
  for (const name of names) {
    await mkdir(join(folder, dirname(name)), { recursive: true });
    const isClosed = mode === 0o700;
    await writeFile(join(folder, name), `${isClosed ? secretText : 'of root'}: ${name}\n`, {
      mode: isClosed ? 0o600 : 0o644,
    });
  }
};

const everything = async (folder: string): Promise<unknown[]> => {
  const found: unknown[] = [];
  const look = async (path: string): Promise<void> => {
    const facts = await lstat(path);
    const { uid, gid, mode, ino, mtimeMs, ctimeMs } = facts;
    const content = facts.isFile()
      ? await readFile(path, 'latin1')
      : facts.isSymbolicLink()
        ? await readlink(path)
        : null;
    found.push({ path, uid, gid, mode, ino, mtimeMs, ctimeMs, content });
    if (facts.isDirectory()) for (const name of (await readdir(path)).sort()) await look(join(path, name));
  };
  await look(folder);
  return found;
};
