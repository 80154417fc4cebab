import { createHmac, createPrivateKey, sign } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { programFaultCodes } from '#contracts/kernel/program-faults.ts';
import { licenseFaults } from '#contracts/license/license-state.ts';
import { agentRefusals } from '#contracts/servers/agent-connection.ts';
import { filePartBytes, fileProofText, modKeysProofText } from '#contracts/servers/agent-files.ts';
import {
  agentCloseCodes,
  agentFrame,
  agentSocketPath,
  apiFrame,
  largestAgentFrame,
} from '#contracts/servers/agent-protocol.ts';
import { processStates, startMethods, taskOutcomes } from '#contracts/servers/agent-tasks.ts';
import { largestUpload, uploadPartBytes, uploadProofText } from '#contracts/servers/agent-uploads.ts';
import { commandOutcomes } from '#contracts/servers/games.ts';
import { parsePlatformId } from '#games/seven-days-to-die/ids.ts';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { Secret } from '#runtime/secret.ts';
import { startMinecraft } from '../tests/simulators/minecraft-simulator.ts';
import { toAgentKey } from './configuration/agent-key.ts';
import { isProvenApi, makeHello } from './connection/proof.ts';
import { readFrame } from './connection/read-frame.ts';
import { uploadProofOf } from './tasks/task-upload.ts';
import { startApiPeer } from './testing/api-peer.ts';
import { proofOfApi } from './testing/peer-proof.ts';
import { type ProtocolPage, readProtocolPage } from './testing/protocol-page.ts';
import { startTestAgent } from './testing/test-agent.ts';

let page: ProtocolPage;
beforeAll(async () => {
  page = await readProtocolPage();
});

/** PKCS #8 of an Ed25519 key is this prefix and the seed. */
const keyOf = (seedHex: string) => {
  const key = Buffer.from(`302e020100300506032b657004220420${seedHex}`, 'hex');
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
};
/** Replaces values that differ from run to run. */
const steady = ({
  clientNonce: _,
  clock: __,
  journal: ___,
  agentVersion: ____,
  ...frame
}: Record<string, unknown>) =>
  JSON.parse(
    JSON.stringify(frame, (key, value) => {
      if (key === 'connection' || key === 'taskJournal') return undefined;
      return ['durationMs', 'ageMs'].includes(key) ? 0 : value;
    }),
  );

// Guarantee: every example is valid in the protocol, with all its members; every type, outcome and code is on the page.
test('examples are valid and complete', () => {
  const { agentFrames, apiFrames, dialogue, text } = page;
  const inDialogue = (from: string) =>
    dialogue.filter((line) => line.from === from).map(({ frame }) => frame);
  for (const [schema, frames] of [
    [agentFrame, [...agentFrames, ...inDialogue('agent')]],
    [apiFrame, [...apiFrames, ...inDialogue('api')]],
  ] as const) {
    for (const frame of frames) expect(schema.parse(frame)).toEqual(frame);
    const types = schema.options.map(({ shape }) => shape.type.value);
    expect(new Set(frames.map((frame) => (frame as { type: string }).type))).toEqual(new Set(types));
  }
  const ofTasks = [...taskOutcomes, ...processStates, ...startMethods, ...programFaultCodes];
  for (const name of [...commandOutcomes, ...ofTasks, ...agentRefusals, ...licenseFaults])
    expect(text).toContain(`\`${name}\``);
});

// Guarantee: the page has every close code that an agent can see and each platform by which a game names players; the agent
// understands an omitted member, and treats a null in its place as a fault.
test('codes, platforms and null', () => {
  const { text, apiFrames } = page;
  for (const code of [1006, 1007, 1009, ...Object.values(agentCloseCodes)])
    expect(text).toMatch(new RegExp(`^\\| ${code} `, 'm'));
  for (const bytes of [largestAgentFrame, 8192]) expect(text).toContain(bytes.toLocaleString('en'));
  for (const platform of ['Steam', 'EOS', 'XBL', 'PSN', 'EGS']) {
    const id = parsePlatformId(`${platform}_0002a`);
    expect(text).toContain(`\`${id?.slice(0, id.indexOf(':'))}:…\``);
  }
  const optional = apiFrames.flatMap((frame) =>
    ['capabilities', 'accepted']
      .filter((name) => name in (frame as object))
      .map((name) => ({ frame: frame as object, name })),
  );
  expect(optional.map(({ name }) => name)).toEqual(['capabilities', 'accepted']);
  for (const { frame, name } of optional) {
    const { [name]: _, ...without } = frame as Record<string, unknown>;
    expect(readFrame(JSON.stringify(without))).toEqual(without);
    expect(readFrame(JSON.stringify({ ...frame, [name]: null }))).toBeNull();
  }
});

