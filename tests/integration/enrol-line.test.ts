// @module-tag identity
// @module-tag download

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmod, chown, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  agentDownloadsHttp,
  agentProgramsFolder,
  agentProgramsManifest,
  agentProgramsManifestName,
} from '#contracts/servers/agent-downloads.ts';
import { enrolmentsHttp } from '#contracts/servers/agent-enrolment.ts';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import type { TestDatabase } from '#harness/database.ts';
import { selfSigned } from '#harness/self-signed.ts';
import { type TemporaryFolder, temporaryFolder } from '#harness/temporary-folder.ts';
import { enrolWords } from '../../renderer/servers/agents/enrol.words.ts';
import { shellLine } from '../../renderer/servers/agents/enrol-line.ts';
import { apiDatabase } from '../../server/kernel/testing/api-database.ts';
import { call } from '../../server/kernel/testing/call.ts';
import { startTestApi, type TestApi, testDesktopCredential } from '../../server/kernel/testing/test-api.ts';
import { whenInUse } from '../../server/kernel/testing/when-in-use.ts';

/**
 * The panel's command in a shell, under an account without special rights, with a program that only says how it was started;
 * tests/nightly/packages has the shipped one.
 */

const nobody = 65_534;
const as = testDesktopCredential;

let programs: TemporaryFolder;
let database: TestDatabase;
let api: TestApi;
let clusterId: string;
const certificate = selfSigned();
let files: { readonly certFile: string; readonly keyFile: string };

const file = 'castellan-agent-linux-x64';
/** The code is not among its arguments, and its folder is the one that is removed. */
const program = `#!/bin/sh
[ "$1" = --version ] && exit
echo "started as $*"
[ -n "$CASTELLAN_ENROLMENT_CODE" ] && echo "with a code of ${'$'}{#CASTELLAN_ENROLMENT_CODE} characters"
`;
const layOutProgram = async (folder: string) => {
  await mkdir(folder);
  await writeFile(join(folder, file), program);
  const made = { file, system: 'linux', bytes: program.length, stored: file, coding: 'none' } as const;
  const sha256 = createHash('sha256').update(program).digest('hex');
  const manifest = agentProgramsManifest.parse({ files: [{ ...made, sha256 }] });
  await writeFile(join(folder, agentProgramsManifestName), JSON.stringify(manifest));
};

/** Changes the certificate in use and waits until the API has noticed it. */
const showCertificate = async ({ cert, key }: typeof certificate) => {
  await writeFile(files.keyFile, key);
  await writeFile(files.certFile, cert);
};

beforeAll(async () => {
  programs = await temporaryFolder('programs');
  await layOutProgram(join(programs.path, agentProgramsFolder));
  database = await apiDatabase();
  files = { certFile: join(programs.path, 'cert.pem'), keyFile: join(programs.path, 'key.pem') };
  await showCertificate(certificate);
  api = await startTestApi({
    databaseUrl: database.url,
    programsFolder: programs.path,
    workers: [],
    tls: files,
  });
  await whenInUse(api);
  const body = { name: 'Demo', description: '' };
  clusterId = String((await call(api.port, clustersHttp.create, { as, body })).json.id);
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
  await programs[Symbol.asyncDispose]();
});

const newLine = async (name: string, apiUrl = `http://127.0.0.1:${api.port}`) => {
  const body = { clusterId, name, game: 'minecraft' } as const;
  const serverId = String((await call(api.port, gameServersHttp.create, { as, body })).json.id);
  const made = enrolmentsHttp.create.response.parse(
    (await call(api.port, enrolmentsHttp.create, { as, params: { serverId } })).json,
  );
  const listed = await call(api.port, agentDownloadsHttp.list, { as });
  const { files: programFiles, certificate: shown } = agentDownloadsHttp.list.response.parse(listed.json);
  const program = programFiles.find(({ system }) => system === 'linux');
  if (!program) throw new Error('the program is not there');
  const input = {
    apiUrl,
    program,
    certificate: shown,
    serverId,
    enrolment: made.enrolment.id,
    code: made.code,
    says: enrolWords.en.says,
  };
  return { serverId, code: made.code, line: shellLine(input) };
};
const enrolmentOf = async (serverId: string) =>
  (await call(api.port, enrolmentsHttp.read, { as, params: { serverId } })).json.enrolment;

/** A PATH with the programs of a bare Debian and one of the two download tools. */
const pathWith = async (folder: string, ...tools: string[]): Promise<string> => {
  const bin = join(folder, 'bin');
  await mkdir(bin);
  const usual = ['sh', 'id', 'uname', 'rm', 'rmdir', 'mkdir', 'mv', 'chmod', 'sha256sum', 'cat'];
  for (const tool of [...usual, ...tools]) await symlink(`/usr/bin/${tool}`, join(bin, tool));
  return bin;
};

