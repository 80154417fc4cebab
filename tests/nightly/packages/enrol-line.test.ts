// @module-tag identity
// @module-tag download

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, lstat, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { connect as connectTls, createServer as createTlsServer } from 'node:tls';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentDownloadsHttp } from '#contracts/servers/agent-downloads.ts';
import { enrolmentsHttp } from '#contracts/servers/agent-enrolment.ts';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import type { TestDatabase } from '#harness/database.ts';
import { eventually } from '#harness/eventually.ts';
import { selfSigned } from '#harness/self-signed.ts';
import { type TemporaryFolder, temporaryFolder } from '#harness/temporary-folder.ts';
import { packAgentPrograms } from '../../../build/package/agent-programs.ts';
import { enrolWords } from '../../../renderer/servers/agents/enrol.words.ts';
import { shellLine } from '../../../renderer/servers/agents/enrol-line.ts';
import { apiDatabase } from '../../../server/kernel/testing/api-database.ts';
import { call } from '../../../server/kernel/testing/call.ts';
import {
  startTestApi,
  type TestApi,
  testDesktopCredential,
} from '../../../server/kernel/testing/test-api.ts';
import { whenInUse } from '../../../server/kernel/testing/when-in-use.ts';

/** The panel's command in a shell, with the shipped program, under an account without special rights. */

const nobody = 65_534;
const as = testDesktopCredential;

let programs: TemporaryFolder;
let database: TestDatabase;
let api: TestApi;
let clusterId: string;
const certificate = selfSigned();
let files: { readonly certFile: string; readonly keyFile: string };

/** Changes the certificate in use and waits until the API has noticed it. */
const showCertificate = async ({ cert, key }: typeof certificate) => {
  await writeFile(files.keyFile, key);
  await writeFile(files.certFile, cert);
};

beforeAll(async () => {
  programs = await temporaryFolder('programs');
  await packAgentPrograms(join(programs.path, 'agents'), { systems: ['linux'] });
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
}, 240_000);
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

// Guarantee: the command downloads the shipped program, enrols it and runs it, with curl or wget and any ordinary account; the
// code is in no process's arguments; after a stop, the program stays for the next start.
test.each([
  ['curl', 'http'],
  ['wget', 'http'],
  ['curl', 'https'],
  ['wget', 'https'],
])('by %s over %s', { timeout: 60_000 }, async (tool, scheme) => {
  await using folder = await temporaryFolder('enrol-line');
  const { serverId, line, code } = await newLine(
    `by ${tool} over ${scheme}`,
    `${scheme}://127.0.0.1:${api.port}`,
  );
  await using shell = await paste(folder.path, line, tool);
  await eventually(async () => {
    const { rows } = (await call(api.port, gameServersHttp.list, { as })).json as {
      rows: { id: string; status: { agentMode: string | null } }[];
    };
    expect(rows.find(({ id }) => id === serverId)?.status.agentMode, shell.said()).toBe('websocket');
  }, 45_000);
  expect(await enrolmentOf(serverId)).toMatchObject({ state: 'used', downloadedAt: expect.any(String) });
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const args = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    expect(args).not.toContain(code);
  }
  expect(shell.said()).not.toContain(code);
  shell.signal('SIGINT');
  await shell.exited;
  expect((await readdir(shell.home)).sort()).toEqual(['program', 'servers']);
  expect(await readdir(join(shell.home, 'program'))).toEqual(['castellan-agent']);
});

