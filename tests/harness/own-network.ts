import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from './temporary-folder.ts';

const run = promisify(execFile);

/**
 * Runs a Node program in an isolated network: the given addresses are its own, and names are resolved at 127.0.0.1. Linux, as
 * root. @returns its output
 */
export const inOwnNetwork = async (
  program: readonly string[],
  { addresses, authority }: { readonly addresses: readonly string[]; readonly authority: string },
): Promise<string> => {
  await using folder = await temporaryFolder('network');
  const path = (name: string) => join(folder.path, name);
  await writeFile(path('resolv.conf'), 'nameserver 127.0.0.1\noptions timeout:1 attempts:1\n');
  await writeFile(path('nsswitch.conf'), 'hosts: dns\n');
  await writeFile(path('authority.pem'), authority);
  const lines = [
    'ip link set lo up',
    ...addresses.map((address) => `ip address add ${address} dev lo`),
    ...['resolv.conf', 'nsswitch.conf'].map((name) => `mount --bind "$1/${name}" /etc/${name}`),
    'shift',
    'exec "$@"',
  ];
  const { stdout } = await run(
    'unshare',
    ['--net', '--mount', 'sh', '-ec', lines.join('\n'), 'sh', folder.path, process.execPath, ...program],
    { env: { ...process.env, NODE_EXTRA_CA_CERTS: path('authority.pem') }, timeout: 60_000 },
  );
  return stdout;
};
