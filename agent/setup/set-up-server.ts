import { games } from '#contracts/servers/games.ts';
import type { ConsoleTarget } from '#games/connection.ts';
import { gameOf } from '#games/games.ts';
import { Secret } from '#runtime/secret.ts';
import type { AgentHome } from '../configuration/agent-home.ts';
import { changeConfig } from '../configuration/change-config.ts';
import { ownCommand } from '../configuration/own-command.ts';
import type { FoundGame } from '../discovery/find-games.ts';
import type { SearchOptions } from '../discovery/game-folders.ts';
import { SettingsFileError, turnConsoleOn } from '../discovery/settings-on-disk.ts';
import { serverObstacle } from '../power/check-server.ts';
import { modsMarkFault } from '../power/mods-mark.ts';
import { ServiceError } from '../service/service-error.ts';
import { type ChosenConsole, chooseConsole } from './choose-console.ts';
import { chooseGame, writingObstacle } from './choose-game.ts';
import { chooseAllowed, chooseStart, inWords } from './choose-start.ts';
import { CancelledError, type Questions } from './questions.ts';
import {
  readServerSettings,
  type ServerSettings,
  type StartSetting,
  takenFolders,
} from './server-settings.ts';

interface ServerSetUp {
  readonly home: AgentHome;
  /** Its config.json exists, with at least the game. */
  readonly serverId: string;
  /** `usualAnswers` when no one can be asked. */
  readonly questions: Questions;
  /** `--yes`: also agrees to changes of the game's files. */
  readonly agreesToAll?: boolean;
  readonly places?: SearchOptions['places'];
  readonly now?: () => Date;
}

/**
 * - `saved`: config.json says where the game is
 * - `incomplete`: no game was found, or several, and no one chose; nothing has changed
 * - `cancelled`: a person stopped it; nothing has changed
 * - `failed`: the reason was printed; nothing has changed
 */
export type SetUpOutcome = 'saved' | 'incomplete' | 'cancelled' | 'failed';

/** Finds the game server, asks for what cannot be detected, and writes everything at the end. */
export const setUpServer = async (options: ServerSetUp): Promise<SetUpOutcome> => {
  try {
    return await setUp(options);
  } catch (error) {
    if (error instanceof CancelledError) {
      options.questions.say('Nothing was changed.');
      return 'cancelled';
    }
    if (!(error instanceof SettingsFileError || error instanceof ServiceError)) throw error;
    options.questions.say(`${error.message} Nothing was changed.`);
    return 'failed';
  }
};

const setUp = async (options: ServerSetUp): Promise<SetUpOutcome> => {
  const { home, serverId, questions, agreesToAll = false, places } = options;
  const path = home.configPath(serverId);
  const kept = await readServerSettings(path);
  if (kept === null) {
    questions.say(
      `${path} is missing or names no game. Connect this machine first with the line that the panel shows.`,
    );
    return 'failed';
  }
  const taken = await takenFolders(home, serverId);
  const folder = kept.server?.folder ?? null;
  const found = await chooseGame({ game: kept.game, folder, taken, questions, ...(places && { places }) });
  if (found === null) {
    questions.say(`To name its folder, run on this machine: ${ownCommand()} setup --server ${serverId}`);
    return 'incomplete';
  }
  questions.say(`\n${games[kept.game].name} in ${found.folder}`);
  const obstacle = await writingObstacle(found.folder);
  if (obstacle !== null) questions.say(obstacle);
  for (const note of found.notes) questions.say(note);
  const console = await chooseConsole({ found, kept: keptConsole(kept), agreesToAll, questions });
  const isSame = folder === found.folder;
  const start = await chooseStart(found, (isSame && kept.server?.start) || null, questions);
  const allow = await chooseAllowed((isSame && kept.server?.allow) || null, start, questions);
  const modsFault = modsMarkFault(kept.game, { start, allow });
  if (modsFault !== null) questions.say(modsFault);
  // Its program may still be on its way: that keeps no one from saving.
  const unfit = await startObstacle(found.folder, start);
  if (unfit !== null) questions.say(`The game cannot be started like this: ${unfit}`);
  questions.say(summary(found, console, inWords(start)));
  if (console.target === null && start.by !== 'none')
    questions.say(
      'Without its console, Castellan cannot see a game that you start in another way and would start a second one. Start it from the panel only.',
    );
  if (!(await questions.confirm('Save this?', true))) throw new CancelledError('not saved');
  await turnOnWhereAsked(found, console, options);
  await changeConfig(path, {
    server: { folder: found.folder, start, allow },
    ...(console.target !== null
      ? { console: { ...console.target, password: console.target.password.reveal() } }
      : kept.console === undefined && { console: null }),
    ...(found.logFile !== null && { logFile: found.logFile }),
  });
  questions.say('Saved.');
  return 'saved';
};

const startObstacle = (folder: string, start: StartSetting): Promise<string | null> => {
  if (start.by !== 'holder') return serverObstacle({ folder, start });
  const [program = '', ...args] = start.command;
  const { account = null } = start;
  return serverObstacle({ folder, start: { by: 'holder', command: [program, ...args], account } });
};

const keptConsole = ({ game, console }: ServerSettings): ConsoleTarget | null =>
  console
    ? {
        host: console.host,
        port: console.port ?? games[game].defaultPort,
        password: new Secret(console.password),
      }
    : null;

const summary = (found: FoundGame, { target, isToBeTurnedOn }: ChosenConsole, start: string): string =>
  [
    '',
    `Folder   ${found.folder}`,
    `Console  ${target === null ? 'not known yet' : `port ${target.port} on ${target.host}${isToBeTurnedOn ? ', to be turned on' : ''}`}`,
    `Log      ${found.logFile ?? 'not read'}`,
    `Started  ${start}`,
  ].join('\n');

const turnOnWhereAsked = async (
  { game, settingsPath }: FoundGame,
  { target, isToBeTurnedOn }: ChosenConsole,
  { questions, now = () => new Date() }: ServerSetUp,
): Promise<void> => {
  if (!isToBeTurnedOn || target === null || settingsPath === null) return;
  const form = gameOf(game).layout.settings;
  const copy = await turnConsoleOn({ path: settingsPath, form, console: target, now: now() });
  if (copy !== null)
    questions.say(`The console is turned on in ${settingsPath}. The previous file is kept as ${copy}.`);
};