// Guarantee: an altered download is refused in plain words, nothing of it runs, and nothing is left behind.
test('an altered download', async () => {
  const server = createServer(async (incoming, outgoing) => {
    const asked = await fetch(`http://127.0.0.1:${api.port}${incoming.url}`, {
      method: incoming.method ?? 'GET',
    });
    const content = Buffer.from(await asked.arrayBuffer());
    content[1000] = (content[1000] ?? 0) ^ 1;
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

// Guarantee: a man in the middle with another certificate receives nothing, neither from the download tool nor from the agent.
test.each(['curl', 'wget'])('another certificate, by %s', { timeout: 60_000 }, async (tool) => {
  await using folder = await temporaryFolder('enrol-line');
  await using middle = await openMiddle();
  const { line, serverId } = await newLine(`middle ${tool}`, middle.apiUrl);
  await using shell = await paste(folder.path, line, tool);
  expect((await shell.exited)[0]).toBe(1);
  expect(shell.said()).toContain('The Game Agent could not be downloaded.');
  await expect(readdir(shell.home)).rejects.toMatchObject({ code: 'ENOENT' });
  expect(await enrolmentOf(serverId)).toMatchObject({ state: 'open', downloadedAt: null });

  await using other = await temporaryFolder('enrol-line');
  const { line: fetched } = await newLine(`agent ${tool}`, `https://127.0.0.1:${api.port}`);
  await using agent = await paste(
    other.path,
    fetched.replace(/--api '[^']+'/, `--api '${middle.apiUrl}'`),
    tool,
  );
  await agent.exited;
  expect(agent.said()).toContain('another key than the one that this agent was given');
  expect(middle.heard()).toBe(0);
});

// Guarantee: an agent that trusts a certificate by its key accepts a renewed one with the same key; for another key it says what to
// do, and a new command fixes it.
test('a renewed certificate', { timeout: 120_000 }, async () => {
  await using folder = await temporaryFolder('enrol-line');
  const apiUrl = `https://127.0.0.1:${api.port}`;
  const { line } = await newLine('renewed', apiUrl);
  const shown = () =>
    new Promise<string>((resolve, reject) => {
      const socket = connectTls({ port: api.port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
        resolve(socket.getPeerX509Certificate()?.fingerprint256 ?? '');
        socket.destroy();
      });
      socket.on('error', reject);
    });
  await using shell = await paste(folder.path, line, 'curl');
  await eventually(() => expect(shell.said()).toContain('connected'), 30_000);
  const check = async () => {
    const [id] = await readdir(join(shell.home, 'servers'));
    return promisify(execFile)(join(shell.home, 'program/castellan-agent'), [
      '--config',
      join(shell.home, 'servers', id ?? '', 'config.json'),
      '--check',
    ]).then(
      ({ stdout }) => stdout,
      ({ stdout }) => stdout,
    );
  };
  shell.signal('SIGINT');
  await shell.exited;
  const same = selfSigned(certificate.key);
  await showCertificate(same);
  await eventually(async () => expect(await shown()).toBe(same.fingerprint), 30_000);
  expect(await check()).toContain('accepts this agent');
  const other = selfSigned();
  try {
    await showCertificate(other);
    await eventually(async () => expect(await shown()).toBe(other.fingerprint), 30_000);
    expect(await check()).toContain('create a new line in the panel');
  } finally {
    await showCertificate(certificate);
    await eventually(async () => expect(await shown()).toBe(certificate.fingerprint), 30_000);
  }
});

// Guarantee: pasted as root where another account's agent is installed, the command changes that agent's program only after the
// enrolment, and leaves nothing in its data folder that the account cannot use: a second server joins the first one.
test('as root in the home of another account', { timeout: 60_000 }, async () => {
  await using folder = await temporaryFolder('enrol-line');
  await chmod(folder.path, 0o755);
  const home = join(folder.path, 'castellan-agent');
  const program = join(home, 'program/castellan-agent');
  await mkdir(join(home, 'program'), { recursive: true });
  await mkdir(join(home, 'servers/first'), { recursive: true });
  await writeFile(program, '#!/bin/sh\necho the one before\n');
  await chmod(program, 0o755);
  for (const path of ['.', ...(await readdir(home, { recursive: true }))])
    await chown(join(home, path), nobody, nobody);
  const pasteAsRoot = (line: string) =>
    promisify(execFile)('sh', [
      '-c',
      line
        .replaceAll('/var/lib/castellan-agent', home)
        .replace(' enrol ', ` enrol --no-start --home '${home}' `),
    ]);
  const asAccount = async () => {
    const ids = [`--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'];
    return (await promisify(execFile)('setpriv', [...ids, program, '--version'])).stdout;
  };

  const { line: over, serverId: ended } = await newLine('over as root');
  await call(api.port, enrolmentsHttp.cancel, { as, params: { serverId: ended } });
  await expect(pasteAsRoot(over)).rejects.toThrow('Setup command expired');
  expect(await asAccount()).toBe('the one before\n');

  const { line, serverId } = await newLine('as root');
  await pasteAsRoot(line);
  expect(await asAccount()).toMatch(/\d+\.\d+/);
  expect((await lstat(program)).mode & 0o777).toBe(0o755);
  expect((await readdir(join(home, 'servers'))).sort()).toEqual(['first', serverId].sort());
  expect(await readdir(join(home, 'servers', serverId))).toContain('config.json');
  for (const path of ['.', ...(await readdir(home, { recursive: true }))])
    expect(await lstat(join(home, path)), path).toMatchObject({ uid: nobody, gid: nobody });
  expect(await readdir(folder.path)).toEqual(['castellan-agent']);
});

// Guarantee: if the program cannot be downloaded, or the code has expired, the command says so and leaves nothing behind.
test('no way and no code', { timeout: 60_000 }, async () => {
  const { line } = await newLine('nowhere', 'http://127.0.0.1:1');
  const { line: over, serverId } = await newLine('over');
  await call(api.port, enrolmentsHttp.cancel, { as, params: { serverId } });
  for (const [pasted, tools, says] of [
    [line, ['curl'], 'could not be downloaded'],
    [line, ['wget'], 'could not be downloaded'],
    [line, [], 'Neither curl nor wget is installed'],
    [over, ['curl'], 'Setup command expired'],
  ] as const) {
    await using folder = await temporaryFolder('enrol-line');
    await using shell = await paste(folder.path, pasted, ...tools);
    expect((await shell.exited)[0]).toBe(1);
    expect(shell.said()).toContain(says);
    await expect(readdir(shell.home)).rejects.toMatchObject({ code: 'ENOENT' });
  }
});
