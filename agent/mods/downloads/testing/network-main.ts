import { createHash, randomBytes } from 'node:crypto';
import { createServer as createPlainServer } from 'node:http';
import { join } from 'node:path';
import type { ModFile } from '#contracts/servers/agent-mods.ts';
import { type FileHost, type FileHostQuirks, startFileHost } from '../../../../tests/simulators/file-host.ts';
import { startNameServer } from '../../../../tests/simulators/name-server.ts';
import { ModFileError } from '../../mod-files.ts';
import { openModFiles } from '../open-mod-files.ts';
import { noApiFiles } from './no-api-files.ts';

/** Downloads over https in a separate network namespace, in which 93.184.216.34 is public and 10.0.0.7 is not; prints the result. */
const { folder, trusted, stranger } = JSON.parse(process.argv[2] ?? '') as Record<
  'trusted' | 'stranger',
  { key: string; cert: string }
> & { folder: string };
const [publicAddress, otherPublic, privateAddress] = ['93.184.216.34', '151.101.1.69', '10.0.0.7'];
const content = randomBytes(600_000);

await using names = await startNameServer();
await using open = await startFileHost({ tls: trusted, host: publicAddress });
const { port } = open;
await using inner = await startFileHost({ tls: trusted, host: privateAddress, port });
await using other = await startFileHost({ tls: stranger, host: otherPublic, port });
const plain = createPlainServer((_, response) => response.end(content)).listen(port + 1, publicAddress);
for (const host of [open, inner, other]) host.put('/file', content);

interface Scenario {
  readonly turns: readonly (readonly string[])[];
  readonly behave?: FileHostQuirks | ((index: number) => FileHostQuirks);
  readonly address?: string;
  readonly allowHosts?: readonly string[];
  readonly isKnown?: boolean;
}
const url = (name: string) => `https://${name}.mods.example:${port}/file`;
const redirectTo = (location: string): FileHostQuirks => ({ status: 302, headers: { Location: location } });

const scenarios: Readonly<Record<string, Scenario>> = {
  'a public host': { turns: [[publicAddress]] },
  'connections that drop': { turns: [[publicAddress]], behave: { dropEvery: 200_000 } },
  'a certificate of nobody': { turns: [[otherPublic]] },
  'a certificate of another name': {
    turns: [[publicAddress]],
    address: `https://${publicAddress}:${port}/file`,
  },
  'a private host': { turns: [[privateAddress]] },
  'a private host as IPv6': { turns: [['0:0:0:0:0:ffff:a00:7']] },
  'a private host beside a public one': { turns: [[privateAddress, publicAddress]] },
  'an answer that changes behind the first look': { turns: [[publicAddress], [privateAddress]] },
  'an answer that changes before the rest': {
    turns: [[publicAddress], [privateAddress]],
    behave: { dropEvery: 200_000 },
  },
  'a redirect to a private host': { turns: [[publicAddress]], behave: redirectTo(url('inner')) },
  'a redirect to a host that changes': { turns: [[publicAddress]], behave: redirectTo(url('turning')) },
  'a redirect to plain HTTP': {
    turns: [[publicAddress]],
    behave: redirectTo(`http://a.mods.example:${port + 1}/file`),
  },
  'a private host that its owner allows': {
    turns: [[privateAddress]],
    allowHosts: [`a.mods.example:${port}`],
  },
  'a wrong file': { turns: [[publicAddress]], isKnown: false },
};

const bodies = (host: FileHost) => host.requests.map(({ headers }) => headers.range ?? 'whole');
const told: Record<string, unknown> = {};
for (const [name, scenario] of Object.entries(scenarios)) {
  const { turns, behave = {}, address = url('a'), allowHosts = [], isKnown = true } = scenario;
  for (const host of [open, inner, other]) host.behave({});
  open.behave(behave);
  names.answer('a.mods.example', ...turns);
  names.answer('inner.mods.example', [privateAddress]);
  names.answer('turning.mods.example', [privateAddress], [publicAddress]);
  const before = names.asked['a.mods.example'] ?? 0;
  const files = await openModFiles({
    cacheFolder: join(folder, createHash('sha1').update(name).digest('hex')),
    cacheMegabytes: 100,
    allowHosts,
    api: noApiFiles,
    timing: { firstRetryMs: 50, mostRetryMs: 100, patienceMs: 1500, idleMs: 1000 },
  });
  const sha512 = isKnown ? createHash('sha512').update(content).digest('hex') : '0'.repeat(128);
  const file: ModFile = {
    name: 'mod.jar',
    bytes: content.length,
    hashes: { sha512 },
    from: { kind: 'address', url: address, key: null },
  };
  const outcome = await files
    .fetch(file, { taskId: 'task', signal: AbortSignal.timeout(20_000), onProgress: () => undefined })
    .then(
      async (held) => {
        await held[Symbol.asyncDispose]();
        return 'whole';
      },
      (error: unknown) =>
        error instanceof ModFileError ? `${error.fault}: ${error.message}` : String(error),
    );
  told[name] = {
    outcome,
    open: bodies(open),
    inner: bodies(inner),
    other: bodies(other),
    lookUps: (names.asked['a.mods.example'] ?? 0) - before,
  };
}
plain.close();
plain.closeAllConnections();
process.stdout.write(JSON.stringify(told));
