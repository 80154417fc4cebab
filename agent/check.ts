import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import { games } from '#contracts/servers/games.ts';
import { checkConsole } from '#games/console-check.ts';
import { gameOf } from '#games/games.ts';
import { demandOwned } from '#runtime/owned-path.ts';
import { StartupError } from '#runtime/program.ts';
import { openAgentKey } from './configuration/agent-key.ts';
import { type AgentConfig, canOthersRead } from './configuration/config.ts';
import { AlreadyRunningError, holdStateFolder } from './configuration/state-folder.ts';
import { connectionTiming } from './connection/connection-timing.ts';
import { judgeConnection } from './connection/connection-verdict.ts';
import { createLongPollClient } from './connection/long-poll-client.ts';
import { describeGame } from './discovery/find-games.ts';
import { openNamedFile } from './folders/named-file.ts';
import { machineEncoding, seenEncoding } from './game/line-encoding.ts';
import { noConsoleDetail } from './game/no-console.ts';
import { serverObstacle } from './power/check-server.ts';
import { modIdsFile, modsMarkFault, readModIds } from './power/mods-mark.ts';

interface CheckedThing {
  readonly works: boolean;
  /** A sentence or two for people; nothing secret. */
  readonly text: string;
}

/** Tests each part of the configuration once. Never rejects because of a failed test. */
export const checkAgent = async (config: AgentConfig, configPath: string): Promise<CheckedThing[]> => {
  const things = await Promise.all([
    checkFile(configPath),
    checkApi(config),
    checkGame(config),
    checkLog(config),
    checkServer(config),
    checkSettings(config),
  ]);
  return things.flat();
};

const good = (text: string): CheckedThing => ({ works: true, text });
const bad = (text: string): CheckedThing => ({ works: false, text });

const checkFile = async (path: string): Promise<CheckedThing[]> => [
  good('Configuration: complete.'),
  ...(await demandOwned(dirname(path), path).then(
    () => [],
    (error: Error) => [bad(`Configuration: ${error.message}`)],
  )),
  ...((await canOthersRead(path))
    ? [
        good(
          `Configuration: other accounts of this machine can read it and the secret in it. Correct that with: chmod 600 ${path}`,
        ),
      ]
    : []),
];

const checkApi = async (config: AgentConfig): Promise<CheckedThing[]> => {
  const { apiUrl, certificatePins: pins, serverId, secret, game, stateFolder } = config;
  const plain = apiUrl.protocol === 'http:' && !/^(localhost|127\.[\d.]+|\[::1\])$/.test(apiUrl.hostname);
  const warnings = plain ? [good('API: the address is not https, so the connection is not encrypted.')] : [];
  let held: AsyncDisposable;
  try {
    held = await holdStateFolder(stateFolder);
  } catch (error) {
    if (!(error instanceof AlreadyRunningError)) return [bad(`State folder: ${(error as Error).message}`)];
    // Our login would supersede the running agent's.
    return [
      ...warnings,
      good('API: not tried, because the agent is already running. Its log shows the connection.'),
    ];
  }
  try {
    const key = await openAgentKey(stateFolder);
    const identity = { serverId, game, secret, key, journal: randomBytes(12).toString('base64url') };
    const signal = new AbortController().signal;
    const polled = await createLongPollClient({
      apiUrl,
      pins,
      identity,
      timing: connectionTiming,
      signal,
    }).poll([], false);
    if ('end' in polled) {
      const { message } = judgeConnection({ end: polled.end, wasAcknowledged: false });
      return [...warnings, bad(`API: ${message}`)];
    }
    const welcome = polled.frames.find((frame) => frame.type === 'welcome');
    return [
      ...warnings,
      good(`API: accepts this agent for the server "${welcome?.serverName ?? serverId}".`),
    ];
  } catch (error) {
    return [bad(`State folder: ${(error as Error).message}`)];
  } finally {
    await held[Symbol.asyncDispose]();
  }
};

const checkGame = async ({ game, console: target }: AgentConfig): Promise<CheckedThing[]> => {
  if (!target) return [bad(`${games[game].name}: ${noConsoleDetail()}`)];
  const checked = await checkConsole({ game: gameOf(game), target });
  const { name } = games[game];
  if (checked.outcome !== 'answered') return [bad(`${name}: ${checked.detail}`)];
  const players =
    checked.players === null ? 'its list of players cannot be read' : `players online: ${checked.players}`;
  return [good(`${name}: the console answers; ${players}.`)];
};

const checkServer = async ({ server, game, stateFolder }: AgentConfig): Promise<CheckedThing[]> => {
  if (server === null) return [];
  const obstacle =
    (await serverObstacle(server)) ??
    modsMarkFault(game, server) ??
    (await readModIds(modIdsFile(stateFolder)).then(
      () => null,
      (error: Error) => error.message,
    ));
  if (obstacle !== null) return [bad(`Server: ${obstacle}`)];
  const { start, allow } = server;
  const how =
    start.by === 'none'
      ? 'Castellan does not start it'
      : `it can be started (${start.by}); the panel ${allow.power ? 'may' : 'may not'} start it`;
  return [good(`Server: ${server.folder} exists; ${how}.`)];
};

/** What the game's own files say about its console, and who else manages it. */
const checkSettings = async ({ server, game }: AgentConfig): Promise<CheckedThing[]> => {
  if (server === null || (await serverObstacle({ folder: server.folder, start: { by: 'none' } })) !== null)
    return [];
  const { console, manager, notes, settingsPath } = await describeGame(game, server.folder);
  const managed =
    manager && `${manager.name} manages this server${manager.isContainer ? ', in a container' : ''}.`;
  return [
    ...(managed === null ? [] : [good(`Server: ${managed}`)]),
    ...notes.map((note) => good(`Settings: ${note}`)),
    ...(console && !console.isOn ? [good(`Settings: the console is off in ${settingsPath}.`)] : []),
  ];
};

const seenBytes = 256 * 1024;

const checkLog = async ({ logFile, logEncoding }: AgentConfig): Promise<CheckedThing[]> => {
  if (logFile === null) return [];
  try {
    await using file = await openNamedFile(logFile);
    const encoding = logEncoding ?? (await machineEncoding());
    const content = Buffer.alloc(seenBytes);
    const { size } = await file.stat();
    const { bytesRead } = await file.read(content, 0, seenBytes, Math.max(0, size - seenBytes));
    const seen = seenEncoding(content.subarray(0, bytesRead), encoding);
    return [
      good(
        `Log: ${logFile} can be read.${seen === null ? '' : ` Not all of it is UTF-8; those lines are read as ${seen}. Where letters look wrong, set logEncoding in the configuration.`}`,
      ),
    ];
  } catch (error) {
    const why = error instanceof StartupError ? error.message : `${logFile} cannot be read.`;
    return [bad(`Log: ${why} The agent waits for it. Check logFile in the configuration.`)];
  }
};
