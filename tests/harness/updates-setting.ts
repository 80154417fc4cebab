import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { UpdatesState } from '#contracts/desktop/desktop-updates.ts';
import type { StackStatus } from '#contracts/operations/stack.ts';
import { createLog } from '#runtime/log.ts';
import { readPublicKey } from '#runtime/release/signed-manifest.ts';
import type { Installation } from '../../electron/updates/installation.ts';
import { openUpdateRecord } from '../../electron/updates/update-record.ts';
import { openUpdates, type Updates } from '../../electron/updates/updates.ts';
import { openReleaseServer, type ReleaseServer } from './release-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

const log = createLog({ component: 'test', destination: { write: () => undefined } });
/** The installer of every version in these tests. */
export const installer = randomBytes(300_000);
export const releasePath = '/castellan.release';

export interface UpdatesSetting extends AsyncDisposable {
  readonly server: ReleaseServer;
  readonly updates: Updates;
  readonly folder: string;
  readonly states: UpdatesState[];
  readonly installed: string[];
  readonly record: Awaited<ReturnType<typeof openUpdateRecord>>;
  open(more?: Partial<Parameters<typeof openUpdates>[0]>): Promise<Updates>;
}

const status = { components: [{ name: 'api', state: 'running' }] } as unknown as StackStatus;

/** Updates of an installed 0.1.0 with a real update server; only the step that replaces the program is simulated. */
export const setUpUpdates = async (): Promise<UpdatesSetting> => {
  const opening = new AsyncDisposableStack();
  const served = opening.use(await temporaryFolder('releases'));
  const own = opening.use(await temporaryFolder('updates'));
  const server = opening.use(await openReleaseServer(served.path));
  const folder = join(own.path, 'Atualizações de Eva');
  const record = await openUpdateRecord(folder);
  const states: UpdatesState[] = [];
  const installed: string[] = [];
  const installation: Installation = {
    platform: 'linux-x64',
    install: async ({ version }) => void installed.push(version),
  };
  const open = async (more: Partial<Parameters<typeof openUpdates>[0]> = {}) =>
    opening.use(
      openUpdates({
        folder,
        installed: '0.1.0',
        source: { url: server.url, keys: [readPublicKey(server.publicKey)] },
        installation,
        record,
        fetch: (url, init) => fetch(url, init),
        stackStatus: () => status,
        hindrance: () => null,
        unreadable: async () => null,
        processes: () => [],
        backUp: async () => '/a/backup',
        leave: (task) => void task(),
        onChange: (state) => void states.push(state),
        log,
        ...more,
      }),
    );
  const updates = await open();
  return {
    server,
    updates,
    folder,
    states,
    installed,
    record,
    open,
    [Symbol.asyncDispose]: () => opening.disposeAsync(),
  };
};