// Guarantee: proofs made as the page says, those in its worked example, and the agent's own are equal.
test('the worked example', () => {
  const { secret, serverId, nonce, privateKeySeedHex, clientNonce, ...worked } = page.worked;
  const privateKey = keyOf(privateKeySeedHex);
  const agentText = `castellan-agent-v1\n${nonce}\n${serverId}\n${worked.agentKey}`;
  const apiText = `castellan-api-v1\n${clientNonce}\n${serverId}`;
  const hmac = (text: string) => createHmac('sha256', secret).update(text).digest('base64url');
  const { publicKey } = toAgentKey(privateKey);
  expect(worked).toEqual({
    agentKey: publicKey,
    agentText,
    proof: hmac(agentText),
    signature: sign(null, Buffer.from(agentText), privateKey).toString('base64url'),
    apiText,
    apiProof: hmac(apiText),
  });
  const owned = { key: { privateKey, publicKey }, secret: new Secret(secret) };
  const identity = { serverId, game: 'minecraft', journal: 'j', ...owned } as const;
  const hello = makeHello(identity, nonce);
  expect(hello).toMatchObject({
    agentKey: worked.agentKey,
    proof: worked.proof,
    signature: worked.signature,
  });
  const asked = { ...hello, clientNonce };
  expect(isProvenApi(worked.apiProof, asked, identity.secret)).toBe(true);
  for (const wrong of ['', worked.proof, worked.apiProof.slice(1)])
    expect(isProvenApi(wrong, asked, identity.secret)).toBe(false);
});

// Guarantee: an upload proven as the page says and one by the agent itself are equal.
test('the worked example of an upload', () => {
  const { secret, privateKeySeedHex, body, text, shown, ...upload } = page.upload;
  const privateKey = keyOf(privateKeySeedHex);
  const { publicKey } = toAgentKey(privateKey);
  const { serverId, nonce } = shown;
  const identity = { serverId, key: { privateKey, publicKey }, secret: new Secret(secret) };
  const content = Buffer.from(body);
  const part = { ...upload, length: content.length };
  const proven = uploadProofOf(identity, part, content, nonce);
  expect(proven).toEqual(shown);
  expect(uploadProofText(proven, part)).toBe(text);
  for (const bytes of [largestUpload, uploadPartBytes])
    expect(page.text).toContain(bytes.toLocaleString('en'));
});

// Guarantee: the page gives the correct texts and sizes for files and keys.
test('files and keys for a task', () => {
  const shown = { nonce: 'nonce', serverId: 'serverId', agentKey: 'agentKey' };
  const written = (text: string) => text.split('\n').join(' ⏎ ').replace(/^\S+/, '`$&`');
  const file = fileProofText(shown, { taskId: 'taskId', fileId: 'fileId', part: 7 });
  expect(page.text).toContain(written(file).replace(/7$/, 'part'));
  expect(page.text).toContain(written(modKeysProofText(shown, 'taskId')));
  expect(page.text).toContain(filePartBytes.toLocaleString('en'));
});

// Guarantee: the page's polls, sent as they are, are answered as it says.
test('polling', async () => {
  const nonces = page.exchanges.map(({ answer }) => (answer as { nonce: string }).nonce);
  await using peer = await startApiPeer({
    secret: page.worked.secret,
    ownSecret: page.worked.secret,
    serverName: 'The Island',
    heartbeatSeconds: 60,
    staleSeconds: 180,
    holdMs: 30_000,
    nextNonce: () => nonces.shift() ?? 'none left',
  });
  for (const { path, request, status, answer } of page.exchanges) {
    const asked = fetch(new URL(path, peer.url), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(request),
    });
    if ((request as { hold?: boolean }).hold) {
      await eventually(() => expect(peer.held).toBe(1));
      for (const frame of (answer as { frames: { type: string }[] }).frames)
        if (frame.type === 'command') peer.say(apiFrame.parse(frame));
    }
    const answered = await asked;
    expect({ status: answered.status, answer: await answered.json() }).toEqual({ status, answer });
  }
  expect(peer.faults).toEqual([]);
});

