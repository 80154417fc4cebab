import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { signReleaseOf } from '../../build/release/sign-release.ts';

export interface Published {
  readonly version: string;
  readonly installer: Buffer;
  readonly notes?: string;
  readonly releasedAt?: Date;
  readonly expiresAt?: Date;
  readonly keys?: readonly KeyObject[];
}

/** An update server on this machine: real releases, built by the real command, over real HTTP. */
export interface ReleaseServer extends AsyncDisposable {
  readonly url: string;
  readonly publicKey: string;
  /** Requested paths, in order. */
  readonly asked: string[];
  /** Publishes a release as the newest. */
  publish(release: Published): Promise<void>;
  /** Replaces the server's answer for one path; null restores it. */
  instead(path: string, answer: ((response: ServerResponse) => void) | null): void;
}

const dayMs = 86_400_000;

/** @param folder the test's own folder */
export const openReleaseServer = async (folder: string): Promise<ReleaseServer> => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  const asked: string[] = [];
  const instead = new Map<string, (response: ServerResponse) => void>();
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const other = instead.get(path);
    if (other) return other(response);
    readFile(join(folder, path)).then(
      (bytes) => response.end(bytes),
      () => response.writeHead(404).end('<html>not here</html>'),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    publicKey: x,
    asked,
    async publish({
      version,
      installer,
      notes = '',
      releasedAt = new Date(),
      expiresAt,
      keys = [privateKey],
    }) {
      const from = join(folder, `.${version}`);
      await mkdir(from, { recursive: true });
      await writeFile(join(from, `Castellan-${version}.AppImage`), installer);
      await signReleaseOf({
        folder: from,
        version,
        follows: '0.1.0',
        notes,
        releasedAt,
        expiresAt: expiresAt ?? new Date(releasedAt.getTime() + dayMs),
        keys,
        out: folder,
      });
    },
    instead(path, answer) {
      if (answer) instead.set(path, answer);
      else instead.delete(path);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