/** Types the command into a shell, as a person who pastes it: it is never in the shell's arguments. */
const paste = async (folder: string, line: string, ...tools: string[]) => {
  await chmod(folder, 0o755);
  const home = join(folder, "it's a home");
  await mkdir(home);
  await chown(home, nobody, nobody);
  const env = { HOME: home, PATH: await pathWith(folder, ...tools) };
  const shell = spawn('/usr/bin/sh', [], { env, uid: nobody, gid: nobody, detached: true });
  let said = '';
  for (const stream of [shell.stdout, shell.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  const exited = once(shell, 'close');
  shell.stdin.end(`${line}\n`);
  return {
    home: join(home, '.local/share/castellan-agent'),
    said: () => said,
    exited,
    signal: (signal: NodeJS.Signals) => process.kill(-(shell.pid ?? 0), signal),
    async [Symbol.asyncDispose]() {
      if (shell.exitCode === null && shell.signalCode === null) process.kill(-(shell.pid ?? 0), 'SIGKILL');
      await exited;
    },
  };
};

// Guarantee: the command downloads the program with curl or wget and any ordinary account and starts it with what it needs to
// enrol; the code is in no argument, and what did not move into the home is removed.
test.each([
  ['curl', 'http'],
  ['wget', 'http'],
  ['curl', 'https'],
  ['wget', 'https'],
])('by %s over %s', async (tool, scheme) => {
  await using folder = await temporaryFolder('enrol-line');
  const apiUrl = `${scheme}://127.0.0.1:${api.port}`;
  const { serverId, line, code } = await newLine(`by ${tool} over ${scheme}`, apiUrl);
  await using shell = await paste(folder.path, line, tool);
  expect((await shell.exited)[0], shell.said()).toBe(0);
  const enrolment = (await enrolmentOf(serverId)) as { id: string };
  expect(enrolment).toMatchObject({ state: 'open', downloadedAt: expect.any(String) });
  const named = `started as enrol --into-home --api ${apiUrl} --enrolment ${enrolment.id} --server ${serverId}`;
  expect(shell.said()).toContain(scheme === 'https' ? `${named} --pin sha256//` : `${named}\n`);
  expect(shell.said()).toContain(`with a code of ${code.length} characters`);
  expect(shell.said()).not.toContain(code);
  expect(await readdir(join(shell.home, '..'))).toEqual([]);
});

// Guarantee: an altered download is refused in plain words, nothing of it runs, and nothing is left behind.
test('an altered download', async () => {
  const server = createServer(async (incoming, outgoing) => {
    const asked = await fetch(`http://127.0.0.1:${api.port}${incoming.url}`, {
      method: incoming.method ?? 'GET',
    });
    const content = Buffer.from(await asked.arrayBuffer());
    content[10] = (content[10] ?? 0) ^ 1;
    outgoing.end(content);
    await buffer(incoming);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await using folder = await temporaryFolder('enrol-line');
    const { line, serverId } = await newLine(
      'altered',
      `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    );
    await using shell = await paste(folder.path, line, 'curl');
    expect((await shell.exited)[0]).toBe(1);
    expect(shell.said()).toContain('The download is damaged or was changed on the way.');
    await expect(readdir(shell.home)).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await enrolmentOf(serverId)).toMatchObject({ state: 'open' });
  } finally {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
});

/** A man in the middle with another certificate that forwards everything to the API. */
const openMiddle = async () => {
  const { cert, key } = selfSigned();
  let heard = 0;
  const sockets = new Set<Socket>();
  const server = createTlsServer({ cert, key }, (socket) => {
    const onward = connect(api.port, '127.0.0.1');
    for (const each of [socket, onward]) sockets.add(each.on('error', () => undefined));
    socket.on('data', () => {
      heard += 1;
    });
    socket.pipe(onward).pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    apiUrl: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard: () => heard,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
};

// Guarantee: a man in the middle with another certificate receives nothing from the download tool.
test.each(['curl', 'wget'])('another certificate, by %s', { timeout: 60_000 }, async (tool) => {
  await using folder = await temporaryFolder('enrol-line');
  await using middle = await openMiddle();
  const { line, serverId } = await newLine(`middle ${tool}`, middle.apiUrl);
  await using shell = await paste(folder.path, line, tool);
  expect((await shell.exited)[0]).toBe(1);
  expect(shell.said()).toContain('The Game Agent could not be downloaded.');
  await expect(readdir(shell.home)).rejects.toMatchObject({ code: 'ENOENT' });
  expect(await enrolmentOf(serverId)).toMatchObject({ state: 'open', downloadedAt: null });

  expect(middle.heard()).toBe(0);
});

// Guarantee: if the program cannot be downloaded, the command says so and leaves nothing behind.
test('no way', { timeout: 60_000 }, async () => {
  const { line } = await newLine('nowhere', 'http://127.0.0.1:1');
  for (const [tools, says] of [
    [['curl'], 'could not be downloaded'],
    [['wget'], 'could not be downloaded'],
    [[], 'Neither curl nor wget is installed'],
  ] as const) {
    await using folder = await temporaryFolder('enrol-line');
    await using shell = await paste(folder.path, line, ...tools);
    expect((await shell.exited)[0]).toBe(1);
    expect(shell.said()).toContain(says);
    await expect(readdir(shell.home)).rejects.toMatchObject({ code: 'ENOENT' });
  }
});