// Guarantee: a plugin that sends the page's text over a WebSocket is let in and understood.
test('the agent of the dialogue', async () => {
  const { worked, dialogue } = page;
  await using peer = await startApiPeer({
    secret: worked.secret,
    ownSecret: worked.secret,
    nextNonce: () => worked.nonce,
  });
  const said = dialogue.filter(({ from }) => from === 'agent').map(({ frame }) => frame);
  const socket = new WebSocket(`ws://127.0.0.1:${peer.port}${agentSocketPath}`);
  const heard: string[] = [];
  socket.on('message', (data) => heard.push(JSON.parse(String(data)).type));
  await once(socket, 'open');
  for (const frame of said) socket.send(JSON.stringify(frame));
  await eventually(() => expect(peer.heard.map(({ frame }) => frame)).toEqual(said.slice(1)));
  await eventually(() => expect(heard).toEqual(['challenge', 'welcome', 'ack', 'received', 'ack', 'ack']));
  socket.terminate();
  expect(peer.faults).toEqual([]);
});

// Guarantee: the shipped program sends what the page's agent sends, when it receives what the page's API sends.
test('the API of the dialogue', async () => {
  const { worked, dialogue } = page;
  await using folder = await temporaryFolder('protocol');
  const logFile = join(folder.path, 'latest.log');
  await using game = await startMinecraft({ logFile });
  game.world.join('Steve');
  // So that the result does not overtake the acceptance.
  game.quirks.replyDelayMs = 150;
  const server = createServer().listen(0, '127.0.0.1');
  const webSockets = new WebSocketServer({ server, path: agentSocketPath });
  await once(server, 'listening');
  const stateFolder = folder.path;
  const pem = keyOf(worked.privateKeySeedHex).export({ type: 'pkcs8', format: 'pem' });
  await writeFile(join(stateFolder, 'agent-key.pem'), pem);

  const heard: Record<string, unknown>[] = [];
  const of = (isBeat: boolean) => heard.filter(({ type }) => (type === 'heartbeat') === isBeat);
  const opened = once(webSockets, 'connection');
  await using _agent = await startTestAgent({
    config: {
      apiUrl: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
      console: { host: '127.0.0.1', port: game.port, password: new Secret(game.password) },
      serverId: worked.serverId,
      secret: new Secret(worked.secret),
      stateFolder,
      logFile,
    },
  });
  const [socket] = (await opened) as [WebSocket];
  socket.on('message', (data) => heard.push(JSON.parse(String(data))));
  // The agent's own question to the game follows the connection's.
  await eventually(() => expect(game.world.received.length).toBeGreaterThan(2));
  try {
    let expected = { beats: 0, others: 0 };
    for (const { from, frame } of dialogue) {
      if (from === 'api') {
        const hello = heard.find(({ type }) => type === 'hello') as
          | Parameters<typeof proofOfApi>[0]
          | undefined;
        const own =
          frame.type === 'welcome' && hello
            ? { proof: proofOfApi(hello, worked.secret), heartbeatSeconds: 1 }
            : {};
        socket.send(JSON.stringify({ ...frame, ...own }));
        continue;
      }
      const isBeat = frame.type === 'heartbeat';
      if (frame.type === 'events') game.world.chat('Steve', 'hello');
      const index = isBeat ? expected.beats : expected.others;
      await eventually(() => expect(of(isBeat).length).toBeGreaterThan(index));
      expect(steady(of(isBeat)[index] ?? {})).toEqual(steady({ ...frame }));
      expected = isBeat ? { ...expected, beats: index + 1 } : { ...expected, others: index + 1 };
    }
  } finally {
    for (const client of webSockets.clients) client.terminate();
    webSockets.close();
    server.close();
  }
  expect(game.world.given).toMatchObject([{ player: 'Steve', quantity: 2 }]);
});
